// Pooling layers in 1, 2 and 3 dimensions. They take PyTorch's arguments, or the options of tidepool/ops by name:
//
//   MaxPool2d(3, 2, 1), MaxPool2d({3, 2}), MaxPool2d(3, {.stride = 2}), MaxPool2d({.kernel_size = 3, .stride = 2})
//
// forward returns values and forward_with_indices values and indices, because a C++ function has one return type. A layer created with
// return_indices = true throws Error in forward, so that code ported from PyTorch cannot lose its indices unnoticed.
#pragma once

#include <concepts>
#include <string>
#include <utility>

#include "tidepool/export.h"
#include "tidepool/nn/module.h"
#include "tidepool/ops/adaptive_pool.h"
#include "tidepool/ops/avg_pool.h"
#include "tidepool/ops/fractional_max_pool.h"
#include "tidepool/ops/lp_pool.h"
#include "tidepool/ops/max_pool.h"
#include "tidepool/ops/max_unpool.h"

namespace tidepool::inline v0_1::nn {

// Layers that take a size in braces are moved by a template. With an ordinary move constructor, GCC 12 finds MaxPool2d({3, 2}) ambiguous:
// it could also be a copy of MaxPool2d{3, 2}, which means kernel 3 and stride 2.
template <class M, class Layer>
concept RvalueOf = std::same_as<M, Layer>;

template <int N>
class TIDEPOOL_API MaxPool : public Module {
 public:
  explicit MaxPool(const MaxPoolOptions<N>& options) : options_(options) {}
  explicit MaxPool(const Extent<N>& kernel_size, const MaxPoolOptions<N>& options)
      : options_(
            tidepool::detail::with_field(MaxPool::name().c_str(), "kernel_size", &MaxPoolOptions<N>::kernel_size, kernel_size, options)) {}
  explicit MaxPool(const Extent<N>& kernel_size, const Extent<N>& stride = {}, const Padding<N>& padding = 0, const Extent<N>& dilation = 1,
                   Flag return_indices = false, const CeilMode& ceil_mode = false)
      : options_{.kernel_size = kernel_size, .stride = stride, .padding = padding, .dilation = dilation, .ceil_mode = ceil_mode},
        return_indices_(return_indices) {}
  MaxPool(MaxPool&) = delete;
  template <RvalueOf<MaxPool> M>
  MaxPool(M&& other) noexcept : Module(static_cast<Module&&>(other)), options_(other.options_), return_indices_(other.return_indices_) {}
  MaxPool& operator=(MaxPool&&) = default;

  Tensor forward(const Tensor& x) override;
  Pooled forward_with_indices(const Tensor& x) { return MaxPoolFunctions<N>::with_indices(x, options_); }
  std::string name() const override { return "MaxPool" + std::to_string(N) + "d"; }
  std::string extra_repr() const override;

 private:
  MaxPoolOptions<N> options_;
  bool return_indices_ = false;
};

template <int N>
class TIDEPOOL_API AvgPool : public Module {
 public:
  explicit AvgPool(const AvgPoolOptions<N>& options) : options_(options) {}
  explicit AvgPool(const Extent<N>& kernel_size, const AvgPoolOptions<N>& options)
      : options_(
            tidepool::detail::with_field(AvgPool::name().c_str(), "kernel_size", &AvgPoolOptions<N>::kernel_size, kernel_size, options)) {}
  explicit AvgPool(const Extent<N>& kernel_size, const Extent<N>& stride = {}, const Padding<N>& padding = 0,
                   const CeilMode& ceil_mode = false, const CountPad& count_include_pad = true,
                   std::optional<Size> divisor_override = std::nullopt)
      : options_{.kernel_size = kernel_size,
                 .stride = stride,
                 .padding = padding,
                 .ceil_mode = ceil_mode,
                 .count_include_pad = count_include_pad,
                 .divisor_override = divisor_override} {}
  AvgPool(AvgPool&) = delete;
  template <RvalueOf<AvgPool> M>
  AvgPool(M&& other) noexcept : Module(static_cast<Module&&>(other)), options_(other.options_) {}
  AvgPool& operator=(AvgPool&&) = default;

