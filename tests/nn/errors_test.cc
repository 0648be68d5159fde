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

// Every rule of a convolution's numbers, on each axis and for each function that has it.
TEST(NnErrors, NumbersOfConvolutions) {
  const Tensor x = zeros({1, 4, 8, 8}), w = zeros({4, 4, 3, 3}), w1 = zeros({4, 4, 3});
  constexpr ErrorCode argument = ErrorCode::invalid_argument, shape = ErrorCode::shape_mismatch;
  const auto both = [&](ErrorCode code, const std::string& rule, const Tensor& weight, const ConvOptions<2>& o) {
    EXPECT_TRUE(refuses(code, "conv2d: " + rule, [&] { conv2d(x, weight, {}, o); }));
    EXPECT_TRUE(refuses(code, "conv_transpose2d: " + rule, [&] {
      conv_transpose2d(x, weight, {}, {.stride = o.stride, .padding = o.padding, .groups = o.groups, .dilation = o.dilation});
    }));
  };
  both(argument, "stride must be at least 1, got 0 (axis h)", w, {.stride = {0, 1}});
  both(argument, "dilation must be at least 1, got -1 (axis w)", w, {.dilation = {1, -1}});
  both(argument, "padding must be at least 0, got -2 (axis h)", w, {.padding = {-2, 0}});
  both(argument, "stride must have 1 or 2 values, got 3", w, {.stride = std::vector<int>{1, 1, 1}});
  both(argument, "dilation must have 1 or 2 values, got 3", w, {.dilation = std::vector<int>{1, 1, 1}});
  both(argument, "groups must be at least 1, got 0", w, {.groups = 0});
  both(shape, "groups must divide the weight's 4 channels, got 3", w, {.groups = 3});
  both(shape, "weight must have 4 dimensions, got 3", w1, {});
  EXPECT_TRUE(refuses(shape, "conv2d: input must have 8 channels, got 4 (shape 1x4x8x8)", [&] { conv2d(x, w, {}, {.groups = 2}); }));
  EXPECT_TRUE(refuses(shape, "conv_transpose2d: input must have 5 channels, got 4 (shape 1x4x8x8)",
                      [&] { conv_transpose2d(x, zeros({5, 4, 3, 3})); }));
  EXPECT_TRUE(
      refuses(shape, "conv_transpose2d: bias must have shape 8, got 4", [&] { conv_transpose2d(x, w, zeros({4}), {.groups = 2}); }));
  EXPECT_TRUE(refuses(argument, "conv_transpose2d: output_padding must be at least 0, got -1 (axis w)",
                      [&] { conv_transpose2d(x, w, {}, {.output_padding = {0, -1}}); }));
  EXPECT_TRUE(refuses(argument, "conv_transpose2d: output must be at least 1, got 0 (axis w)",
                      [&] { conv_transpose2d(x, w, {}, {.padding = {0, 5}}); }));
  EXPECT_TRUE(refuses(argument, "conv1d: window must fit the padded input of 2, got 3 (axis w)", [&] { conv1d(zeros({4, 2}), w1); }));
  EXPECT_TRUE(refuses(argument, "conv3d: dilation must be at least 1, got 0 (axis d)",
                      [&] { conv3d(zeros({4, 8, 8, 8}), zeros({4, 4, 3, 3, 3}), {}, {.dilation = {0, 1, 1}}); }));
}

TEST(NnErrors, ShapesOfMatricesAndBatches) {
  constexpr ErrorCode shape = ErrorCode::shape_mismatch;
  const Tensor x = zeros({2, 3}), line = zeros({3});
  EXPECT_TRUE(refuses(shape, "matmul: a must have 2 dimensions, got 1", [&] { matmul(line, x); }));
  EXPECT_TRUE(refuses(shape, "matmul: b must have 2 dimensions, got 3", [&] { matmul(x, zeros({3, 1, 1})); }));
  EXPECT_TRUE(refuses(shape, "linear: weight must have 2 dimensions, got 1", [&] { linear(x, line); }));
  EXPECT_TRUE(refuses(shape, "linear: bias must have shape 4, got 3", [&] { linear(x, zeros({4, 3}), line); }));
  EXPECT_TRUE(refuses(shape, "batch_norm: input must have 2 dimensions or more, got 1", [&] { batch_norm(line, {}, {}, {}, {}); }));
  EXPECT_TRUE(refuses(shape, "BatchNorm2d: input must have 4 dimensions, got 2", [&] { BatchNorm2d(3)(x); }));
  const char* const names[] = {"running_mean", "running_var", "weight", "bias"};
  for (size_t i = 0; i < 4; ++i) {
    std::vector<Tensor> a(4, line);
    EXPECT_EQ(batch_norm(x, a[0], a[1], a[2], a[3]).shape(), x.shape());
    a[i] = zeros({2});  // as long as the batch
    EXPECT_TRUE(refuses(shape, std::string("batch_norm: ") + names[i] + " must have shape 3, got 2",
                        [&] { batch_norm(x, a[0], a[1], a[2], a[3]); }));
  }
}

