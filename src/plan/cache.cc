// A cache of recent plans per thread, so that repeated calls of a function make their plan once.
#include <array>
#include <optional>

#include "plan/plan_impl.h"
#include "plan/run.h"
#include "runtime/target_id.h"

namespace tidepool::inline v0_1 {

Plan detail::cached_plan_for(std::string_view function, const Problem& problem) {
  struct Slot {
    uint64_t generation = 0;
    std::optional<Plan> plan;
  };
  thread_local std::array<Slot, 64> slots;
  Slot& slot = slots[hash_value(problem) % slots.size()];
  const uint64_t generation = target_generation();
  if (!slot.plan || slot.generation != generation || !(slot.plan->problem() == problem)) {
    slot.plan = try_make_plan_for(CallerName(problem, function), problem, {}).value();
    slot.generation = generation;
  }
  return *slot.plan;
}

Plan cached_plan(const Problem& problem) { return detail::cached_plan_for({}, problem); }

}  // namespace tidepool::inline v0_1
