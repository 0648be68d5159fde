// The instruction sets this build carries, and which of them runs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tidepool {

struct Target {
  std::string name;        // "AVX3", "AVX2", "SSE4", "SSSE3", "SCALAR", …
  int64_t id = 0;          // Highway's bit
  bool supported = false;  // this CPU can run it
};

// Best first.
std::vector<Target> targets();

// Plans made from now on use this target; "" goes back to the best. Throws Error for a name this CPU cannot run.
void force_target(std::string_view name);
// The target that plans made now will use.
std::string current_target();

struct Version {
  int major, minor, patch;
};
Version version() noexcept;

// The memory limit: reads `in_bytes` once with vector maxima and writes `out_bytes` once, as a perfect pooling would.
// Returns a byte that depends on all input, so that nothing can be skipped.
uint8_t stream_once(const void* in, int64_t in_bytes, void* out, int64_t out_bytes) noexcept;

}  // namespace tidepool