TEST(NnErrors, NumbersOfLayers) {
  constexpr ErrorCode argument = ErrorCode::invalid_argument;
  EXPECT_TRUE(refuses(argument, "Conv1d: in_channels must be at least 1, got 0", [&] { Conv1d(0, 4, 3); }));
  EXPECT_TRUE(refuses(argument, "Conv2d: out_channels must be at least 1, got -1", [&] { Conv2d(4, -1, 3); }));
  EXPECT_TRUE(refuses(argument, "Conv3d: groups must be at least 1, got 0", [&] { Conv3d(4, 4, {.kernel_size = 3, .groups = 0}); }));
  EXPECT_TRUE(refuses(argument, "ConvTranspose2d: groups must divide in_channels and out_channels, got 2 for 4 and 3",
                      [&] { ConvTranspose2d(4, 3, {.kernel_size = 3, .groups = 2}); }));
  EXPECT_TRUE(refuses(argument, "Conv2d: kernel_size must be at least 1, got 0", [&] { Conv2d(4, 4, {.kernel_size = {3, 0}}); }));
  EXPECT_TRUE(refuses(argument, "Conv2d: kernel_size must have 1 or 2 values, got 3",
                      [&] { Conv2d(4, 4, {.kernel_size = std::vector<int>{3, 3, 3}}); }));
  EXPECT_TRUE(refuses(argument, "ConvTranspose2d: kernel_size must have 1 or 2 values, got 3",
                      [&] { ConvTranspose2d(4, 4, {.kernel_size = std::vector<int>{3, 3, 3}}); }));
  EXPECT_TRUE(refuses(argument, "Linear: in_features must be at least 1, got 0", [&] { Linear(0, 1); }));
  EXPECT_TRUE(refuses(argument, "Linear: out_features must be at least 1, got 0", [&] { Linear(1, 0); }));
  EXPECT_TRUE(refuses(argument, "BatchNorm2d: num_features must be at least 1, got 0", [&] { BatchNorm2d(0); }));
  EXPECT_TRUE(
      refuses(ErrorCode::shape_mismatch, "LeNet: pictures must be at least 12x12, got 28x11", [&] { LeNet({.height = 28, .width = 11}); }));
  EXPECT_TRUE(
      refuses(ErrorCode::shape_mismatch, "LeNet: pictures must be at least 12x12, got 11x12", [&] { LeNet({.height = 11, .width = 12}); }));
  EXPECT_NO_THROW(LeNet({.height = 12, .width = 12}));
  for (double p : {-0.25, 1.25}) {
    EXPECT_TRUE(refuses(argument, "dropout: p must be in [0, 1], got " + std::to_string(p), [&] { dropout(zeros({2}), p); }));
  }
}

// A module whose names a test chooses.
struct Named : Module {
  Tensor parameter(const char* name) { return add_parameter(name, zeros({1})); }
  Tensor buffer(const char* name) { return add_buffer(name, zeros({1})); }
  void child(const char* name) { add(name, ReLU()); }
  std::string name() const override { return "Named"; }
};

TEST(NnErrors, NamesOfAModuleDifferAndHaveNoDot) {
  constexpr ErrorCode argument = ErrorCode::invalid_argument;
  void (*const adds[])(Named&, const char*) = {[](Named& m, const char* name) { m.parameter(name); },
                                               [](Named& m, const char* name) { m.buffer(name); },
                                               [](Named& m, const char* name) { m.child(name); }};
  for (const auto add : adds) {
    Named module;
    EXPECT_TRUE(refuses(argument, "Named: a name must have no dot and not be empty, got \"\"", [&] { add(module, ""); }));
    EXPECT_TRUE(refuses(argument, "Named: a name must have no dot and not be empty, got \"a.b\"", [&] { add(module, "a.b"); }));
    add(module, "a");
    add(module, "b");
    EXPECT_TRUE(refuses(argument, "Named: names must differ, got \"a\" twice", [&] { add(module, "a"); }));
  }
}

