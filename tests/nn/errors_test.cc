#include <gtest/gtest.h>

#include "tidepool/nn.h"
#include "unit/expect_error.h"

namespace tidepool::nn {
namespace {

using test::refuses;

TEST(NnErrors, NameTheOpTheRuleAndTheValue) {
  const Tensor x = randn({1, 3, 8, 8}, 1), w = randn({4, 3, 3, 3}, 2);
  EXPECT_TRUE(refuses(ErrorCode::shape_mismatch, "conv2d: input must have 3 channels, got 2 (shape 1x2x8x8)",
                      [&] { conv2d(randn({1, 2, 8, 8}, 1), w); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "conv2d: stride must be at least 1, got 0 (axis w)",
                      [&] { conv2d(x, w, {}, {.stride = {1, 0}}); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "conv2d: window must fit the padded input of 8, got 9 (axis h)",
                      [&] { conv2d(x, w, {}, {.dilation = {4, 1}}); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "conv2d: stride must be 1 with padding same, got 2 (axis h)",
                      [&] { conv2d(x, w, {}, {.stride = 2, .padding = same}); }));
  EXPECT_TRUE(refuses(ErrorCode::shape_mismatch, "conv2d: bias must have shape 4, got 3", [&] { conv2d(x, w, zeros({3})); }));
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, "conv2d: input must be f32, got f64", [&] { conv2d(x.to(DType::f64), w); }));
  EXPECT_TRUE(refuses(ErrorCode::shape_mismatch, "conv2d: input must have 3 or 4 dimensions, got 2", [&] { conv2d(randn({8, 8}, 1), w); }));
  EXPECT_TRUE(refuses(ErrorCode::shape_mismatch, "linear: input must end in 4 features, got 2x3",
                      [&] { linear(randn({2, 3}, 1), randn({5, 4}, 2)); }));
  EXPECT_TRUE(refuses(ErrorCode::shape_mismatch, "matmul: columns of a must be as many as rows of b, got 2x3 and 2x3",
                      [&] { matmul(randn({2, 3}, 1), randn({2, 3}, 2)); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "batch_norm: values per channel must be at least 2 in training, got 1 (shape 1x3x1x1)",
                      [&] { BatchNorm2d(3)(randn({1, 3, 1, 1}, 1)); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "Conv2d: groups must divide in_channels and out_channels, got 2 for 3 and 4",
                      [&] { Conv2d(3, 4, {.kernel_size = 3, .groups = 2}); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "dropout: p must be in [0, 1], got 1.500000", [&] { dropout(x, 1.5); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "SGD: parameters must be at least 1, got 0", [&] { SGD({}, {}); }));
  EXPECT_TRUE(refuses(ErrorCode::unsupported,
                      "MaxPool2d: forward cannot return indices, got return_indices=True (use forward_with_indices)",
                      [&] { MaxPool2d(2, 2, 0, 1, true)(x); }));
  EXPECT_TRUE(refuses(ErrorCode::unsupported, "MaxUnpool2d: forward must be overridden, got a module that has none for one tensor", [&] {
    Module&& unpool = MaxUnpool2d(2);
    unpool(x);
  }));
}

TEST(NnErrors, LoadStateDictChangesNothingWhenItRefuses) {
  Linear layer(2, 1);
  const std::string before = to_string(layer.weight);
  EXPECT_TRUE(refuses(ErrorCode::shape_mismatch, "Linear: state must have all entries, got none for bias",
                      [&] { layer.load_state_dict({{"weight", zeros({1, 2})}}); }));
  EXPECT_TRUE(refuses(ErrorCode::shape_mismatch, "Linear: state must have shape 1 for bias, got 2",
                      [&] { layer.load_state_dict({{"weight", zeros({1, 2})}, {"bias", zeros({2})}}); }));
  EXPECT_TRUE(refuses(ErrorCode::shape_mismatch, "Linear: state must have the module's entries alone, got scale",
                      [&] { layer.load_state_dict({{"weight", zeros({1, 2})}, {"bias", zeros({1})}, {"scale", zeros({1})}}); }));
  EXPECT_EQ(to_string(layer.weight), before);
}

}  // namespace
}  // namespace tidepool::nn
