#include <gtest/gtest.h>

#include <functional>

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

// Every tensor that a function takes has the wrong dtype in turn. oneDNN would read its bytes as f32, beyond its end if they are fewer.
TEST(NnErrors, NameTheArgumentOfTheWrongDtype) {
  struct Function {
    const char* op;
    std::vector<const char*> arguments;
    std::vector<Dims> shapes;
    std::function<void(const std::vector<Tensor>&)> call;
  };
  using Arguments = const std::vector<Tensor>&;
  const std::vector<const char*> conv_arguments{"input", "weight", "bias"};
  const std::vector<const char*> norm_arguments{"input", "running_mean", "running_var", "weight", "bias"};
  const std::vector<Dims> norm_shapes{{2, 3, 4, 4}, {3}, {3}, {3}, {3}};
  const Function functions[] = {
      {"matmul", {"a", "b"}, {{2, 3}, {3, 4}}, [](Arguments a) { matmul(a[0], a[1]); }},
      {"linear", conv_arguments, {{2, 3}, {4, 3}, {4}}, [](Arguments a) { linear(a[0], a[1], a[2]); }},
      {"conv1d", conv_arguments, {{1, 3, 8}, {4, 3, 3}, {4}}, [](Arguments a) { conv1d(a[0], a[1], a[2]); }},
      {"conv2d", conv_arguments, {{1, 3, 8, 8}, {4, 3, 3, 3}, {4}}, [](Arguments a) { conv2d(a[0], a[1], a[2]); }},
      {"conv3d", conv_arguments, {{1, 3, 4, 4, 4}, {4, 3, 3, 3, 3}, {4}}, [](Arguments a) { conv3d(a[0], a[1], a[2]); }},
      {"conv_transpose2d", conv_arguments, {{1, 3, 8, 8}, {3, 4, 3, 3}, {4}}, [](Arguments a) { conv_transpose2d(a[0], a[1], a[2]); }},
      {"batch_norm", norm_arguments, norm_shapes, [](Arguments a) { batch_norm(a[0], a[1], a[2], a[3], a[4]); }},
      {"batch_norm", norm_arguments, norm_shapes, [](Arguments a) { batch_norm(a[0], a[1], a[2], a[3], a[4], {.training = true}); }},
  };
  for (const Function& f : functions) {
    std::vector<Tensor> right;
    for (const Dims& shape : f.shapes) right.push_back(full(shape, 1));
    EXPECT_NO_THROW(f.call(right)) << f.op;
    for (size_t i = 0; i < right.size(); ++i)
      for (DType dtype : {DType::f64, DType::f16}) {
        std::vector<Tensor> wrong = right;
        wrong[i] = wrong[i].to(dtype);
        EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch,
                            std::string(f.op) + ": " + f.arguments[i] + " must be f32, got " + std::string(dtype_name(dtype)),
                            [&] { f.call(wrong); }));
      }
  }
}

TEST(NnErrors, BatchNormNeedsBothRunningStatisticsOrNone) {
  const Tensor x = randn({2, 3, 4, 4}, 1), one = full({3}, 1);
  for (bool training : {false, true}) {
    EXPECT_TRUE(refuses(ErrorCode::invalid_argument,
                        "batch_norm: running_mean and running_var must be given together, got running_mean alone",
                        [&] { batch_norm(x, one, {}, one, one, {.training = training}); }));
    EXPECT_TRUE(refuses(ErrorCode::invalid_argument,
                        "batch_norm: running_mean and running_var must be given together, got running_var alone",
                        [&] { batch_norm(x, {}, one, one, one, {.training = training}); }));
    EXPECT_EQ(batch_norm(x, {}, {}, one, one, {.training = training}).shape(), x.shape());
  }
}

TEST(NnErrors, OutputPaddingStaysBelowStrideOrDilation) {
  const Tensor x = randn({1, 2, 4, 4}, 1), w = randn({2, 3, 3, 3}, 2);
  const auto run = [&](int64_t stride, int64_t dilation, Extent<2> more) {
    return conv_transpose2d(x, w, {}, {.stride = stride, .padding = 2, .output_padding = more, .dilation = dilation}).shape();
  };
  EXPECT_EQ(run(3, 1, {2, 0}), (Dims{1, 3, 10, 8}));
  EXPECT_EQ(run(1, 3, {0, 2}), (Dims{1, 3, 6, 8}));
  const std::string rule = "conv_transpose2d: output_padding must be less than stride or dilation, got ";
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, rule + "3 (axis h)", [&] { run(3, 1, {3, 0}); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, rule + "3 (axis w)", [&] { run(1, 3, {0, 3}); }));
  EXPECT_TRUE(refuses(ErrorCode::invalid_argument, rule + "1 (axis h)", [&] { run(1, 1, 1); }));
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
