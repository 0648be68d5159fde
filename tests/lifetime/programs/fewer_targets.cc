// A processor with the baseline instruction set alone: the better ones are listed as not supported, and refused.
#include <hwy/targets.h>

#include <bit>
#include <cstdint>
#include <cstdio>

#include "tidepool/tidepool.h"

int main() {
  // In Highway's masks a lower bit is a better target. All but the worst are disabled, before the library looks.
  const auto worst = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(hwy::SupportedTargets())));
  hwy::DisableTargets(worst - 1);
  int refused = 0;
  for (const tidepool::Target& t : tidepool::targets()) {
    const bool wanted = (hwy::SupportedTargets() & t.id) != 0;
    bool accepted = true;
    try {
      const tidepool::ScopedTarget scope(t.name);
    } catch (const tidepool::Error&) {
      accepted = false;
      ++refused;
    }
    if (t.supported == wanted && accepted == wanted) continue;
    std::printf("%s: supported %d, accepted %d, expected %d\n", t.name.c_str(), t.supported, accepted, wanted);
    return 1;
  }
  // Without an instruction set to refuse, this tests nothing.
  if (refused > 0) return 0;
  std::printf("only one instruction set was compiled\n");
  return 1;
}
