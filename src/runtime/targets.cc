#include <atomic>

#include "hwy/highway.h"
#include "runtime/target_id.h"
#include "tidepool/error.h"
#include "tidepool/runtime.h"

namespace tidepool::inline v0_1 {
namespace {

std::atomic<uint64_t> generation{1};

// In Highway's masks a lower bit is a better target.
int64_t best_of(int64_t mask) noexcept { return mask & -mask; }

}  // namespace

namespace detail {
std::string target_name(int64_t id) { return hwy::TargetName(id); }
uint64_t target_generation() noexcept { return generation.load(std::memory_order_relaxed); }
}  // namespace detail

std::vector<Target> targets() {
  std::vector<Target> all;
  // Detected once: after force_target, SupportedTargets() would report the forced target only.
  static const int64_t supported = hwy::SupportedTargets();
  for (int64_t bits = HWY_TARGETS; bits != 0; bits &= bits - 1) {
    const int64_t id = best_of(bits);
    all.push_back({.name = detail::target_name(id), .id = id, .supported = (supported & id) != 0});
  }
  return all;
}

void force_target(std::string_view name) {
  int64_t id = 0;
  std::string known;
  for (const Target& t : targets()) {
    if (!t.supported) continue;
    known += (known.empty() ? "" : ", ") + t.name;
    if (t.name == name) id = t.id;
  }
  if (id == 0 && !name.empty())
    throw Error(ErrorCode::unsupported, "force_target: target must be one of " + known + ", got \"" + std::string(name) + "\"");
  hwy::SetSupportedTargetsForTest(id);
  hwy::GetChosenTarget().DeInit();
  generation.fetch_add(1, std::memory_order_relaxed);
}

std::string current_target() { return detail::target_name(best_of(hwy::SupportedTargets() & HWY_TARGETS)); }

Version version() noexcept { return {TIDEPOOL_VERSION_MAJOR, TIDEPOOL_VERSION_MINOR, TIDEPOOL_VERSION_PATCH}; }

}  // namespace tidepool::inline v0_1
