// Instruction sets of this processor, and a scope that forces one of them.
#pragma once

#include <string>
#include <vector>

#include "tidepool/runtime.h"

namespace tidepool::test {

// Names of the targets that this processor supports, best first.
inline std::vector<std::string> supported_targets() {
  std::vector<std::string> names;
  for (const Target& t : targets())
    if (t.supported) names.push_back(t.name);
  return names;
}

// Plans made during its lifetime use this target.
class ForcedTarget {
 public:
  explicit ForcedTarget(const std::string& name) { force_target(name); }
  ~ForcedTarget() { force_target(""); }
  ForcedTarget(const ForcedTarget&) = delete;
  ForcedTarget& operator=(const ForcedTarget&) = delete;
};

}  // namespace tidepool::test
