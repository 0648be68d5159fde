// More than 2^31 cells in one row, plane and tensor. The memory is mapped and mostly never written, so that the system backs it with one
// page of zeros.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include "tidepool/tidepool.h"

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

namespace tidepool {
namespace {

constexpr int64_t two_31 = int64_t{1} << 31;

// Zeros of any size.
class Zeros {
 public:
  explicit Zeros(int64_t bytes) : bytes_(static_cast<size_t>(bytes)) {
    void* memory = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) data_ = static_cast<uint8_t*>(memory);
  }
  ~Zeros() {
    if (data_ != nullptr) munmap(data_, bytes_);
  }
  Zeros(const Zeros&) = delete;
  Zeros& operator=(const Zeros&) = delete;

  uint8_t* data() const { return data_; }

 private:
  size_t bytes_;
  uint8_t* data_ = nullptr;
};

// Reads gigabytes: seconds with optimisation, minutes under a sanitizer.
class Large : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::getenv("TIDEPOOL_LARGE_TESTS") == nullptr) GTEST_SKIP() << "set TIDEPOOL_LARGE_TESTS to run it; ./dev test --all does";
    if (sizeof(void*) < 8) GTEST_SKIP() << "such arrays do not fit a 32-bit address space";
  }
};

TEST_F(Large, ARow) {
  const int64_t width = two_31 + 1000;
  const Zeros memory(width);
  ASSERT_NE(memory.data(), nullptr);
  memory.data()[two_31 + 5] = 9;
  memory.data()[width - 1] = 7;
  const TensorView x = view(memory.data(), {1, 1, width});
  const auto [values, indices] = max_pool1d_with_indices(x, 1 << 20);
  EXPECT_EQ(values.size(2), two_31 >> 20);  // the last 1,000 cells do not fill a window
  const Pooled padded = max_pool1d_with_indices(x, {.kernel_size = 1 << 20, .ceil_mode = true});
  EXPECT_EQ(padded.values.item({0, 0, two_31 >> 20}), 9);
  EXPECT_EQ(padded.indices.item({0, 0, two_31 >> 20}), static_cast<double>(two_31 + 5));
  EXPECT_EQ(global_max_pool1d(x).item(), 9);
  EXPECT_EQ(global_max_pool1d_with_indices(x).indices.item(), static_cast<double>(two_31 + 5));
  EXPECT_EQ(sum_pool1d(view(memory.data() + two_31, {1, 1, 1000}), 1000).item(), 16);
}

TEST_F(Large, APlane) {
  const int64_t height = 46400, width = 46400;  // 2^31 is between 46,340 and 46,341 squared
  const Zeros memory(height * width);
  ASSERT_NE(memory.data(), nullptr);
  memory.data()[height * width - 1] = 7;
  memory.data()[two_31 + 3] = 5;
  const TensorView x = view(memory.data(), {1, 1, height, width});
  const auto [values, indices] = max_pool2d_with_indices(x, 400);
  EXPECT_EQ(values.shape(), (Dims{1, 1, 116, 116}));
  EXPECT_EQ(values.item({0, 0, 115, 115}), 7);
  EXPECT_EQ(indices.item({0, 0, 115, 115}), static_cast<double>(height * width - 1));
  EXPECT_EQ(values.item({0, 0, (two_31 + 3) / width / 400, (two_31 + 3) % width / 400}), 5);
  EXPECT_EQ(max_pool2d(x, 400).item({0, 0, 115, 115}), 7);
  EXPECT_EQ(adaptive_max_pool2d(x, 2).item({0, 0, 1, 1}), 7);
}

// Planes of 46,400 x 46,400 cells in windows of 400 x 400: the last cell of every window has the maximum.
constexpr int64_t side = 46400, kernel = 400, windows = side / kernel;

Tensor last_cells_of_windows() {
  Tensor indices({1, 1, windows, windows}, DType::i64);
  int64_t* at = indices.data<int64_t>();
  for (int64_t oh = 0; oh < windows; ++oh)
    for (int64_t ow = 0; ow < windows; ++ow) *at++ = ((oh + 1) * kernel - 1) * side + (ow + 1) * kernel - 1;
  return indices;
}

