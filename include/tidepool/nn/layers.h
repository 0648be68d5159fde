// Layers other than pooling. Arguments, defaults, names and the distribution of initial weights are those of PyTorch.
#pragma once

#include "tidepool/export.h"
#include "tidepool/functional.h"
#include "tidepool/nn/functional.h"
#include "tidepool/nn/module.h"

// Every layer that is not a template has a virtual function that is defined in the library. Its virtual table, and with it the name of its
// class, then comes from there, also when the program is compiled with -fno-rtti.
namespace tidepool::inline v0_1::nn {

template <int N>
class TIDEPOOL_API Conv : public Module {
 public:
  explicit Conv(Size in_channels, Size out_channels, const ConvOptions<N>& options);
  explicit Conv(Size in_channels, Size out_channels, const Extent<N>& kernel_size, const ConvOptions<N>& options)
      : Conv(in_channels, out_channels,
             tidepool::detail::with_field(N == 1   ? "Conv1d"
                                          : N == 2 ? "Conv2d"
                                                   : "Conv3d",
                                          "kernel_size", &ConvOptions<N>::kernel_size, kernel_size, options)) {}
  explicit Conv(Size in_channels, Size out_channels, const Extent<N>& kernel_size, const Extent<N>& stride = 1,
                const Padding<N>& padding = 0, const Extent<N>& dilation = 1, Size groups = 1, Flag with_bias = true)
      : Conv(in_channels, out_channels,
             ConvOptions<N>{.kernel_size = kernel_size,
                            .stride = stride,
                            .padding = padding,
                            .dilation = dilation,
                            .groups = groups,
                            .bias = with_bias}) {}
  Tensor forward(const Tensor& x) override;
  std::string name() const override { return "Conv" + std::to_string(N) + "d"; }
  std::string extra_repr() const override;

  Tensor weight, bias;  // bias is undefined if the layer has none

 private:
  int64_t in_, out_;
  ConvOptions<N> options_;
};

using Conv1d = Conv<1>;
using Conv2d = Conv<2>;
using Conv3d = Conv<3>;

class TIDEPOOL_API ConvTranspose2d : public Module {
 public:
  explicit ConvTranspose2d(Size in_channels, Size out_channels, const ConvTransposeOptions& options);
  explicit ConvTranspose2d(Size in_channels, Size out_channels, const Extent<2>& kernel_size, const ConvTransposeOptions& options)
      : ConvTranspose2d(
            in_channels, out_channels,
            tidepool::detail::with_field("ConvTranspose2d", "kernel_size", &ConvTransposeOptions::kernel_size, kernel_size, options)) {}
  explicit ConvTranspose2d(Size in_channels, Size out_channels, const Extent<2>& kernel_size, const Extent<2>& stride = 1,
                           const Padding<2>& padding = 0, const Extent<2>& output_padding = 0, Size groups = 1, Flag with_bias = true,
                           const Extent<2>& dilation = 1)
      : ConvTranspose2d(in_channels, out_channels,
                        ConvTransposeOptions{.kernel_size = kernel_size,
                                             .stride = stride,
                                             .padding = padding,
                                             .output_padding = output_padding,
                                             .groups = groups,
                                             .bias = with_bias,
                                             .dilation = dilation}) {}
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  Tensor weight, bias;

 private:
  int64_t in_, out_;
  ConvTransposeOptions options_;
};

class TIDEPOOL_API Linear : public Module {
 public:
  explicit Linear(Size in_features, Size out_features, Flag bias = true);
  Tensor forward(const Tensor& x) override { return linear(x, weight, bias); }
  std::string extra_repr() const override;

  Tensor weight, bias;
};

struct BatchNorm2dOptions {
  NamedOnly named_only = NamedOnly::fields();
  double eps = 1e-5;
  double momentum = 0.1;
  Flag affine = true;  // whether the layer has a weight
  Flag bias = true;    // whether it has a bias; only if affine
  Flag track_running_stats = true;
};

class TIDEPOOL_API BatchNorm2d : public Module {
 public:
  explicit BatchNorm2d(Size num_features, const BatchNorm2dOptions& options = {});
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override;

  Tensor weight, bias, running_mean, running_var, num_batches_tracked;

 private:
  int64_t features_;
  BatchNorm2dOptions options_;
};

class TIDEPOOL_API ReLU : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};

class TIDEPOOL_API LeakyReLU : public Module {
 public:
  explicit LeakyReLU(double negative_slope = 0.01) : slope_(negative_slope) {}
  Tensor forward(const Tensor& x) override { return leaky_relu(x, slope_); }
  std::string extra_repr() const override;

 private:
  double slope_;
};

class TIDEPOOL_API Sigmoid : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};

class TIDEPOOL_API Tanh : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};

class TIDEPOOL_API GELU : public Module {
 public:
  Tensor forward(const Tensor& x) override;
  std::string extra_repr() const override { return "approximate='none'"; }
};

class TIDEPOOL_API Dropout : public Module {
 public:
  explicit Dropout(double p = 0.5) : p_(p) {}
  Tensor forward(const Tensor& x) override { return dropout(x, p_, is_training()); }
  std::string extra_repr() const override;

 private:
  double p_;
};

class TIDEPOOL_API Flatten : public Module {
 public:
  explicit Flatten(int start_dim = 1, int end_dim = -1) : start_(start_dim), end_(end_dim) {}
  Tensor forward(const Tensor& x) override { return flatten(x, start_, end_); }
  std::string extra_repr() const override;

 private:
  int start_, end_;
};

// Returns its input. For optional layers of a network.
class TIDEPOOL_API Identity : public Module {
 public:
  Tensor forward(const Tensor& x) override;
};

class TIDEPOOL_API CrossEntropyLoss : public Module {
 public:
  explicit CrossEntropyLoss(const CrossEntropyOptions& options = {}) : options_(options) {}
  Tensor operator()(const Tensor& x, const Tensor& targets) const { return cross_entropy(x, targets, options_); }
  std::string name() const override;

 private:
  CrossEntropyOptions options_;
};

class TIDEPOOL_API MSELoss : public Module {
 public:
  explicit MSELoss(LossReduction reduction = LossReduction::mean) : reduction_(reduction) {}
  Tensor operator()(const Tensor& x, const Tensor& target) const { return mse_loss(x, target, reduction_); }
  std::string name() const override;

 private:
  LossReduction reduction_;
};

}  // namespace tidepool::inline v0_1::nn
