// Pooling as layers, with PyTorch's arguments, in 1, 2 and 3 dimensions: MaxPool2d(3, 2, 1), or MaxPool2d({.kernel_size = 3, …}) with all
// that ops/ knows. A function of C++ returns one type: a layer made with return_indices gives its results by forward_with_indices, and
// refuses forward; one made without has both.
#pragma once

#include "tidepool/functional/pooling.h"
#include "tidepool/nn/module.h"

namespace tidepool::nn {

template <int N>
class MaxPool : public Module {
 public:
  explicit MaxPool(const MaxPoolOptions<N>& options) : options_(options) {}
  template <ExtentLike<N> K>
  explicit MaxPool(const K& kernel_size, const Extent<N>& stride = {}, const Padding<N>& padding = 0, const Extent<N>& dilation = 1,
                   bool return_indices = false, bool ceil_mode = false)
      : options_{.kernel_size = kernel_size, .stride = stride, .padding = padding, .dilation = dilation, .ceil_mode = ceil_mode},
        return_indices_(return_indices) {}
  Tensor forward(const Tensor& x) override;
  Pooled forward_with_indices(const Tensor& x);
  std::string name() const override { return "MaxPool" + std::to_string(N) + "d"; }
  std::string extra_repr() const override;

 private:
  MaxPoolOptions<N> options_;
  bool return_indices_ = false;
};

template <int N>
class AvgPool : public Module {
 public:
  explicit AvgPool(const AvgPoolOptions<N>& options) : options_(options) {}
  template <ExtentLike<N> K>
  explicit AvgPool(const K& kernel_size, const Extent<N>& stride = {}, const Padding<N>& padding = 0, bool ceil_mode = false,
                   bool count_include_pad = true, std::optional<int64_t> divisor_override = {})
      : options_{.kernel_size = kernel_size,
                 .stride = stride,
                 .padding = padding,
                 .ceil_mode = ceil_mode,
                 .count_include_pad = count_include_pad,
                 .divisor_override = divisor_override} {}
  Tensor forward(const Tensor& x) override;
  std::string name() const override { return "AvgPool" + std::to_string(N) + "d"; }
  std::string extra_repr() const override;

 private:
  AvgPoolOptions<N> options_;
};

template <int N>
class LPPool : public Module {
 public:
  explicit LPPool(const LpPoolOptions<N>& options) : options_(options) {}
  LPPool(double norm_type, const Extent<N>& kernel_size, const Extent<N>& stride = {}, bool ceil_mode = false)
      : options_{.norm_type = norm_type, .kernel_size = kernel_size, .stride = stride, .ceil_mode = ceil_mode} {}
  Tensor forward(const Tensor& x) override;
  std::string name() const override { return "LPPool" + std::to_string(N) + "d"; }
  std::string extra_repr() const override;

 private:
  LpPoolOptions<N> options_;
};

template <int N>
class AdaptiveAvgPool : public Module {
 public:
  explicit AdaptiveAvgPool(const Extent<N>& output_size) : size_(output_size) {}
  Tensor forward(const Tensor& x) override;
  std::string name() const override { return "AdaptiveAvgPool" + std::to_string(N) + "d"; }
  std::string extra_repr() const override;

 private:
  Extent<N> size_;
};

template <int N>
class AdaptiveMaxPool : public Module {
 public:
  explicit AdaptiveMaxPool(const Extent<N>& output_size, bool return_indices = false, const AdaptiveMaxOptions& options = {})
      : size_(output_size), options_(options), return_indices_(return_indices) {}
  Tensor forward(const Tensor& x) override;
  Pooled forward_with_indices(const Tensor& x);
  std::string name() const override { return "AdaptiveMaxPool" + std::to_string(N) + "d"; }
  std::string extra_repr() const override;

 private:
  Extent<N> size_;
  AdaptiveMaxOptions options_;
  bool return_indices_;
};

// Other windows at every call, drawn from the generator of random.h, unless the options bring samples.
template <int N>
class FractionalMaxPool : public Module {
 public:
  explicit FractionalMaxPool(const FractionalMaxPoolOptions<N>& options) : options_(options) {}
  Tensor forward(const Tensor& x) override;
  Pooled forward_with_indices(const Tensor& x);
  std::string name() const override { return "FractionalMaxPool" + std::to_string(N) + "d"; }

 private:
  FractionalMaxPoolOptions<N> options_;
};

template <int N>
class MaxUnpool : public Module {
 public:
  explicit MaxUnpool(const MaxUnpoolOptions<N>& options) : options_(options) {}
  template <ExtentLike<N> K>
  explicit MaxUnpool(const K& kernel_size, const Extent<N>& stride = {}, const Padding<N>& padding = 0)
      : options_{.kernel_size = kernel_size, .stride = stride, .padding = padding} {}
  Tensor forward(const Tensor& x, const Tensor& indices, const Dims& output_size = {});
  Tensor operator()(const Tensor& x, const Tensor& indices, const Dims& output_size = {}) { return forward(x, indices, output_size); }
  std::string name() const override { return "MaxUnpool" + std::to_string(N) + "d"; }
  std::string extra_repr() const override;

 private:
  using Module::forward;
  MaxUnpoolOptions<N> options_;
};

#define TIDEPOOL_POOL_MODULES(N)                    \
  using MaxPool##N##d = MaxPool<N>;                 \
  using AvgPool##N##d = AvgPool<N>;                 \
  using LPPool##N##d = LPPool<N>;                   \
  using AdaptiveAvgPool##N##d = AdaptiveAvgPool<N>; \
  using AdaptiveMaxPool##N##d = AdaptiveMaxPool<N>; \
  using MaxUnpool##N##d = MaxUnpool<N>;
TIDEPOOL_POOL_MODULES(1)
TIDEPOOL_POOL_MODULES(2)
TIDEPOOL_POOL_MODULES(3)
#undef TIDEPOOL_POOL_MODULES
using FractionalMaxPool2d = FractionalMaxPool<2>;
using FractionalMaxPool3d = FractionalMaxPool<3>;

}  // namespace tidepool::nn
