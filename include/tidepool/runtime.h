// The instruction sets (targets) that this build contains, and the one in use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tidepool/export.h"

namespace tidepool::inline v0_1 {

struct Target {
  std::string name;        // "AVX3", "AVX2", "SSE4", "SSSE3", "SCALAR", …
  int64_t id = 0;          // the bit that Highway uses for it
  bool supported = false;  // this CPU can run it
};

// Best first.
TIDEPOOL_API std::vector<Target> targets();

// While an object of this class exists, plans that the same thread makes use this target; "" is the best. It concerns plans of functions
// such as max_pool2d as well as make_plan without PlanOptions::target. A plan keeps its target, on all threads that run it. Objects must be
// destroyed on their own thread, in reverse order, as scopes do. Throws Error for a target that this CPU does not support.
class TIDEPOOL_API ScopedTarget {
 public:
  explicit ScopedTarget(std::string_view name);
  ~ScopedTarget();
  ScopedTarget(const ScopedTarget&) = delete;
  ScopedTarget& operator=(const ScopedTarget&) = delete;

 private:
  int64_t previous_;
};

// The target of plans that the calling thread makes now.
TIDEPOOL_API std::string current_target();

struct Version {
  int major, minor, patch;
};
TIDEPOOL_API Version version() noexcept;

// The memory bandwidth limit for pooling, as a benchmark: reads `in_bytes` and writes `out_bytes` once each, with a vector maximum as the
// only arithmetic. Returns a byte that depends on the whole input, so that the compiler cannot leave out the reads.
TIDEPOOL_API uint8_t stream_once(const void* in, int64_t in_bytes, void* out, int64_t out_bytes) noexcept;

}  // namespace tidepool::inline v0_1
