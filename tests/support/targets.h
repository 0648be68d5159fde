// Instruction sets of this processor.
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

// Plans that this thread makes during its lifetime use this target.
using ForcedTarget = ScopedTarget;

}  // namespace tidepool::test
