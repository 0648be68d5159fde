// Invalid input tensors on every function of max pooling: ranks, sizes, strides, dtypes and pointers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "support/max_pool_stage.h"

namespace tidepool {
namespace {

using test::Array;
using test::cube;
using test::huge;
using test::lowest;
using test::message_of;
using test::pool_by;
using test::Stage;
using ::testing::HasSubstr;

template <class F>
class MaxPoolHostileTensors : public ::testing::Test {};
TYPED_TEST_SUITE(MaxPoolHostileTensors, test::Families, test::FamilyName);

TYPED_TEST(MaxPoolHostileTensors, Ranks) {
  const int rank = TypeParam::rank;
  const float cell = 0;
  for (int r = 0; r <= max_rank; ++r) {
    if (r == rank + 1 || r == rank + 2) continue;
    Stage<TypeParam> stage;
    Dims shape;
    for (int i = 0; i < r; ++i) shape.push_back(1);
    stage.x = stage.gg = view(&cell, shape);
    stage.grad_input.shape = shape;
    stage.grad_input.strides = contiguous_strides(shape);
    stage.expect_refused({.kernel_size = 1},
                         "input must have " + std::to_string(rank + 1) + " or " + std::to_string(rank + 2) + " dimensions (");
    stage.expect_refused({.kernel_size = 1}, "), got " + std::to_string(r));
  }
  EXPECT_THROW(Dims({1, 1, 1, 1, 1, 1, 1, 1, 1}), Error);
}

TYPED_TEST(MaxPoolHostileTensors, ZeroAndNegativeSizes) {
  for (int dim = 0; dim < TypeParam::rank + 2; ++dim)
    for (int64_t size : {int64_t{0}, int64_t{-1}, lowest}) {
      if (dim == 0 && size == 0) continue;  // an empty batch is legal
      Stage<TypeParam> stage;
      stage.x.shape[dim] = stage.gg.shape[dim] = stage.grad_input.shape[dim] = size;
      stage.expect_refused(pool_by<TypeParam>(2), "got " + std::to_string(size));
    }
}

TYPED_TEST(MaxPoolHostileTensors, EmptyBatchInAllPasses) {
  const Dims in = cube(0, 2, 4, TypeParam::rank), out = cube(0, 2, 2, TypeParam::rank);
  const auto o = pool_by<TypeParam>(2);
  const Tensor x = zeros(in);
  const Pooled p = TypeParam::with_indices(x, o);
  EXPECT_EQ(p.values.shape(), out);
  EXPECT_EQ(TypeParam::backward(p.values, p.indices, in, o).shape(), in);
  EXPECT_EQ(TypeParam::double_backward(x, p.indices, o).shape(), out);
  // An empty batch may have a null pointer.
  EXPECT_EQ(TypeParam::pool(view<float>(nullptr, in), o).shape(), out);
  // All other sizes are still checked.
  EXPECT_THROW(TypeParam::pool(zeros(cube(0, 0, 4, TypeParam::rank)), o), Error);
  EXPECT_THROW(TypeParam::pool(zeros(cube(0, 2, 0, TypeParam::rank)), o), Error);
  EXPECT_THROW(TypeParam::backward(zeros(cube(1, 2, 2, TypeParam::rank)), p.indices, in, o), Error);
  EXPECT_THROW(TypeParam::backward(p.values, zeros(cube(1, 2, 2, TypeParam::rank), DType::i64), in, o), Error);
}

TYPED_TEST(MaxPoolHostileTensors, SizesThatOverflowWithoutAllocating) {
  Stage<TypeParam> stage;
  const float cell = 1;
  Dims strides;  // one cell with strides of 0: memory exists for any shape
  for (int i = 0; i < TypeParam::rank + 2; ++i) strides.push_back(0);
  const int64_t big = int64_t{1} << 40;
  for (Dims shape : {cube(big, big, 4, TypeParam::rank), cube(1, huge, 4, TypeParam::rank), cube(huge, 1, 4, TypeParam::rank)}) {
    stage.x = stage.gg = view(&cell, shape, strides);
    stage.grad_input.shape = shape;
    stage.expect_refused(pool_by<TypeParam>(2), "tensor sizes overflow 64 bits (input " + to_string(shape) + ")");
  }
  // 2^58 elements can be counted: the shape function answers, and allocating the result fails.
  const Dims large = cube(1, int64_t{1} << 58, 1, TypeParam::rank);
  EXPECT_EQ(TypeParam::shape(large, pool_by<TypeParam>(1)), large);
  EXPECT_THROW(TypeParam::pool(view(&cell, large, strides), pool_by<TypeParam>(1)), Error);
  EXPECT_THROW(TypeParam::with_indices(view(&cell, large, strides), pool_by<TypeParam>(1)), Error);
}

TYPED_TEST(MaxPoolHostileTensors, NoData) {
  Stage<TypeParam> none;
  none.x.data = none.gg.data = none.grad.data = nullptr;
  const auto o = pool_by<TypeParam>(2);
  none.expect_refused(none.forward_calls(), o, "input has no data");
  none.expect_refused(none.backward_calls(), o, "grad has no data");
  none.expect_refused(none.double_backward_calls(), o, "gg has no data");
  Stage<TypeParam> no_indices;
  no_indices.indices_in.data = nullptr;
  no_indices.expect_refused(no_indices.backward_calls(), o, "indices has no data");
  no_indices.expect_refused(no_indices.double_backward_calls(), o, "indices has no data");
  Stage<TypeParam> no_out;
  no_out.out.data = no_out.indices_out.data = no_out.grad_input.data = nullptr;
  EXPECT_THAT(message_of([&] { TypeParam::into(no_out.out, no_out.x, o); }), HasSubstr("out has no data"));
  EXPECT_THAT(message_of([&] { TypeParam::with_indices_into(no_indices.out, no_out.indices_out, no_out.x, o); }),
              HasSubstr("indices has no data"));
  EXPECT_THAT(message_of([&] { TypeParam::backward_into(no_out.grad_input, no_out.grad, no_out.indices_in, o); }),
              HasSubstr("grad_input has no data"));
  for (const Array& a : no_indices.outputs) EXPECT_TRUE(a.intact());
}

TYPED_TEST(MaxPoolHostileTensors, PointersThatAreNotAlignedToTheirElement) {
  std::vector<float> memory(64 * 4 + 4);
  Stage<TypeParam> stage;
  stage.x.data = stage.gg.data = stage.grad.data = reinterpret_cast<const std::byte*>(memory.data()) + 1;
  auto calls = stage.calls();
  calls.pop_back();
  stage.expect_refused(calls, pool_by<TypeParam>(2), "aligned");
}

TYPED_TEST(MaxPoolHostileTensors, StridesThatLeaveTheAddressSpace) {
  for (int64_t stride : {huge, huge / 4, lowest, lowest / 2}) {
    Stage<TypeParam> stage;
    stage.x.strides[2] = stage.gg.strides[2] = stage.grad.strides[2] = stride;
    auto calls = stage.calls();
    calls.pop_back();
    stage.expect_refused(calls, pool_by<TypeParam>(2), "");
  }
}

TYPED_TEST(MaxPoolHostileTensors, AStrideTooFew) {
  Stage<TypeParam> stage;
  stage.x.strides.rank -= 1;
  stage.gg.strides.rank -= 1;
  stage.grad.strides.rank = 0;
  auto calls = stage.calls();
  calls.pop_back();
  stage.expect_refused(calls, pool_by<TypeParam>(2), "strides");
}

TYPED_TEST(MaxPoolHostileTensors, DtypesThatDoNotExist) {
  Stage<TypeParam> stage;
  stage.x.dtype = stage.gg.dtype = stage.grad.dtype = static_cast<DType>(200);
  auto calls = stage.calls();
  calls.pop_back();
  stage.expect_refused(calls, pool_by<TypeParam>(2), "dtype");
}

}  // namespace
}  // namespace tidepool
