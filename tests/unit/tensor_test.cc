#include "tidepool/tensor.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "tidepool/creation.h"
#include "unit/expect_error.h"

namespace tidepool {
namespace {

using test::refuses;

constexpr int64_t largest = std::numeric_limits<int64_t>::max();
constexpr int64_t smallest = std::numeric_limits<int64_t>::min();

// The elements in row-major order of the shape, read one by one through the strides.
std::vector<double> elements(const TensorArg& tensor_arg) {
  const TensorView& tensor = tensor_arg.view();
  std::vector<double> values;
  const Tensor flat =
      Tensor(nullptr, TensorSpan{{const_cast<std::byte*>(tensor.data), tensor.dtype, tensor.shape, tensor.strides}}).clone();
  for (int64_t i = 0; i < flat.numel(); ++i) values.push_back(flat.reshape({flat.numel()}).item({i}));
  return values;
}

using Values = std::vector<double>;

TEST(DimsTest, HoldsUpToEight) {
  const Dims dims = {2, 64, 112, 112};
  EXPECT_EQ(to_string(dims), "2x64x112x112");
  EXPECT_EQ(to_string(Dims{}), "scalar");
  EXPECT_EQ(to_string(Dims{-1, 0}), "-1x0");
  EXPECT_FALSE((Dims{1, 2}) == (Dims{1, 2, 0}));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "tensor: rank must be at most 8, got 9", [] { Dims({1, 1, 1, 1, 1, 1, 1, 1, 1}); }));
}

TEST(DimsTest, NumelIsChecked) {
  EXPECT_EQ(*checked_numel({}), 1);
  EXPECT_EQ(*checked_numel({3, 4, 5}), 60);
  EXPECT_EQ(*checked_numel({3, 0, 5}), 0);
  EXPECT_EQ(*checked_numel({largest}), largest);
  EXPECT_EQ(checked_numel({2, -3}).error().message(), "tensor: size must be at least 0, got -3 (dim 1)");
  EXPECT_EQ(checked_numel({0, smallest}).error().code(), ErrorCode::invalid_argument);
  const Error overflow = checked_numel({int64_t{1} << 32, int64_t{1} << 31}).error();
  EXPECT_EQ(overflow.code(), ErrorCode::overflow);
  EXPECT_EQ(overflow.message(), "tensor: number of elements must be below 2^63, got shape 4294967296x2147483648");
  // It has no elements, but its strides would overflow.
  EXPECT_FALSE(checked_numel({largest, 2, 0}).ok());
}

TEST(DimsTest, Strides) {
  EXPECT_EQ(contiguous_strides({2, 3, 4}), (Dims{12, 4, 1}));
  EXPECT_EQ(contiguous_strides({2, 0, 4}), (Dims{4, 4, 1}));
  EXPECT_EQ(contiguous_strides({}), Dims{});
  EXPECT_EQ(channels_last_strides({2, 3, 4, 5}), (Dims{60, 1, 15, 3}));
  EXPECT_EQ(channels_last_strides({2, 3, 0, 5}), (Dims{15, 1, 15, 3}));  // a size of 0 counts as 1
  EXPECT_EQ(channels_last_strides({2, 3, 4, 5, 6}), (Dims{360, 1, 90, 18, 3}));
  EXPECT_EQ(channels_last_strides({2, 3}), (Dims{3, 1}));
  EXPECT_EQ(channels_last_strides({7}), (Dims{1}));
  EXPECT_EQ(contiguous_strides({2, largest, largest}), (Dims{largest, largest, 1}));
}

TEST(TensorTest, MemoryIsAligned) {
  for (int64_t size : {0, 1, 3, 1000}) {
    const Tensor tensor({size}, DType::i8);
    EXPECT_NE(tensor.data<std::byte>(), nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.data<std::byte>()) % 64, 0u);
  }
}

TEST(TensorTest, ADefaultTensorIsUndefined) {
  const Tensor tensor;
  EXPECT_EQ(tensor.numel(), 0);
  EXPECT_EQ(tensor.shape(), (Dims{0}));
  EXPECT_EQ(tensor.dtype(), DType::f32);
  EXPECT_EQ(to_string(tensor), "undefined");
}