  Tensor forward(const Tensor& x) override { return AvgPoolFunctions<N>::forward(x, options_); }
  std::string name() const override { return "AvgPool" + std::to_string(N) + "d"; }
  std::string extra_repr() const override;

 private:
  AvgPoolOptions<N> options_;
};

template <int N>
class TIDEPOOL_API LPPool : public Module {
 public:
  explicit LPPool(const LpPoolOptions<N>& options) : options_(options) {}
  explicit LPPool(double norm_type, const Extent<N>& kernel_size, const LpPoolOptions<N>& options)
      : options_(
            tidepool::detail::with_field(LPPool::name().c_str(), "kernel_size", &LpPoolOptions<N>::kernel_size, kernel_size, options)) {
    options_.norm_type = norm_type;
  }
  explicit LPPool(double norm_type, const Extent<N>& kernel_size, const Extent<N>& stride = {}, const CeilMode& ceil_mode = false)
      : options_{.norm_type = norm_type, .kernel_size = kernel_size, .stride = stride, .ceil_mode = ceil_mode} {}
  Tensor forward(const Tensor& x) override { return LpPoolFunctions<N>::forward(x, options_); }
  std::string name() const override { return "LPPool" + std::to_string(N) + "d"; }
  std::string extra_repr() const override;

 private:
  LpPoolOptions<N> options_;
};

template <int N>
class TIDEPOOL_API AdaptiveAvgPool : public Module {
 public:
  explicit AdaptiveAvgPool(const AdaptiveAvgPoolOptions<N>& options) : options_(options) {}
  explicit AdaptiveAvgPool(const Extent<N>& output_size) : options_{.output_size = output_size} {}
  AdaptiveAvgPool(AdaptiveAvgPool&) = delete;
  template <RvalueOf<AdaptiveAvgPool> M>
  AdaptiveAvgPool(M&& other) noexcept : Module(static_cast<Module&&>(other)), options_(other.options_) {}
  AdaptiveAvgPool& operator=(AdaptiveAvgPool&&) = default;

  Tensor forward(const Tensor& x) override { return AdaptiveAvgPoolFunctions<N>::forward(x, options_); }
  std::string name() const override { return "AdaptiveAvgPool" + std::to_string(N) + "d"; }
  std::string extra_repr() const override;

 private:
  AdaptiveAvgPoolOptions<N> options_;
};

template <int N>
class TIDEPOOL_API AdaptiveMaxPool : public Module {
 public:
  explicit AdaptiveMaxPool(const AdaptiveMaxPoolOptions<N>& options) : options_(options) {}
  explicit AdaptiveMaxPool(const Extent<N>& output_size, const AdaptiveMaxPoolOptions<N>& options)
      : options_(tidepool::detail::with_field(AdaptiveMaxPool::name().c_str(), "output_size", &AdaptiveMaxPoolOptions<N>::output_size,
                                              output_size, options)) {}
  explicit AdaptiveMaxPool(const Extent<N>& output_size, Flag return_indices = false)
      : options_{.output_size = output_size}, return_indices_(return_indices) {}
  AdaptiveMaxPool(AdaptiveMaxPool&) = delete;
  template <RvalueOf<AdaptiveMaxPool> M>
  AdaptiveMaxPool(M&& other) noexcept
      : Module(static_cast<Module&&>(other)), options_(other.options_), return_indices_(other.return_indices_) {}
  AdaptiveMaxPool& operator=(AdaptiveMaxPool&&) = default;

  Tensor forward(const Tensor& x) override;
  Pooled forward_with_indices(const Tensor& x) { return AdaptiveMaxPoolFunctions<N>::with_indices(x, options_); }
  std::string name() const override { return "AdaptiveMaxPool" + std::to_string(N) + "d"; }
  std::string extra_repr() const override;

