#include "core/cache_sizes.h"

#include <algorithm>
#include <cstdio>

#include "core/portable.h"

#if TIDEPOOL_POSIX
#include <unistd.h>
#endif

namespace tidepool::inline v0_1::detail {
namespace {

// sysconf reports the sum of all third-level caches of some processors, which no thread has for itself; sysfs the one of this core.
int64_t read_sysfs(int level) noexcept {
  char path[64];
  std::snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", level);
  std::FILE* file = std::fopen(path, "r");
  if (file == nullptr) return 0;
  long long kilobytes = 0;
  char unit = 0;
  const int found = std::fscanf(file, "%lld%c", &kilobytes, &unit);
  std::fclose(file);
  return found == 2 && unit == 'K' && kilobytes > 0 && kilobytes < (1 << 30) ? kilobytes * 1024 : 0;
}

int64_t read_sysconf([[maybe_unused]] int level) noexcept {
#if TIDEPOOL_POSIX && defined(_SC_LEVEL3_CACHE_SIZE)
  return sysconf(level == 2 ? _SC_LEVEL2_CACHE_SIZE : _SC_LEVEL3_CACHE_SIZE);
#else
  return 0;
#endif
}

int64_t read_largest_cache() noexcept {
  int64_t largest = 0;
  for (const int level : {2, 3}) largest = std::max(largest, read_sysfs(level));
  for (const int level : {2, 3})
    if (largest == 0) largest = std::max(largest, read_sysconf(5 - level));
  return largest > 0 ? largest : int64_t{8} << 20;
}

}  // namespace

int64_t largest_cache_bytes() noexcept {
  static const int64_t bytes = read_largest_cache();
  return bytes;
}

}  // namespace tidepool::inline v0_1::detail