TEST(NnErrors, NumbersOfOptimisers) {
  constexpr ErrorCode argument = ErrorCode::invalid_argument;
  const std::vector<Tensor> p{zeros({2, 3}).set_requires_grad()};
  EXPECT_TRUE(refuses(argument, "SGD: lr must be at least 0, got -1.000000", [&] { SGD(p, {.lr = -1}); }));
  EXPECT_TRUE(refuses(argument, "SGD: momentum must be at least 0, got -1.000000", [&] { SGD(p, {.momentum = -1}); }));
  EXPECT_TRUE(refuses(argument, "SGD: weight_decay must be at least 0, got -1.000000", [&] { SGD(p, {.weight_decay = -1}); }));
  EXPECT_TRUE(refuses(argument, "SGD: nesterov needs a momentum and no dampening, got momentum 0.000000 and dampening 0.000000",
                      [&] { SGD(p, {.nesterov = true}); }));
  EXPECT_TRUE(refuses(argument, "SGD: nesterov needs a momentum and no dampening, got momentum 0.500000 and dampening 0.250000",
                      [&] { SGD(p, {.momentum = 0.5, .dampening = 0.25, .nesterov = true}); }));
  EXPECT_TRUE(refuses(argument, "Adam: eps must be at least 0, got -1.000000", [&] { Adam(p, {.eps = -1}); }));
  EXPECT_TRUE(refuses(argument, "AdamW: weight_decay must be at least 0, got -1.000000", [&] { AdamW(p, {.weight_decay = -1}); }));
  EXPECT_TRUE(refuses(argument, "Adam: betas must be in [0, 1), got 1.000000", [&] { Adam(p, {.beta1 = 1}); }));
  EXPECT_TRUE(refuses(argument, "AdamW: betas must be in [0, 1), got -0.500000", [&] { AdamW(p, {.beta2 = -0.5}); }));
  EXPECT_NO_THROW(SGD(p, {.lr = 0, .momentum = 0, .weight_decay = 0}));
  EXPECT_NO_THROW(Adam(p, {.lr = 0, .beta1 = 0, .beta2 = 0, .eps = 0}));
  EXPECT_TRUE(refuses(argument, "SGD: parameters must be contiguous, got strides 1x3", [&] { SGD({p[0].transpose(0, 1)}, {}); }));
  EXPECT_TRUE(refuses(ErrorCode::dtype_mismatch, "Adam: parameters must be f32, got f64", [&] { Adam({zeros({2}, DType::f64)}, {}); }));
  Adam adam(p, {});
  EXPECT_TRUE(refuses(argument, "Adam: lr must be at least 0, got -2.000000", [&] { adam.set_lr(-2); }));
  EXPECT_TRUE(refuses(argument, "StepLR: step_size must be at least 1, got 0", [&] { StepLR(adam, 0); }));
  EXPECT_TRUE(refuses(argument, "CosineAnnealingLR: t_max must be at least 1, got 0", [&] { CosineAnnealingLR(adam, 0); }));
}

TEST(NnErrors, StatesOfOptimisers) {
  constexpr ErrorCode shape = ErrorCode::shape_mismatch;
  Tensor p = zeros({2, 3}).set_requires_grad();
  sum(p).backward();
  SGD sgd({p}, {.momentum = 0.5});
  Adam adam({p}, {});
  sgd.step();
  adam.step();
  // Each entry is in turn left out, of another shape and of another dtype.
  for (Optimizer* optimizer : {static_cast<Optimizer*>(&sgd), static_cast<Optimizer*>(&adam)}) {
    const std::string op = optimizer == &sgd ? "SGD" : "Adam";
    const StateDict state = optimizer->state();
    ASSERT_GT(state.size(), 1u);
    for (size_t i = 0; i < state.size(); ++i) {
      const auto& [name, value] = state[i];
      const std::string is = std::string(dtype_name(value.dtype())) + " " + to_string(value.shape());
      const DType other = value.dtype() == DType::f64 ? DType::f32 : DType::f64;
      StateDict wrong = state;
      wrong[i].second = zeros({7}, value.dtype());
      EXPECT_TRUE(refuses(shape, op + ": state must be " + is + " for " + name + ", got " + std::string(dtype_name(value.dtype())) + " 7",
                          [&] { optimizer->load_state(wrong); }));
      wrong[i].second = value.to(other);
      EXPECT_TRUE(refuses(
          shape, op + ": state must be " + is + " for " + name + ", got " + std::string(dtype_name(other)) + " " + to_string(value.shape()),
          [&] { optimizer->load_state(wrong); }));
      wrong.erase(wrong.begin() + static_cast<std::ptrdiff_t>(i));
      if (name.starts_with("momentum_buffer") || name.starts_with("step")) {
        EXPECT_NO_THROW(optimizer->load_state(wrong)) << name;  // a parameter that has had no step
        optimizer->load_state(state);
      } else {
        EXPECT_TRUE(refuses(shape, op + ": state must have " + name + ", got none", [&] { optimizer->load_state(wrong); }));
      }
    }
  }
}

TEST(NnErrors, NamesOfWeightFiles) {
  for (const char* path : {"weights.bin", "npz", "weights.npz.gz", ""}) {
    const std::string rule = std::string(": file names must end in .safetensors or .npz, got '") + path + "'";
    EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "load_weights" + rule, [&] { load_weights(path); }));
    EXPECT_TRUE(refuses(ErrorCode::invalid_argument, "save_weights" + rule, [&] { save_weights(path, {}); }));
  }
}

}  // namespace
}  // namespace tidepool::nn
