#include "core/storage.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tidepool::inline v0_1::detail {

void Storage::allocate(size_t bytes) {
#if defined(__linux__)
  // The kernel maps memory page by page at first touch. For large outputs those page faults take as long as the pooling itself, so huge
  // pages are requested.
  constexpr size_t large_page = size_t{2} << 20;
  if (bytes >= 4 * large_page) {
    alignment = std::align_val_t{large_page};
    memory = ::operator new((bytes + large_page - 1) / large_page * large_page, alignment);
    (void)madvise(memory, bytes, MADV_HUGEPAGE);  // only a hint: on failure pages have the normal size
    return;
  }
#endif
  memory = ::operator new(bytes > 0 ? bytes : 1, alignment);
}

}  // namespace tidepool::inline v0_1::detail