TEST(TensorTest, EmptyTensorsAreTensors) {
  const Tensor tensor({2, 0, 3}, DType::f16);
  EXPECT_EQ(tensor.numel(), 0);
  EXPECT_TRUE(tensor.is_contiguous());
  EXPECT_EQ(tensor.transpose(0, 1).clone(MemoryFormat::channels_last).shape(), (Dims{0, 2, 3}));
  EXPECT_EQ(tensor.reshape({0}).shape(), (Dims{0}));
  EXPECT_EQ(tensor.slice(2, 3, 3).shape(), (Dims{2, 0, 0}));
  EXPECT_EQ(tensor.slice(2, 2, -1, -1).shape(), (Dims{2, 0, 3}));
  // The place of an element that does not exist may be too far away for an address.
  const Tensor wide = zeros({0, 8}).as_strided({0, 8}, {8, largest});
  EXPECT_EQ(wide.slice(1, 7, 8).data<float>(), wide.data<float>());
  Tensor other({2, 0, 3}, DType::f16);
  copy(tensor, other.span());
}

TEST(TensorTest, RefusesImpossibleShapes) {
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "tensor: size must be at least 0, got -1 (dim 0)", [] { Tensor({-1, 2}); }));
  EXPECT_TRUE(refuses(ErrorCode::overflow, "tensor: number of elements must be below 2^63, got shape 9223372036854775807x2",
                      [] { Tensor({largest, 2}); }));
  EXPECT_TRUE(refuses(ErrorCode::overflow, "tensor: number of bytes must be below 2^63, got shape 4611686018427387904 of f32",
                      [] { Tensor({int64_t{1} << 62}); }));
  EXPECT_TRUE(refuses(ErrorCode::out_of_memory, "tensor: not enough memory for 1125899906842624 bytes (1125899906842624 i8)",
                      [] { Tensor({int64_t{1} << 50}, DType::i8); }));
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, "tensor: dtype must be known, got code 77", [] { Tensor({1}, static_cast<DType>(77)); }));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(TensorTest, ShortMemoryIsAnError) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  GTEST_SKIP() << "sanitizers need their address space";
#endif
#endif
  const auto in_a_small_space = [] {
    const rlimit limit = {rlim_t{1} << 31, rlim_t{1} << 31};
    setrlimit(RLIMIT_AS, &limit);
    try {
      Tensor({int64_t{1} << 40}, DType::i8);
    } catch (const Error& error) {
      std::exit(error.code() == ErrorCode::out_of_memory ? 0 : 1);
    }
    std::exit(2);
  };
  EXPECT_EXIT(in_a_small_space(), ::testing::ExitedWithCode(0), "");
}
#endif

TEST(TensorTest, FromValues) {
  const Tensor tensor = Tensor::from<int32_t>({2, 2}, {1, 2, 3, -4});
  EXPECT_EQ(tensor.dtype(), DType::i32);
  EXPECT_EQ(tensor.item({1, 1}), -4);
  EXPECT_EQ(Tensor::from<bool>({2}, {true, false}).item({0}), 1);
  EXPECT_EQ(Tensor::from<float>({}, {2.5f}).item({}), 2.5);
  EXPECT_TRUE(
      refuses(ErrorCode::shape_mismatch, "tensor: values must be 4 for shape 2x2, got 3", [] { Tensor::from<float>({2, 2}, {1, 2, 3}); }));
}

TEST(TensorTest, CopiesShareAndClonesDoNot) {
  Tensor a = zeros({2});
  const Tensor shared = a;
  const Tensor cloned = a.clone();
  a.data<float>()[1] = 5;
  EXPECT_EQ(shared.item({1}), 5);
  EXPECT_EQ(cloned.item({1}), 0);
}

TEST(TensorTest, ItemReadsEveryDType) {
  for (DType dtype : all_dtypes) {
    const Tensor tensor = arange({2}, dtype);
    EXPECT_EQ(tensor.item({1}), 1) << dtype_name(dtype);
  }
  EXPECT_EQ(Tensor::from<int64_t>({1}, {int64_t{1} << 53}).item({0}), 0x1p53);
}

