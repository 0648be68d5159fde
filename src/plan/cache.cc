// Recent plans of a thread, so that one-shot calls do not plan twice.
#include <array>
#include <optional>

#include "runtime/target_id.h"
#include "tidepool/plan.h"

namespace tidepool {

Plan cached_plan(const Problem& problem) {
  struct Slot {
    uint64_t generation = 0;
    std::optional<Plan> plan;
  };
  thread_local std::array<Slot, 64> slots;
  Slot& slot = slots[hash_value(problem) % slots.size()];
  const uint64_t generation = detail::target_generation();
  if (!slot.plan || slot.generation != generation || !(slot.plan->problem() == problem)) {
    slot.plan = make_plan(problem);
    slot.generation = generation;
  }
  return *slot.plan;
}

}  // namespace tidepool
