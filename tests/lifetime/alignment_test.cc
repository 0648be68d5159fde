// The caller's memory at any byte offset: arrays that are not aligned to their elements are refused by name before anything is read or
// written, and those that are aligned to their elements and to nothing more give the right result.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tidepool/tidepool.h"

namespace tidepool {
namespace {

using ::testing::HasSubstr;

// A copy of x in memory that begins `offset` bytes after a multiple of 64.
struct Shifted {
  Shifted(const Tensor& x, int64_t offset) : bytes(static_cast<size_t>(x.numel() * dtype_size(x.dtype()) + 128)) {
    const auto start = reinterpret_cast<uintptr_t>(bytes.data());
    data = bytes.data() + (64 - start % 64) % 64 + offset;
    std::memcpy(data, x.data<std::byte>(), static_cast<size_t>(x.numel() * dtype_size(x.dtype())));
    span = {{data, x.dtype(), x.shape(), x.strides()}};
  }
  Shifted(const Shifted&) = delete;
  Shifted& operator=(const Shifted&) = delete;

  std::vector<std::byte> bytes;
  std::byte* data = nullptr;
  TensorSpan span;
};

// Whether the bytes are those of `expected`, which may be at an address that cannot be read as elements.
bool same_bytes(const Shifted& memory, const Tensor& expected) {
  return std::memcmp(memory.data, expected.data<std::byte>(), static_cast<size_t>(expected.numel() * dtype_size(expected.dtype()))) == 0;
}

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

TEST(Alignment, EveryOffsetIsRightOrRefused) {
  for (const DType dtype : {DType::f32, DType::f64, DType::f16, DType::i64, DType::u8}) {
    const Tensor x = rand({1, 2, 20, 20}, 3, dtype);
    const auto [values, indices] = max_pool2d_with_indices(x, 2);
    for (int64_t offset = 0; offset < 17; ++offset) {
      const Shifted in(x, offset), out(zeros(values.shape(), dtype), offset), at(zeros(indices.shape(), DType::i64), offset);
      const bool fits = offset % dtype_size(dtype) == 0;
      const std::string read = message_of([&] { EXPECT_TRUE(equal(max_pool2d(in.span, 2), values)); });
      const std::string written = message_of([&] { max_pool2d_into(out.span, x, {.kernel_size = 2}); });
      if (fits) {
        EXPECT_EQ(read, "");
        EXPECT_EQ(written, "");
        EXPECT_TRUE(same_bytes(out, values)) << dtype_name(dtype) << " at " << offset;
      } else {
        EXPECT_THAT(read, HasSubstr("max_pool2d: input must be aligned to its element")) << dtype_name(dtype) << " at " << offset;
        EXPECT_THAT(written, HasSubstr("max_pool2d_into: out must be aligned to its element")) << dtype_name(dtype) << " at " << offset;
        EXPECT_TRUE(same_bytes(out, zeros(values.shape(), dtype)));
      }
      Tensor fresh = zeros(values.shape(), dtype);
      const std::string with_indices = message_of([&] { max_pool2d_with_indices_into(fresh.span(), at.span, x, {.kernel_size = 2}); });
      if (offset % 8 == 0) {
        EXPECT_TRUE(same_bytes(at, indices));
      } else {
        EXPECT_THAT(with_indices, HasSubstr("indices must be aligned to its element")) << offset;
        EXPECT_TRUE(equal(fresh, zeros(values.shape(), dtype)));
      }
    }
  }
}

TEST(Alignment, BackwardPassesAndNormsToo) {
  const Tensor x = rand({1, 2, 20, 20}, 3);
  const auto [values, indices] = max_pool2d_with_indices(x, 2);
  const Tensor expected = max_pool2d_backward(values, indices, x.shape(), {.kernel_size = 2});
  for (int64_t offset = 0; offset < 9; ++offset) {
    const Shifted grad(values, offset), at(indices, offset), in(x, offset);
    const std::string text =
        message_of([&] { EXPECT_TRUE(equal(max_pool2d_backward(grad.span, at.span, x.shape(), {.kernel_size = 2}), expected)); });
    EXPECT_EQ(text.empty(), offset % 8 == 0) << text;
    const std::string norm = message_of([&] { (void)lp_pool2d_backward(values, in.span, {.norm_type = 2, .kernel_size = 2}); });
    EXPECT_EQ(norm.empty(), offset % 4 == 0) << norm;
  }
}

// Copies, prints and conversions read elements byte by byte, so they accept any address.
TEST(Alignment, CopiesAcceptAnyAddress) {
  const Tensor x = rand({3, 5}, 3, DType::f64);
  for (int64_t offset = 0; offset < 9; ++offset) {
    const Shifted in(x, offset), out(zeros({3, 5}, DType::f64), offset);
    copy(in.span, out.span);
    EXPECT_TRUE(same_bytes(out, x));
    EXPECT_EQ(to_string(TensorView(in.span)), to_string(x));
  }
}

}  // namespace
}  // namespace tidepool
