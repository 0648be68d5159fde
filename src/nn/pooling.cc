#include "tidepool/nn/pooling.h"

#include <cmath>

#include "nn/repr.h"
#include "tidepool/random.h"

namespace tidepool::inline v0_1::nn {
namespace {

using detail::repr;
using detail::repr_given;
using detail::repr_tuple;

bool is_ceil(const CeilMode& mode) { return mode.rounding.value_or(Rounding::floor) != Rounding::floor; }

// PyTorch prints norm_type as the Python number that it was given, usually 2 and not 2.0. So whole numbers are printed as integers.
std::string norm_text(double value) {
  const bool whole = std::isfinite(value) && value == std::trunc(value) && std::fabs(value) < 1e15;
  return whole ? std::to_string(static_cast<int64_t>(value)) : repr(value);
}

void check_no_indices(const Module& layer, bool return_indices) {
  if (return_indices)
    throw Error(ErrorCode::unsupported,
                layer.name() + ": forward cannot return indices, got return_indices=True (use forward_with_indices)");
}

const Sizes& stride_of(const Sizes& stride, const Sizes& kernel_size) { return stride.is_set() ? stride : kernel_size; }

// Unless samples are given, every call uses new windows.
template <int N>
FractionalMaxPoolOptions<N> with_seed(const FractionalMaxPoolOptions<N>& options) {
  FractionalMaxPoolOptions<N> result = options;
  if (!options.samples.defined()) result.seed = next_seed();
  return result;
}

}  // namespace

template <int N>
std::string MaxPool<N>::extra_repr() const {
  return "kernel_size=" + repr_given(options_.kernel_size, N) +
         ", stride=" + repr_given(stride_of(options_.stride, options_.kernel_size), N) + ", padding=" + repr_given(options_.padding, N) +
         ", dilation=" + repr_given(options_.dilation, N) + ", ceil_mode=" + repr(is_ceil(options_.ceil_mode));
}

template <int N>
std::string AvgPool<N>::extra_repr() const {
  const Sizes& stride = stride_of(options_.stride, options_.kernel_size);
  if (N == 1)
    return "kernel_size=" + repr_tuple(options_.kernel_size, N) + ", stride=" + repr_tuple(stride, N) +
           ", padding=" + repr_tuple(options_.padding, N);
  return "kernel_size=" + repr_given(options_.kernel_size, N) + ", stride=" + repr_given(stride, N) +
         ", padding=" + repr_given(options_.padding, N);
}

template <int N>
std::string LPPool<N>::extra_repr() const {
  return "norm_type=" + norm_text(options_.norm_type) + ", kernel_size=" + repr_given(options_.kernel_size, N) +
         ", stride=" + (options_.stride.is_set() ? repr_given(options_.stride, N) : "None") +
         ", ceil_mode=" + repr(is_ceil(options_.ceil_mode));
}

template <int N>
std::string AdaptiveAvgPool<N>::extra_repr() const {
  return "output_size=" + repr_given(options_.output_size, N);
}

template <int N>
std::string AdaptiveMaxPool<N>::extra_repr() const {
  return "output_size=" + repr_given(options_.output_size, N);
}

template <int N>
std::string MaxUnpool<N>::extra_repr() const {
  return "kernel_size=" + repr_tuple(options_.kernel_size, N) +
         ", stride=" + repr_tuple(stride_of(options_.stride, options_.kernel_size), N) + ", padding=" + repr_tuple(options_.padding, N);
}

template <int N>
Tensor MaxPool<N>::forward(const Tensor& x) {
  check_no_indices(*this, return_indices_);
  return MaxPoolFunctions<N>::forward(x, options_);
}

template <int N>
Tensor AdaptiveMaxPool<N>::forward(const Tensor& x) {
  check_no_indices(*this, return_indices_);
  return AdaptiveMaxPoolFunctions<N>::forward(x, options_);
}

template <int N>
Tensor FractionalMaxPool<N>::forward(const Tensor& x) {
  return FractionalMaxPoolFunctions<N>::forward(x, with_seed(options_));
}

template <int N>
Pooled FractionalMaxPool<N>::forward_with_indices(const Tensor& x) {
  return FractionalMaxPoolFunctions<N>::with_indices(x, with_seed(options_));
}

template <int N>
Tensor MaxUnpool<N>::forward(const Tensor& x, const Tensor& indices, const Dims& output_size) {
  MaxUnpoolOptions<N> options = options_;
  if (output_size.rank > 0) options.output_size = output_size;
  return MaxUnpoolFunctions<N>::forward(x, indices, options);
}

template class MaxPool<1>;
template class MaxPool<2>;
template class MaxPool<3>;
template class AvgPool<1>;
template class AvgPool<2>;
template class AvgPool<3>;
template class LPPool<1>;
template class LPPool<2>;
template class LPPool<3>;
template class AdaptiveAvgPool<1>;
template class AdaptiveAvgPool<2>;
template class AdaptiveAvgPool<3>;
template class AdaptiveMaxPool<1>;
template class AdaptiveMaxPool<2>;
template class AdaptiveMaxPool<3>;
template class FractionalMaxPool<2>;
template class FractionalMaxPool<3>;
template class MaxUnpool<1>;
template class MaxUnpool<2>;
template class MaxUnpool<3>;

}  // namespace tidepool::inline v0_1::nn