 private:
  AdaptiveMaxPoolOptions<N> options_;
  bool return_indices_ = false;
};

// Unless the options contain samples, every call takes a new seed from the generator of random.h and so uses other windows. The option
// `seed` has no effect.
template <int N>
class TIDEPOOL_API FractionalMaxPool : public Module {
 public:
  explicit FractionalMaxPool(const FractionalMaxPoolOptions<N>& options) : options_(options) {}
  explicit FractionalMaxPool(const Extent<N>& kernel_size, const FractionalMaxPoolOptions<N>& options)
      : options_(tidepool::detail::with_field(FractionalMaxPool::name().c_str(), "kernel_size", &FractionalMaxPoolOptions<N>::kernel_size,
                                              kernel_size, options)) {}
  explicit FractionalMaxPool(const Extent<N>& kernel_size, const Extent<N>& output_size)
      : options_{.kernel_size = kernel_size, .output_size = output_size} {}
  Tensor forward(const Tensor& x) override;
  Pooled forward_with_indices(const Tensor& x);
  std::string name() const override { return "FractionalMaxPool" + std::to_string(N) + "d"; }

 private:
  FractionalMaxPoolOptions<N> options_;
};

template <int N>
class TIDEPOOL_API MaxUnpool : public Module {
 public:
  explicit MaxUnpool(const MaxUnpoolOptions<N>& options) : options_(options) {}
  explicit MaxUnpool(const Extent<N>& kernel_size, const MaxUnpoolOptions<N>& options)
      : options_(tidepool::detail::with_field(MaxUnpool::name().c_str(), "kernel_size", &MaxUnpoolOptions<N>::kernel_size, kernel_size,
                                              options)) {}
  explicit MaxUnpool(const Extent<N>& kernel_size, const Extent<N>& stride = {}, const Padding<N>& padding = 0)
      : options_{.kernel_size = kernel_size, .stride = stride, .padding = padding} {}
  MaxUnpool(MaxUnpool&) = delete;
  template <RvalueOf<MaxUnpool> M>
  MaxUnpool(M&& other) noexcept : Module(static_cast<Module&&>(other)), options_(other.options_) {}
  MaxUnpool& operator=(MaxUnpool&&) = default;

  Tensor forward(const Tensor& x, const Tensor& indices, const Dims& output_size = {});
  Tensor operator()(const Tensor& x, const Tensor& indices, const Dims& output_size = {}) { return forward(x, indices, output_size); }
  std::string name() const override { return "MaxUnpool" + std::to_string(N) + "d"; }
  std::string extra_repr() const override;

 private:
  using Module::forward;
  MaxUnpoolOptions<N> options_;
};

using MaxPool1d = MaxPool<1>;
using MaxPool2d = MaxPool<2>;
using MaxPool3d = MaxPool<3>;
using AvgPool1d = AvgPool<1>;
using AvgPool2d = AvgPool<2>;
using AvgPool3d = AvgPool<3>;
using LPPool1d = LPPool<1>;
using LPPool2d = LPPool<2>;
using LPPool3d = LPPool<3>;
using AdaptiveAvgPool1d = AdaptiveAvgPool<1>;
using AdaptiveAvgPool2d = AdaptiveAvgPool<2>;
using AdaptiveAvgPool3d = AdaptiveAvgPool<3>;
using AdaptiveMaxPool1d = AdaptiveMaxPool<1>;
using AdaptiveMaxPool2d = AdaptiveMaxPool<2>;
using AdaptiveMaxPool3d = AdaptiveMaxPool<3>;
using FractionalMaxPool2d = FractionalMaxPool<2>;
using FractionalMaxPool3d = FractionalMaxPool<3>;
using MaxUnpool1d = MaxUnpool<1>;
using MaxUnpool2d = MaxUnpool<2>;
using MaxUnpool3d = MaxUnpool<3>;

}  // namespace tidepool::inline v0_1::nn