// Gradients are floating: the plane takes 4 GB of f16, and every cell of it is written. Its windows are of 2 x 2 cells with compact
// indices, because larger ones would be added up in an f32 plane of 8 GB.
TEST_F(Large, TheGradientOfAPlane) {
  constexpr int64_t half = side / 2;
  const Zeros memory(side * side * 2), given(half * half * 2), taps(half * half);
  ASSERT_TRUE(memory.data() != nullptr && given.data() != nullptr && taps.data() != nullptr);
  auto* cells = reinterpret_cast<Half*>(memory.data());
  auto* grad = reinterpret_cast<Half*>(given.data());
  const int64_t row = two_31 / side + 4, column = 1234;  // of a cell behind the first 2^31
  const int64_t beyond = row * side + column;
  cells[beyond] = cells[beyond + 2] = Half(9);  // which the backward pass must overwrite
  const int64_t window = row / 2 * half + column / 2;
  grad[window] = Half(5);
  taps.data()[window] = static_cast<uint8_t>(row % 2 * 2 + column % 2);
  grad[half * half - 1] = Half(7);
  taps.data()[half * half - 1] = 3;
  max_pool2d_backward_into(span(cells, {1, 1, side, side}), view(grad, {1, 1, half, half}), view(taps.data(), {1, 1, half, half}),
                           {.kernel_size = 2, .index_base = IndexBase::window});
  EXPECT_EQ(static_cast<float>(cells[beyond]), 5);
  EXPECT_EQ(static_cast<float>(cells[beyond + 2]), 0);
  EXPECT_EQ(static_cast<float>(cells[side * side - 1]), 7);
  EXPECT_EQ(static_cast<float>(cells[side * side - 2]), 0);
}

// The backward pass of an unpooling reads the plane where the values were placed.
TEST_F(Large, TheGradientOfAnUnpooledPlane) {
  const Zeros memory(side * side * 2);
  ASSERT_NE(memory.data(), nullptr);
  auto* cells = reinterpret_cast<Half*>(memory.data());
  const Tensor indices = last_cells_of_windows();
  for (int64_t i = 0; i < indices.numel(); ++i) cells[indices.data<int64_t>()[i]] = Half(static_cast<float>(i % 100 + 1));
  const TensorView plane = view(cells, {1, 1, side, side});
  const Tensor of_unpooling = max_unpool2d_backward(plane, indices, {.kernel_size = kernel});
  const Tensor of_pooling = max_pool2d_double_backward(plane, indices, {.kernel_size = kernel});
  ASSERT_EQ(of_unpooling.shape(), indices.shape());
  for (int64_t i = 0; i < indices.numel(); ++i)
    ASSERT_EQ(static_cast<float>(of_unpooling.data<Half>()[i]), static_cast<float>(i % 100 + 1)) << "window " << i;
  EXPECT_TRUE(equal(of_pooling, of_unpooling));
}

TEST_F(Large, AnUnpooledPlane) {
  const Zeros memory(side * side);
  ASSERT_NE(memory.data(), nullptr);
  const int64_t beyond = two_31 + 3;
  memory.data()[beyond] = 9;  // which the unpooling must overwrite
  Tensor pooled({1, 1, windows, windows}, DType::u8);
  for (int64_t i = 0; i < pooled.numel(); ++i) pooled.data<uint8_t>()[i] = static_cast<uint8_t>(i % 100 + 1);
  const Tensor indices = last_cells_of_windows();
  const TensorSpan plane = span(memory.data(), {1, 1, side, side});
  max_unpool2d_into(plane, pooled, indices, {.kernel_size = kernel});
  for (int64_t i = 0; i < pooled.numel(); ++i) ASSERT_EQ(memory.data()[indices.data<int64_t>()[i]], i % 100 + 1) << "window " << i;
  EXPECT_EQ(memory.data()[beyond], 0);
  EXPECT_EQ(memory.data()[side * side - 2], 0);
  // The pooling finds what the unpooling has placed.
  const auto [values, found] = max_pool2d_with_indices(plane, kernel);
  EXPECT_TRUE(equal(values, pooled));
  EXPECT_TRUE(equal(found, indices));
  // One index beyond the plane, which 32 bits would not notice.
  Tensor wrong = indices.clone();
  wrong.data<int64_t>()[0] = side * side;
  try {
    max_unpool2d_into(plane, pooled, wrong, {.kernel_size = kernel});
    FAIL() << "the index was not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "max_unpool2d_into: index 2152960000 is outside the plane of 2152960000 cells");
  }
}

TEST_F(Large, ATensorOfManyPlanes) {
  const int64_t channels = 2100000;
  const Zeros memory(channels * 1024);
  ASSERT_NE(memory.data(), nullptr);
  memory.data()[channels * 1024 - 1] = 7;
  memory.data()[two_31] = 4;
  const auto [values, indices] =
      max_pool2d_with_indices(view(memory.data(), {1, channels, 32, 32}), {.kernel_size = 32, .index_base = IndexBase::tensor});
  EXPECT_EQ(values.item({0, channels - 1, 0, 0}), 7);
  EXPECT_EQ(values.item({0, two_31 / 1024, 0, 0}), 4);
  EXPECT_EQ(indices.item({0, channels - 1, 0, 0}), static_cast<double>(channels * 1024 - 1));
  // The same memory, channels last.
  const TensorView last{{reinterpret_cast<const std::byte*>(memory.data()),
                         DType::u8,
                         {1, 1024, 1400, 1500},
                         {int64_t{1400} * 1500 * 1024, 1, 1500 * 1024, 1024}}};
  EXPECT_EQ(max_pool2d(last, 100).item({0, 1023, 13, 14}), 7);
}

}  // namespace
}  // namespace tidepool