TEST(TensorTest, ItemRefusesWrongIndices) {
  const Tensor tensor = zeros({2, 3});
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "item: index must have 2 entries, got 1", [&] { tensor.item({0}); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "item: index must have 2 entries, got 0", [&] { tensor.item({}); }));
  EXPECT_TRUE(refuses(ErrorCode::out_of_range, "item: index must be in [0, 3), got 3 (dim 1)", [&] { tensor.item({0, 3}); }));
  EXPECT_TRUE(refuses(ErrorCode::out_of_range, "item: index must be in [0, 2), got -1 (dim 0)", [&] { tensor.item({-1, 0}); }));
}

TEST(TensorTest, TransposeSharesMemory) {
  const Tensor tensor = arange({2, 3});
  const Tensor turned = tensor.transpose(0, 1);
  EXPECT_EQ(turned.data<float>(), tensor.data<float>());
  EXPECT_EQ(turned.shape(), (Dims{3, 2}));
  EXPECT_EQ(elements(turned), (Values{0, 3, 1, 4, 2, 5}));
  EXPECT_FALSE(turned.is_contiguous());
  EXPECT_EQ(elements(tensor.transpose(-1, -2)), elements(turned));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "transpose: dim must be in [-2, 2), got 2", [&] { tensor.transpose(0, 2); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "transpose: dim must be in [-2, 2), got -3", [&] { tensor.transpose(-3, 0); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "transpose: dim must be in [0, 0), got 0", [&] { zeros({}).transpose(0, 0); }));
}

TEST(TensorTest, SlicesMatchACountingLoop) {
  for (int64_t size = 0; size <= 5; ++size) {
    const Tensor tensor = arange({2, size}, DType::i16);
    for (int64_t step : {smallest, int64_t{-7}, int64_t{-2}, int64_t{-1}, int64_t{1}, int64_t{2}, int64_t{3}, largest}) {
      for (int64_t start = step > 0 ? 0 : std::min<int64_t>(0, size - 1); start <= (step > 0 ? size : size - 1); ++start) {
        if (start < 0) continue;
        for (int64_t stop = step > 0 ? 0 : -1; stop <= (step > 0 ? size : size - 1); ++stop) {
          Values expected;
          for (int row = 0; row < 2; ++row) {
            for (int64_t i = start; step > 0 ? i < stop : i > stop;) {
              expected.push_back(static_cast<double>(row * size + i));
              if (__builtin_add_overflow(i, step, &i)) break;
            }
          }
          const Tensor part = tensor.slice(1, start, stop, step);
          ASSERT_EQ(elements(part), expected) << size << ": " << start << ", " << stop << ", " << step;
          ASSERT_EQ(part.numel(), static_cast<int64_t>(expected.size()));
          // A view without elements stays at the start of its memory, not behind the end.
          ASSERT_EQ(part.data<int16_t>() - tensor.data<int16_t>(), expected.empty() ? 0 : start);
        }
      }
    }
  }
}

TEST(TensorTest, SliceRefusesPlacesOutside) {
  const Tensor tensor = zeros({4, 3});
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "slice: dim must be in [-2, 2), got 5", [&] { tensor.slice(5, 0, 1); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "slice: step must not be 0, got 0 (dim 0)", [&] { tensor.slice(0, 0, 1, 0); }));
  EXPECT_TRUE(refuses(ErrorCode::out_of_range, "slice: start must be in [0, 4], got -1 (dim 0)", [&] { tensor.slice(0, -1, 1); }));
  EXPECT_TRUE(refuses(ErrorCode::out_of_range, "slice: start must be in [0, 4], got 5 (dim 0)", [&] { tensor.slice(0, 5, 5); }));
  EXPECT_TRUE(refuses(ErrorCode::out_of_range, "slice: stop must be in [0, 3], got 4 (dim 1)", [&] { tensor.slice(-1, 0, 4); }));
  EXPECT_TRUE(refuses(ErrorCode::out_of_range, "slice: start must be in [0, 3], got 4 (dim 0)", [&] { tensor.slice(0, 4, 0, -1); }));
  EXPECT_TRUE(refuses(ErrorCode::out_of_range, "slice: stop must be in [-1, 3], got -2 (dim 0)", [&] { tensor.slice(0, 3, -2, -1); }));
}

