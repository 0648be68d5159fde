// The backward passes of max pooling with indices of any value.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/max_pool_stage.h"

namespace tidepool {
namespace {

using test::huge;
using test::int_max;
using test::lowest;
using test::pool_by;
using test::Stage;

template <class F>
class MaxPoolHostileIndices : public ::testing::Test {};
TYPED_TEST_SUITE(MaxPoolHostileIndices, test::Families, test::FamilyName);

TYPED_TEST(MaxPoolHostileIndices, IndicesOutsideThePlane) {
  const int64_t plane = TypeParam::rank == 1 ? 4 : TypeParam::rank == 2 ? 16 : 64;
  const auto o = pool_by<TypeParam>(2);
  for (int64_t bad : {plane, plane + 1, int64_t{-2}, int_max + 1, (int64_t{1} << 32) + 3, huge, lowest}) {
    for (int64_t at : {int64_t{0}, Stage<TypeParam>().indices.numel() - 1}) {
      Stage<TypeParam> stage;
      stage.indices.template data<int64_t>()[at] = bad;
      const std::string words = "index " + std::to_string(bad) + " is outside the plane of " + std::to_string(plane) + " cells";
      stage.expect_refused(stage.backward_calls(), o, words);
      stage.expect_refused(stage.double_backward_calls(), o, words);
    }
  }
}

TYPED_TEST(MaxPoolHostileIndices, IndicesOfOtherPlanes) {
  const int64_t plane = TypeParam::rank == 1 ? 4 : TypeParam::rank == 2 ? 16 : 64;
  typename TypeParam::Options o{.kernel_size = 2, .index_base = IndexBase::tensor};
  Stage<TypeParam> stage;
  int64_t* index = stage.indices.template data<int64_t>();
  const int64_t half = stage.indices.numel() / 2;
  for (int64_t i = half; i < 2 * half; ++i) index[i] = plane;
  stage.expect_accepted(o);
  for (int64_t bad : {int64_t{0}, plane - 1, 2 * plane, int64_t{-2}, huge}) {
    Stage<TypeParam> other;
    std::copy_n(index, 2 * half, other.indices.template data<int64_t>());
    other.indices.template data<int64_t>()[half] = bad;
    other.expect_refused(other.backward_calls(), o, "index " + std::to_string(bad) + " is outside ");
    other.expect_refused(other.double_backward_calls(), o, "index " + std::to_string(bad) + " is outside ");
  }
}

TYPED_TEST(MaxPoolHostileIndices, TapsOutsideTheWindow) {
  const int64_t taps = TypeParam::rank == 1 ? 2 : TypeParam::rank == 2 ? 4 : 8;
  const typename TypeParam::Options o{.kernel_size = 2, .index_base = IndexBase::window};
  for (int64_t bad : {taps, taps + 1, int64_t{200}, int64_t{254}}) {
    Stage<TypeParam> stage;
    Tensor indices = zeros(stage.indices.shape(), DType::u8);
    indices.data<uint8_t>()[1] = static_cast<uint8_t>(bad);
    stage.indices_in = indices;
    stage.expect_refused(stage.backward_calls(), o, "index " + std::to_string(bad) + " is outside ");
    stage.expect_refused(stage.double_backward_calls(), o, "index " + std::to_string(bad) + " is outside ");
  }
}

TYPED_TEST(MaxPoolHostileIndices, MinusOneMeansNoGradient) {
  for (IndexBase base : {IndexBase::plane, IndexBase::tensor, IndexBase::window}) {
    typename TypeParam::Options o{.kernel_size = 2, .index_base = base};
    Stage<TypeParam> stage;
    Tensor indices = full(stage.indices.shape(), base == IndexBase::window ? 255 : -1, base == IndexBase::window ? DType::u8 : DType::i64);
    const Tensor g = TypeParam::backward(stage.grad, indices, stage.x.shape, o);
    EXPECT_EQ(test::cells(g), test::Cells(static_cast<size_t>(g.numel()), 0)) << index_base_name(base);
    const Tensor y = TypeParam::double_backward(stage.gg, indices, o);
    EXPECT_EQ(test::cells(y), test::Cells(static_cast<size_t>(y.numel()), 0)) << index_base_name(base);
  }
}

TYPED_TEST(MaxPoolHostileIndices, DuplicateIndicesAddUp) {
  Stage<TypeParam> stage;  // every index is 0
  const Tensor ones = full(stage.grad.shape, 1);
  const Tensor g = TypeParam::backward(ones, stage.indices, stage.x.shape, pool_by<TypeParam>(2));
  const double windows = static_cast<double>(ones.numel()) / 2;
  const auto cells = test::cells(g);
  EXPECT_EQ(cells[0], windows);
  EXPECT_EQ(cells[cells.size() / 2], windows);
  EXPECT_EQ(std::count(cells.begin(), cells.end(), 0.0), static_cast<int64_t>(cells.size()) - 2);
}

}  // namespace
}  // namespace tidepool
