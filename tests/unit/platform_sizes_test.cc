// Sizes that a platform cannot hold. On 32-bit systems these fit in 64 bits but not in size_t.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "core/layout.h"
#include "tidepool/error.h"
#include "tidepool/tensor.h"

namespace tidepool {
namespace {

std::string error_of_empty(int64_t bytes) {
  try {
    const Tensor t({bytes}, DType::u8);
    return "allocated " + std::to_string(t.numel());
  } catch (const Error& e) {
    return e.code() == ErrorCode::out_of_memory ? e.what() : "wrong code: " + std::string(e.what());
  }
}

TEST(PlatformSizes, ATensorLargerThanTheAddressSpaceIsRefused) {
  constexpr int64_t largest = sizeof(void*) == 4 ? PTRDIFF_MAX : int64_t{1} << 47;
  // The last ones leave 0, 1 and 64 bytes when their upper 32 bits are lost.
  for (const int64_t bytes : {largest + 1, 2 * largest, 2 * largest + 2, 2 * largest + 3, 2 * largest + 66, int64_t{1} << 62}) {
    EXPECT_EQ(error_of_empty(bytes),
              "tensor: not enough memory for " + std::to_string(bytes) + " bytes (" + std::to_string(bytes) + " u8)");
  }
}

TEST(PlatformSizes, AViewLargerThanTheAddressSpaceIsRefused) {
  const float x = 0;
  const TensorView view{reinterpret_cast<const std::byte*>(&x), DType::f32, {(int64_t{1} << 30) + 1}, {1}};  // 4 bytes modulo 2^32
  const auto checked = detail::check_layout("copy", view);
  if (sizeof(void*) > 4) {
    EXPECT_EQ(checked.value().end, (int64_t{1} << 32) + 4);
  } else {
    ASSERT_FALSE(checked.ok());
    EXPECT_EQ(checked.error().message(), "copy: memory must span at most 2147483647 bytes on this platform, got 4294967300");
  }
}

}  // namespace
}  // namespace tidepool
