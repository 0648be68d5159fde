#include <utility>

#include "core/thread_state.h"
#include "hwy/highway.h"
#include "runtime/target_id.h"
#include "tidepool/error.h"
#include "tidepool/runtime.h"

namespace tidepool::inline v0_1 {
namespace {

// In Highway's masks a lower bit is a better target.
int64_t best_of(int64_t mask) noexcept { return mask & -mask; }

int64_t supported_targets() noexcept {
  static const int64_t supported = hwy::SupportedTargets() & HWY_TARGETS;
  return supported;
}

}  // namespace

namespace detail {

std::string target_name(int64_t id) { return hwy::TargetName(id); }

int64_t target_id(std::string_view function, std::string_view name) {
  if (name.empty()) return 0;
  std::string known;
  for (const Target& t : targets()) {
    if (!t.supported) continue;
    if (t.name == name) return t.id;
    known += (known.empty() ? "" : ", ") + t.name;
  }
  throw Error(ErrorCode::unsupported, std::string(function) + ": target must be one of " + known + ", got \"" + std::string(name) + "\"");
}

int64_t current_target_id() noexcept { return thread_state.target != 0 ? thread_state.target : best_of(supported_targets()); }

}  // namespace detail

std::vector<Target> targets() {
  std::vector<Target> all;
  for (int64_t bits = HWY_TARGETS; bits != 0; bits &= bits - 1) {
    const int64_t id = best_of(bits);
    all.push_back({.name = detail::target_name(id), .id = id, .supported = (supported_targets() & id) != 0});
  }
  return all;
}

ScopedTarget::ScopedTarget(std::string_view name)
    : previous_(std::exchange(detail::thread_state.target, detail::target_id("ScopedTarget", name))) {}
ScopedTarget::~ScopedTarget() { detail::thread_state.target = previous_; }

std::string current_target() { return detail::target_name(detail::current_target_id()); }

Version version() noexcept { return {TIDEPOOL_VERSION_MAJOR, TIDEPOOL_VERSION_MINOR, TIDEPOOL_VERSION_PATCH}; }

}  // namespace tidepool::inline v0_1
