#include "core/storage.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tidepool::detail {

void Storage::allocate(size_t bytes) {
#if defined(__linux__)
  // The system hands out large memory page by page, at first touch, which takes as long as pooling it. Larger pages are fewer.
  constexpr size_t large_page = size_t{2} << 20;
  if (bytes >= 4 * large_page) {
    alignment = std::align_val_t{large_page};
    memory = ::operator new((bytes + large_page - 1) / large_page * large_page, alignment);
    (void)madvise(memory, bytes, MADV_HUGEPAGE);  // a wish: where it is not granted, pages are small
    return;
  }
#endif
  memory = ::operator new(bytes > 0 ? bytes : 1, alignment);
}

}  // namespace tidepool::detail
