// Reading and writing elements: typed pointers, flat spans, single elements and views of one index.
#include <gtest/gtest.h>

#include <sstream>
#include <vector>

#include "tidepool/creation.h"
#include "unit/expect_error.h"

namespace tidepool {
namespace {

using test::refuses;

std::string wrong_type(const std::string& dtype, const std::string& asked) {
  return "data: element type must be that of " + dtype + ", got " + asked;
}

TEST(DataTest, RefusesEveryOtherType) {
  Tensor f32 = arange({3});
  const Tensor constant = f32;
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, wrong_type("f32", "f64"), [&] { f32.data<double>(); }));
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, wrong_type("f32", "f64"), [&] { constant.data<double>(); }));
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, wrong_type("f32", "i32"), [&] { f32.data<int32_t>(); }));  // of the same size
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, wrong_type("f32", "f64"), [&] { f32.flat<double>(); }));
  Tensor flags = zeros({2}, DType::boolean), half = zeros({2}, DType::f16);
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, wrong_type("bool", "u8"), [&] { flags.data<uint8_t>(); }));
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, wrong_type("f16", "bf16"), [&] { half.data<BFloat16>(); }));
  EXPECT_EQ(f32.data<float>()[2], 2);
  EXPECT_EQ(static_cast<const void*>(f32.data<std::byte>()), f32.data<float>());
}

TEST(DataTest, ViewsAndSpansCheckTooAndKeepConst) {
  Tensor x = arange({3}, DType::i16);
  const TensorView view = x.view();
  const TensorSpan span = x.span();
  static_assert(std::is_same_v<decltype(view.data_as<int16_t>()), const int16_t*>);
  static_assert(std::is_same_v<decltype(span.data_as<int16_t>()), int16_t*>);
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, wrong_type("i16", "f32"), [&] { view.data_as<float>(); }));
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, wrong_type("i16", "u8"), [&] { span.data_as<uint8_t>(); }));
  span.data_as<int16_t>()[1] = 7;
  EXPECT_EQ(view.data_as<int16_t>()[1], 7);
  EXPECT_EQ(view.size(-1), 3);
  EXPECT_THROW(static_cast<void>(view.size(1)), Error);
  EXPECT_THROW(static_cast<void>(view.stride(-2)), Error);
}

TEST(FlatTest, IsTheElementsInRowMajorOrder) {
  Tensor x = arange({2, 3});
  double sum = 0;
  for (float v : x.flat<float>()) sum += v;
  EXPECT_EQ(sum, 15);
  x.flat<float>()[4] = 40;
  EXPECT_EQ(x.item({1, 1}), 40);
  const Tensor row = x[1], none = zeros({0, 4}), one = tensor(5);
  EXPECT_EQ(row.flat<float>().size(), 3u);
  EXPECT_EQ(row.flat<float>()[1], 40);
  EXPECT_EQ(none.flat<float>().size(), 0u);
  EXPECT_EQ(one.flat<float>()[0], 5);
}

TEST(FlatTest, RefusesTensorsThatAreNotContiguous) {
  const Tensor turned = arange({2, 3}).transpose(0, 1), stepped = arange({6}).slice(0, 0, 6, 2);
  EXPECT_TRUE(
      refuses(ErrorCode::invalid_argument, "flat: tensor must be contiguous, got strides 1x3 (shape 3x2)", [&] { turned.flat<float>(); }));
  EXPECT_TRUE(
      refuses(ErrorCode::invalid_argument, "flat: tensor must be contiguous, got strides 2 (shape 3)", [&] { stepped.flat<float>(); }));
  const Tensor copied = turned.clone();
  EXPECT_EQ(copied.flat<float>()[1], 3);
}

