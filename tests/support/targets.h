// SIMD targets, one at a time.
#pragma once

#include <string>
#include <vector>

#include "tidepool/runtime.h"

namespace tidepool::test {

// Names of the targets this processor runs, best first.
inline std::vector<std::string> supported_targets() {
  std::vector<std::string> names;
  for (const Target& t : targets())
    if (t.supported) names.push_back(t.name);
  return names;
}

// Forces a target for a scope.
class ForcedTarget {
 public:
  explicit ForcedTarget(const std::string& name) { force_target(name); }
  ~ForcedTarget() { force_target(""); }
  ForcedTarget(const ForcedTarget&) = delete;
  ForcedTarget& operator=(const ForcedTarget&) = delete;
};

}  // namespace tidepool::test
