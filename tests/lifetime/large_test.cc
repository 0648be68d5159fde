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
  const TensorView last{
      {reinterpret_cast<const std::byte*>(memory.data()), DType::u8, {1, 1024, 1400, 1500}, {1400 * 1500 * 1024, 1, 1500 * 1024, 1024}}};
  EXPECT_EQ(max_pool2d(last, 100).item({0, 1023, 13, 14}), 7);
}

}  // namespace
}  // namespace tidepool
