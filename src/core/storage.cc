#include "core/storage.h"

#include "core/portable.h"

namespace tidepool::inline v0_1::detail {

void Storage::allocate(size_t bytes) {
  // The kernel maps memory page by page at first touch. For large outputs those page faults take as long as the pooling itself, so huge
  // pages are requested.
  if constexpr (huge_page > 0) {
    if (bytes >= 4 * huge_page) {
      alignment = std::align_val_t{huge_page};
      memory = ::operator new((bytes + huge_page - 1) / huge_page * huge_page, alignment);
      request_huge_pages(memory, bytes);
      return;
    }
  }
  memory = ::operator new(bytes > 0 ? bytes : 1, alignment);
}

}  // namespace tidepool::inline v0_1::detail
