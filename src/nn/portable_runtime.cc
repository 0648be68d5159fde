#include "nn/portable_runtime.h"

#include "core/portable.h"

#if TIDEPOOL_GNU
#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#else
#include <string_view>
#endif

#if __has_include(<sys/single_threaded.h>) && !TIDEPOOL_PORTABLE
#define TIDEPOOL_COUNTS_THREADS 1
#include <sys/single_threaded.h>
#else
#define TIDEPOOL_COUNTS_THREADS 0
#endif

namespace tidepool::inline v0_1::nn {

std::string class_name(const char* type_info_name) {
#if TIDEPOOL_GNU
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(type_info_name, nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : type_info_name;
#else
  std::string_view name = type_info_name;
  for (const std::string_view keyword : {"class ", "struct "})
    if (name.starts_with(keyword)) name.remove_prefix(keyword.size());
  return std::string(name);
#endif
}

bool has_one_thread() noexcept {
#if TIDEPOOL_COUNTS_THREADS
  return __libc_single_threaded;
#else
  return false;
#endif
}

}  // namespace tidepool::inline v0_1::nn