TEST(TensorTest, ReshapeKeepsMemoryAndOrder) {
  const Tensor tensor = arange({2, 6});
  const Tensor reshaped = tensor.reshape({3, 1, 4});
  EXPECT_EQ(reshaped.data<float>(), tensor.data<float>());
  EXPECT_EQ(reshaped.item({2, 0, 3}), 11);
  EXPECT_EQ(tensor.slice(0, 1, 2).reshape({6}).item({0}), 6);
  EXPECT_TRUE(
      refuses(ErrorCode::shape_mismatch, "reshape: number of elements must stay 12, got 10 (shape 2x5)", [&] { tensor.reshape({2, 5}); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "reshape: size must be at least 0, got -2 (dim 0)", [&] { tensor.reshape({-2, 12}); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "reshape: tensor must be contiguous, got strides 1x6 (shape 6x2)",
                      [&] { tensor.transpose(0, 1).reshape({12}); }));
}

TEST(TensorTest, CloneToChannelsLastMovesEveryElement) {
  for (DType dtype : all_dtypes) {
    const Tensor tensor = rand({2, 3, 4, 5}, 7, dtype);
    const Tensor moved = tensor.clone(MemoryFormat::channels_last);
    EXPECT_EQ(moved.strides(), (Dims{60, 1, 15, 3}));
    const int64_t size = dtype_size(dtype);
    for (int64_t n = 0; n < 2; ++n)
      for (int64_t c = 0; c < 3; ++c)
        for (int64_t h = 0; h < 4; ++h)
          for (int64_t w = 0; w < 5; ++w)
            ASSERT_EQ(std::memcmp(moved.data<std::byte>() + (n * 60 + h * 15 + w * 3 + c) * size,
                                  tensor.data<std::byte>() + (n * 60 + c * 20 + h * 5 + w) * size, static_cast<size_t>(size)),
                      0);
    EXPECT_EQ(std::memcmp(moved.clone().data<std::byte>(), tensor.data<std::byte>(), static_cast<size_t>(120 * size)), 0);
  }
}

TEST(TensorTest, CloneTakesAnyStrides) {
  float value = 3;
  const Tensor repeated(nullptr, span(&value, {2, 2}, {0, 0}));
  EXPECT_EQ(elements(repeated), (Values{3, 3, 3, 3}));
  EXPECT_EQ(elements(arange({3, 4}).slice(0, 2, -1, -2).slice(1, 3, 0, -2)), (Values{11, 9, 3, 1}));
  EXPECT_EQ(elements(arange({2, 3, 2}).transpose(0, 2)), (Values{0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11}));
}

TEST(TensorTest, CloneReadsAnyAlignment) {
  alignas(8) std::byte bytes[40];
  for (int i = 0; i < 4; ++i) {
    const double value = i + 0.5;
    std::memcpy(bytes + 3 + 8 * i, &value, 8);
  }
  const Tensor shifted(nullptr, TensorSpan{{bytes + 3, DType::f64, Dims{4}, Dims{1}}});
  EXPECT_EQ(elements(shifted), (Values{0.5, 1.5, 2.5, 3.5}));
  EXPECT_EQ(shifted.to(DType::i8).item({3}), 3);
}

TEST(TensorTest, ToConvertsBetweenAllDTypes) {
  const Tensor source = Tensor::from<int8_t>({2, 3}, {0, 1, 2, 100, 127, 64});
  for (DType from : all_dtypes) {
    for (DType to : all_dtypes) {
      const Tensor result = source.to(from).to(to);
      ASSERT_EQ(result.dtype(), to);
      for (int64_t i = 0; i < 6; ++i) {
        const bool logical = from == DType::boolean || to == DType::boolean;
        const double expected = logical ? (i == 0 ? 0 : 1) : source.item({i / 3, i % 3});
        ASSERT_EQ(result.item({i / 3, i % 3}), expected) << dtype_name(from) << " to " << dtype_name(to);
      }
    }
  }
}

TEST(TensorTest, ToFollowsStridesAndKeepsChannelsLast) {
  EXPECT_EQ(elements(arange({2, 3}).transpose(0, 1).to(DType::i64)), (Values{0, 3, 1, 4, 2, 5}));
  const Tensor moved = arange({1, 2, 2, 2}).clone(MemoryFormat::channels_last).to(DType::f16);
  EXPECT_EQ(moved.strides(), channels_last_strides({1, 2, 2, 2}));
  EXPECT_EQ(elements(moved), (Values{0, 1, 2, 3, 4, 5, 6, 7}));
  Tensor same = zeros({1});
  const Tensor copied = same.to(DType::f32);
  same.data<float>()[0] = 1;
  EXPECT_EQ(copied.item({0}), 0);
}

TEST(TensorTest, OddBytesInBoolsAreTrue) {
  Tensor tensor = zeros({2}, DType::boolean);
  tensor.data<std::byte>()[1] = std::byte{0x40};
  EXPECT_EQ(tensor.item({1}), 1);
  EXPECT_EQ(tensor.to(DType::i32).item({1}), 1);
}

TEST(TensorTest, ReshapeInfersOneSize) {
  EXPECT_EQ(arange({2, 6}).reshape({3, -1}).shape(), (Dims{3, 4}));
  EXPECT_TRUE(
      refuses(ErrorCode::invalid_argument, "reshape: size must be at least 0, got -1 (dim 1)", [] { arange({4}).reshape({3, -1}); }));
}

TEST(CopyTest, CopiesBetweenAnyStrides) {
  Tensor target = zeros({4, 6});
  Tensor window = target.slice(0, 3, -1, -2).slice(1, 1, 6, 2);
  copy(arange({2, 3}), window.span());
  EXPECT_EQ(elements(target), (Values{0, 0, 0, 0, 0, 0, 0, 3, 0, 4, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2}));
}

TEST(CopyTest, SharedMemoryIsCopiedAsIfApart) {
  Tensor flipped = arange({5});
  copy(flipped.slice(0, 4, -1, -1), flipped.span());
  EXPECT_EQ(elements(flipped), (Values{4, 3, 2, 1, 0}));
  Tensor shifted = arange({5});
  Tensor behind = shifted.slice(0, 1, 5);
  copy(shifted.slice(0, 0, 4), behind.span());
  EXPECT_EQ(elements(shifted), (Values{0, 0, 1, 2, 3}));
  Tensor turned = arange({2, 2});
  copy(turned.transpose(0, 1), turned.span());
  EXPECT_EQ(elements(turned), (Values{0, 2, 1, 3}));
}

TEST(CopyTest, RefusesWhatDoesNotFit) {
  Tensor target = full({2, 3}, 9);
  EXPECT_TRUE(
      refuses(ErrorCode::shape_mismatch, "copy: shapes must be equal, got 3x2 and 2x3", [&] { copy(zeros({3, 2}), target.span()); }));
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, "copy: dtypes must be equal, got i32 and f32",
                      [&] { copy(zeros({2, 3}, DType::i32), target.span()); }));
  const float* nothing = nullptr;
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "copy: data must not be null, got shape 2x3",
                      [&] { copy(view(nothing, {2, 3}), target.span()); }));
  const float value = 1;
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "copy: strides must be one for each of 2 dims, got 1",
                      [&] { copy(view(&value, {2, 3}, {0}), target.span()); }));
  EXPECT_TRUE(refuses(ErrorCode::overflow,
                      "copy: memory must span less than 2^63 bytes, got shape 2x3 with strides 9223372036854775807x-9223372036854775808",
                      [&] { copy(view(&value, {2, 3}, {largest, smallest}), target.span()); }));
  for (double element : elements(target)) EXPECT_EQ(element, 9);
}

}  // namespace
}  // namespace tidepool
