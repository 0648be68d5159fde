// A cache of recent plans per thread, so that repeated calls of a function make their plan once.
#include <array>
#include <optional>

#include "core/thread_object.h"
#include "plan/plan_impl.h"
#include "plan/run.h"
#include "runtime/target_id.h"

namespace tidepool::inline v0_1 {
namespace {

struct Slot {
  int64_t target = 0;
  std::optional<Plan> plan;
};
using Slots = std::array<Slot, 64>;

}  // namespace

// Returns a copy: a call in the middle of a run may put another plan into the same slot.
Plan detail::cached_plan_for(std::string_view function, const Problem& problem) {
  const int64_t target = current_target_id();
  const auto make = [&] { return try_make_plan_for(CallerName(problem, function), problem, {}, target).value(); };
  Slots* slots = thread_object<Slots>();
  if (slots == nullptr) return make();
  Slot& slot = (*slots)[hash_value(problem) % slots->size()];
  if (!slot.plan || slot.target != target || !(slot.plan->problem() == problem)) {
    slot.plan = make();
    slot.target = target;
  }
  return *slot.plan;
}

Plan cached_plan(const Problem& problem) { return detail::cached_plan_for({}, problem); }

}  // namespace tidepool::inline v0_1
