// Inputs like those of published vulnerabilities in the max pooling of other libraries, each as a call that must end in an Error or a
// result.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/tensors.h"
#include "tidepool/creation.h"
#include "tidepool/ops/max_pool.h"
#include "tidepool/plan.h"

namespace tidepool {
namespace {

using test::message_of;
using ::testing::HasSubstr;

const Dims in2{1, 1, 4, 4}, out2{1, 1, 2, 2};

TEST(MaxPoolCve, Cve2021_29570_ArgmaxAndGradientOfDifferentLength) {
  const Tensor grad = zeros(out2);
  for (const Dims& shape : {Dims{1, 1, 1, 1}, Dims{1, 1, 2, 1}, Dims{1, 1, 3, 3}, Dims{0, 1, 2, 2}, Dims{4}, Dims{}}) {
    const Tensor indices = zeros(shape, DType::i64);
    EXPECT_THAT(message_of([&] { max_pool2d_backward(grad, indices, in2, {.kernel_size = 2}); }),
                HasSubstr("max_pool2d_backward: indices must have shape 1x1x2x2, got "));
  }
}

TEST(MaxPoolCve, Cve2021_29573_BatchOfZero) {
  const Tensor g = max_pool2d_backward(zeros({0, 1, 2, 2}), zeros({0, 1, 2, 2}, DType::i64), {0, 1, 4, 4}, {.kernel_size = 2});
  EXPECT_EQ(g.shape(), (Dims{0, 1, 4, 4}));
}

TEST(MaxPoolCve, Cve2021_29579_And_37674_EmptyOrInconsistentGradient) {
  const Tensor indices = zeros(out2, DType::i64);
  for (const Dims& shape : {Dims{0, 1, 2, 2}, Dims{1, 0, 2, 2}, Dims{1, 1, 0, 0}, Dims{0}, Dims{}, Dims{1, 1, 4, 4}, Dims{2, 1, 2, 2}})
    EXPECT_THAT(message_of([&] { max_pool2d_backward(zeros(shape), indices, in2, {.kernel_size = 2}); }),
                HasSubstr("max_pool2d_backward: grad must have shape 1x1x2x2, got "));
  for (const Dims& shape : {Dims{1, 1, 0, 4}, Dims{1, 0, 4, 4}, Dims{4, 4}, Dims{}})
    EXPECT_THROW(max_pool2d_backward(zeros(out2), indices, shape, {.kernel_size = 2}), Error) << to_string(shape);
}

TEST(MaxPoolCve, Cve2021_29574_And_29576_EmptyTensorsInTheSecondGradient) {
  const MaxPoolOptions<3> o{.kernel_size = 2};
  const Tensor empty = zeros({0, 0, 0, 0, 0});
  EXPECT_THROW(max_pool3d_double_backward(empty, zeros({0, 0, 0, 0, 0}, DType::i64), o), Error);
  EXPECT_THROW(max_pool3d_double_backward(zeros({1, 1, 2, 2, 2}), zeros({0, 1, 1, 1, 1}, DType::i64), o), Error);
  EXPECT_THROW(max_pool3d_double_backward(zeros({1, 1, 2, 2, 2}), Tensor(), o), Error);
  EXPECT_THROW(max_pool3d_double_backward(Tensor(), Tensor(), o), Error);
}

TEST(MaxPoolCve, Cve2021_41196_PoolSizeZeroOrNegativeOnOneAxis) {
  const Tensor x = zeros({1, 1, 4, 4, 4});
  EXPECT_EQ(message_of([&] { max_pool3d(x, {.kernel_size = {2, 2, 0}}); }), "max_pool3d: kernel_size must be at least 1, got 0 (axis w)");
  EXPECT_EQ(message_of([&] { max_pool3d(x, {.kernel_size = {2, -1, 2}}); }), "max_pool3d: kernel_size must be at least 1, got -1 (axis h)");
  EXPECT_EQ(message_of([&] { max_pool3d(x, {.kernel_size = {0, 2, 2}}); }), "max_pool3d: kernel_size must be at least 1, got 0 (axis d)");
}

TEST(MaxPoolCve, Cve2021_29586_And_37684_StrideOfZero) {
  EXPECT_EQ(message_of([] { max_pool2d(zeros(in2), {.kernel_size = 2, .stride = {1, 0}}); }),
            "max_pool2d: stride must be at least 1, got 0 (axis w)");
}

TEST(MaxPoolCve, Cve2025_2953_LowLevelEntriesValidateToo) {
  // A plan is made from a problem, and a problem cannot be made from invalid numbers.
  for (const char* text : {"max2d fwd f32 nchw 1x1x4x4 k2 s0", "max2d fwd f32 nchw 1x1x4x4 k0 s1", "max2d fwd f32 nchw 1x1x4x4 k2 d0"})
    EXPECT_FALSE(parse_problem(text).ok()) << text;
  const Plan plan = make_plan(parse("max2d fwd f32 nchw 1x1x4x4 k2"));
  EXPECT_THROW(plan.run({}), Error);
}

TEST(MaxPoolCve, IndicesBeyondThePlaneAfterAnEmptyDilatedWindow) {
  // PyTorch returns index 6 for a plane of 4 cells here, and its backward pass writes there.
  const MaxPoolOptions<2> o{.kernel_size = 2, .stride = 1, .padding = 1, .dilation = 3};
  const Pooled p = max_pool2d_with_indices(full({1, 1, 2, 2}, 1), o);
  EXPECT_EQ(p.indices.data<int64_t>()[0], -1);
  Tensor six = full({1, 1, 1, 1}, 6, DType::i64);
  EXPECT_EQ(message_of([&] { max_pool2d_backward(full({1, 1, 1, 1}, 1), six, {1, 1, 2, 2}, o); }),
            "max_pool2d_backward: index 6 is outside the plane of 4 cells");
}

TEST(MaxPoolCve, IndicesThatAliasAfterNarrowingTo32Bits) {
  Tensor indices = zeros(out2, DType::i64);
  indices.data<int64_t>()[3] = (int64_t{1} << 32) + 3;
  EXPECT_EQ(message_of([&] { max_pool2d_backward(zeros(out2), indices, in2, {.kernel_size = 2}); }),
            "max_pool2d_backward: index 4294967299 is outside the plane of 16 cells");
}

}  // namespace
}  // namespace tidepool
