// Tensors of max pooling that are valid alone but not together: shapes and dtypes that differ, and arrays that overlap.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "support/max_pool_stage.h"

namespace tidepool {
namespace {

using test::Array;
using test::cube;
using test::message_of;
using test::pool_by;
using test::Stage;
using ::testing::HasSubstr;

template <class F>
class MaxPoolHostileMismatch : public ::testing::Test {};
TYPED_TEST_SUITE(MaxPoolHostileMismatch, test::Families, test::FamilyName);

TYPED_TEST(MaxPoolHostileMismatch, OutputsOffByOneOnEachAxis) {
  const auto o = pool_by<TypeParam>(2);
  for (int dim = 0; dim < TypeParam::rank + 2; ++dim)
    for (int64_t delta : {-1, 1}) {
      Stage<TypeParam> stage;
      const std::string right = to_string(stage.out.shape);
      stage.out.shape[dim] += delta;
      const std::string words = "out must have shape " + right + ", got " + to_string(stage.out.shape);
      EXPECT_EQ(message_of([&] { TypeParam::into(stage.out, stage.x, o); }), TypeParam::name() + "_into: " + words);
      EXPECT_THAT(message_of([&] { TypeParam::with_indices_into(stage.out, stage.indices_out, stage.x, o); }), HasSubstr(words));
      EXPECT_THAT(message_of([&] { TypeParam::double_backward_into(stage.out, stage.gg, stage.indices_in, o); }), HasSubstr(words));
      Stage<TypeParam> other;
      other.indices_out.shape[dim] += delta;
      EXPECT_THAT(message_of([&] { TypeParam::with_indices_into(other.out, other.indices_out, other.x, o); }),
                  HasSubstr("indices must have shape " + right + ", got " + to_string(other.indices_out.shape)));
      for (const Array& a : stage.outputs) EXPECT_TRUE(a.intact());
      for (const Array& a : other.outputs) EXPECT_TRUE(a.intact());
    }
}

TYPED_TEST(MaxPoolHostileMismatch, GradientsAndIndicesOffByOneOnEachAxis) {
  const auto o = pool_by<TypeParam>(2);
  for (int dim = 0; dim < TypeParam::rank + 2; ++dim)
    for (int64_t delta : {-1, 1}) {
      Stage<TypeParam> grad;
      const std::string right = to_string(grad.grad.shape);
      grad.grad.shape[dim] += delta;
      grad.expect_refused(grad.backward_calls(), o, "grad must have shape " + right + ", got " + to_string(grad.grad.shape));
      Stage<TypeParam> indices;
      indices.indices_in.shape[dim] += delta;
      const std::string words = "indices must have shape " + right + ", got " + to_string(indices.indices_in.shape);
      indices.expect_refused(indices.backward_calls(), o, words);
      indices.expect_refused(indices.double_backward_calls(), o, words);
    }
}

TYPED_TEST(MaxPoolHostileMismatch, RanksOfGradientsAndIndices) {
  const auto o = pool_by<TypeParam>(2);
  for (int rank : {0, 1, TypeParam::rank + 1, max_rank}) {
    Stage<TypeParam> stage;
    Dims shape;
    for (int i = 0; i < rank; ++i) shape.push_back(1);
    stage.grad.shape = shape;
    stage.grad.strides = contiguous_strides(shape);
    stage.expect_refused(stage.backward_calls(), o, "grad must have shape ");
    Stage<TypeParam> indices;
    indices.indices_in.shape = shape;
    indices.indices_in.strides = contiguous_strides(shape);
    indices.expect_refused(indices.backward_calls(), o, "indices must have shape ");
    indices.expect_refused(indices.double_backward_calls(), o, "indices must have shape ");
  }
}

TYPED_TEST(MaxPoolHostileMismatch, DtypesThatDiffer) {
  const auto o = pool_by<TypeParam>(2);
  Stage<TypeParam> out;
  out.out.dtype = DType::i32;
  EXPECT_EQ(message_of([&] { TypeParam::into(out.out, out.x, o); }), TypeParam::name() + "_into: out must have dtype f32, got i32");
  Stage<TypeParam> index;
  index.indices_out.dtype = DType::f64;
  EXPECT_EQ(message_of([&] { TypeParam::with_indices_into(index.out, index.indices_out, index.x, o); }),
            TypeParam::name() + "_with_indices_into: indices must have dtype i64, got f64");
  Stage<TypeParam> narrow;
  narrow.indices_in.dtype = DType::i32;
  narrow.expect_refused(narrow.backward_calls(), o, "indices must have dtype i64, got i32");
  narrow.expect_refused(narrow.double_backward_calls(), o, "indices must have dtype i64, got i32");
  auto compact = o;
  compact.index_base = IndexBase::window;
  const Stage<TypeParam> wide;
  wide.expect_refused(wide.backward_calls(), compact, "indices must have dtype u8, got i64");
  Stage<TypeParam> grad;
  grad.grad_input.dtype = DType::bf16;
  EXPECT_EQ(message_of([&] { TypeParam::backward_into(grad.grad_input, grad.grad, grad.indices_in, o); }),
            TypeParam::name() + "_backward_into: grad_input must have dtype f32, got bf16");
  for (const auto* stage : {&out, &index, &grad})
    for (const Array& a : stage->outputs) EXPECT_TRUE(a.intact());
}

TYPED_TEST(MaxPoolHostileMismatch, GradientsOfIntegers) {
  const auto o = pool_by<TypeParam>(2);
  for (DType dtype : all_dtypes) {
    if (is_floating(dtype)) continue;
    const std::string words = "gradients need a floating dtype, got " + std::string(dtype_name(dtype));
    Stage<TypeParam> stage;
    const Tensor grad = zeros(stage.grad.shape, dtype), gg = zeros(stage.gg.shape, dtype);
    Tensor grad_input = zeros(stage.gg.shape, dtype), out = zeros(stage.grad.shape, dtype);
    stage.grad = grad;
    stage.gg = gg;
    stage.grad_input = grad_input.span();
    stage.out = out.span();
    stage.expect_refused(stage.backward_calls(), o, words);
    stage.expect_refused(stage.double_backward_calls(), o, words);
  }
}

TYPED_TEST(MaxPoolHostileMismatch, OutputsThatOverlapInputs) {
  const auto o = pool_by<TypeParam>(2);
  const Dims small = cube(1, 2, 2, TypeParam::rank), large = cube(1, 2, 4, TypeParam::rank);
  std::vector<float> memory(400);
  for (int64_t shift : {0, 1, 3}) {
    std::vector<float> before = memory;
    const TensorView x = view<float>(memory.data(), large), gg = x;
    const TensorSpan out = span(memory.data() + shift, small);
    EXPECT_EQ(message_of([&] { TypeParam::into(out, x, o); }), TypeParam::name() + "_into: out overlaps input");
    Tensor indices = zeros(small, DType::i64);
    EXPECT_EQ(message_of([&] { TypeParam::with_indices_into(out, indices.span(), x, o); }),
              TypeParam::name() + "_with_indices_into: out overlaps input");
    EXPECT_EQ(message_of([&] { TypeParam::double_backward_into(out, gg, indices, o); }),
              TypeParam::name() + "_double_backward_into: out overlaps gg");
    EXPECT_EQ(
        message_of([&] { TypeParam::backward_into(span(memory.data() + shift, large), view<float>(memory.data(), small), indices, o); }),
        TypeParam::name() + "_backward_into: grad_input overlaps grad");
    EXPECT_EQ(memory, before);
  }
}

TYPED_TEST(MaxPoolHostileMismatch, IndicesThatOverlapValues) {
  const auto o = pool_by<TypeParam>(2);
  const Dims small = cube(1, 2, 2, TypeParam::rank);
  std::vector<int64_t> memory(400, 3);
  const std::vector<int64_t> before = memory;
  Stage<TypeParam> stage;
  const TensorSpan out = span(reinterpret_cast<float*>(memory.data()), small), indices = span(memory.data(), small);
  EXPECT_THAT(message_of([&] { TypeParam::with_indices_into(out, indices, stage.x, o); }), HasSubstr("overlaps"));
  const TensorView x = view(reinterpret_cast<const float*>(memory.data()), stage.x.shape);
  EXPECT_THAT(message_of([&] { TypeParam::with_indices_into(stage.out, indices, x, o); }), HasSubstr("indices overlaps input"));
  const TensorSpan grad_input = span(reinterpret_cast<float*>(memory.data()), stage.x.shape);
  EXPECT_THAT(message_of([&] { TypeParam::backward_into(grad_input, stage.grad, indices, o); }), HasSubstr("grad_input overlaps indices"));
  EXPECT_EQ(memory, before);
}

TYPED_TEST(MaxPoolHostileMismatch, OutputsThatOverlapThemselves) {
  const auto o = pool_by<TypeParam>(2);
  for (int64_t stride : {0, 1}) {
    Stage<TypeParam> stage;
    stage.out.strides[1] = stage.grad_input.strides[1] = stage.indices_out.strides[1] = stride;
    EXPECT_EQ(message_of([&] { TypeParam::into(stage.out, stage.x, o); }), TypeParam::name() + "_into: out overlaps itself");
    EXPECT_THAT(message_of([&] { TypeParam::backward_into(stage.grad_input, stage.grad, stage.indices_in, o); }),
                HasSubstr("overlaps itself"));
    const Stage<TypeParam> sound;
    EXPECT_THAT(message_of([&] { TypeParam::with_indices_into(sound.out, stage.indices_out, stage.x, o); }), HasSubstr("overlaps itself"));
    for (const Array& a : stage.outputs) EXPECT_TRUE(a.intact());
    for (const Array& a : sound.outputs) EXPECT_TRUE(a.intact());
  }
}

}  // namespace
}  // namespace tidepool