TEST(ItemTest, OfOneElement) {
  EXPECT_EQ(tensor(2.5).item(), 2.5);
  EXPECT_EQ(tensor({{{4}}}, DType::i8).item(), 4);
  EXPECT_EQ(tensor(2.5).item<float>(), 2.5F);
  constexpr int64_t odd = (int64_t{1} << 53) + 1;  // not a double
  EXPECT_EQ(Tensor::from<int64_t>({1}, {odd}).item<int64_t>(), odd);
  EXPECT_EQ(arange({2, 3})[1][2].item<float>(), 5);
  EXPECT_EQ(tensor({0, 1}, DType::boolean)[1].item<bool>(), true);
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, wrong_type("f32", "f64"), [] { tensor(2.5).item<double>(); }));
  const std::string text = "item: tensor must have 1 element, got ";
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, text + "6 (shape 2x3)", [] { zeros({2, 3}).item(); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, text + "6 (shape 2x3)", [] { zeros({2, 3}).item<float>(); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, text + "0 (shape 0)", [] { zeros({0}).item(); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, text + "0 (shape 0)", [] { zeros({0}).item<float>(); }));
}

TEST(SizeTest, NegativeDimsCountFromTheLast) {
  const Tensor x = zeros({4, 5, 6});
  EXPECT_EQ(x.size(-1), 6);
  EXPECT_EQ(x.size(-3), 4);
  EXPECT_EQ(x.shape()[-1], 6);
  EXPECT_EQ(x.strides()[-3], 30);
  EXPECT_TRUE(refuses(ErrorCode::out_of_range, "tensor: dim must be in [-3, 3), got 9", [&] { static_cast<void>(x.shape()[9]); }));
  EXPECT_TRUE(refuses(ErrorCode::out_of_range, "tensor: dim must be in [-3, 3), got -4", [&] { static_cast<void>(x.size(-4)); }));
}

TEST(SelectTest, RemovesTheDim) {
  const Tensor x = arange({2, 3, 4});
  EXPECT_EQ(x.select(1, 2).shape(), (Dims{2, 4}));
  EXPECT_EQ(to_string(x.select(1, 2)), "[[ 8.  9. 10. 11.]\n [20. 21. 22. 23.]]");
  EXPECT_EQ(to_string(x.select(-1, -1)), "[[ 3.  7. 11.]\n [15. 19. 23.]]");
  EXPECT_EQ(x[1][2][3].item(), 23);
  EXPECT_EQ(x.index({-1, -1, -1}).item(), 23);
  EXPECT_EQ(x.index({}).shape(), x.shape());
  EXPECT_EQ(x[1].data<float>(), x.data<float>() + 12);
  EXPECT_EQ(x.transpose(0, 2)[3][0][1].item(), 15);
}

TEST(SelectTest, RefusesPlacesOutside) {
  const Tensor x = zeros({2, 3});
  EXPECT_TRUE(refuses(ErrorCode::out_of_range, "select: index must be in [-3, 3), got 3 (dim 1)", [&] { x.select(1, 3); }));
  EXPECT_TRUE(refuses(ErrorCode::out_of_range, "select: index must be in [-2, 2), got -3 (dim 0)", [&] { x[-3]; }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "select: dim must be in [-2, 2), got 2", [&] { x.select(2, 0); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "select: dim must be in [0, 0), got 0", [&] { x[0][0][0]; }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "select: dim must be in [0, 0), got 0", [&] { x.index({0, 0, 0}); }));
  EXPECT_TRUE(refuses(ErrorCode::out_of_range, "select: index must be in [0, 0), got 0 (dim 0)", [] { zeros({0, 3})[0]; }));
}

TEST(StreamTest, PrintsTensorsAndViews) {
  const Tensor x = tensor({{1, 2}, {3, 4.5}});
  std::ostringstream out;
  out << x << '\n' << x.view() << '\n' << tensor(7, DType::i32) << ' ' << zeros({0});
  EXPECT_EQ(out.str(), "[[ 1.  2.]\n [ 3. 4.5]]\n[[ 1.  2.]\n [ 3. 4.5]]\n7 []");
}

}  // namespace
}  // namespace tidepool
