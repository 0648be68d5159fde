#include "tidepool/nn/pooling.h"

#include <cmath>

#include "nn/repr.h"
#include "tidepool/nn/random.h"

namespace tidepool::nn {
namespace {

using detail::repr;
using detail::repr_given;
using detail::repr_tuple;

bool is_ceil(const CeilMode& mode) { return mode.rounding.value_or(Rounding::floor) != Rounding::floor; }

// A number as it was most likely typed: PyTorch prints 2 for a norm of 2 and 1.5 for one of 1.5.
std::string as_typed(double value) {
  const bool whole = std::isfinite(value) && value == std::trunc(value) && std::fabs(value) < 1e15;
  return whole ? std::to_string(static_cast<int64_t>(value)) : repr(value);
}

void check_values_alone(const Module& layer, bool return_indices) {
  if (return_indices)
    throw Error(ErrorCode::unsupported,
                layer.name() + ": forward must not be asked for indices, got return_indices=True (use forward_with_indices)");
}

const Sizes& stride_of(const Sizes& stride, const Sizes& kernel_size) { return stride.is_set() ? stride : kernel_size; }

template <int N>
FractionalMaxPoolOptions<N> drawn(const FractionalMaxPoolOptions<N>& options) {
  FractionalMaxPoolOptions<N> result = options;
  if (options.samples.data == nullptr) result.seed = next_seed();
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
  return "norm_type=" + as_typed(options_.norm_type) + ", kernel_size=" + repr_given(options_.kernel_size, N) +
         ", stride=" + (options_.stride.is_set() ? repr_given(options_.stride, N) : "None") +
         ", ceil_mode=" + repr(is_ceil(options_.ceil_mode));
}

template <int N>
std::string AdaptiveAvgPool<N>::extra_repr() const {
  return "output_size=" + repr_given(size_, N);
}

template <int N>
std::string AdaptiveMaxPool<N>::extra_repr() const {
  return "output_size=" + repr_given(size_, N);
}

template <int N>
std::string MaxUnpool<N>::extra_repr() const {
  return "kernel_size=" + repr_tuple(options_.kernel_size, N) +
         ", stride=" + repr_tuple(stride_of(options_.stride, options_.kernel_size), N) + ", padding=" + repr_tuple(options_.padding, N);
}

#define TIDEPOOL_POOL_MODULES(N)                                                                  \
  template <>                                                                                     \
  Tensor MaxPool<N>::forward(const Tensor& x) {                                                   \
    check_values_alone(*this, return_indices_);                                                   \
    return max_pool##N##d(x, options_);                                                           \
  }                                                                                               \
  template <>                                                                                     \
  Pooled MaxPool<N>::forward_with_indices(const Tensor& x) {                                      \
    return max_pool##N##d_with_indices(x, options_);                                              \
  }                                                                                               \
  template <>                                                                                     \
  Tensor AvgPool<N>::forward(const Tensor& x) {                                                   \
    return avg_pool##N##d(x, options_);                                                           \
  }                                                                                               \
  template <>                                                                                     \
  Tensor LPPool<N>::forward(const Tensor& x) {                                                    \
    return lp_pool##N##d(x, options_);                                                            \
  }                                                                                               \
  template <>                                                                                     \
  Tensor AdaptiveAvgPool<N>::forward(const Tensor& x) {                                           \
    return adaptive_avg_pool##N##d(x, size_);                                                     \
  }                                                                                               \
  template <>                                                                                     \
  Tensor AdaptiveMaxPool<N>::forward(const Tensor& x) {                                           \
    check_values_alone(*this, return_indices_);                                                   \
    return adaptive_max_pool##N##d(x, size_, options_);                                           \
  }                                                                                               \
  template <>                                                                                     \
  Pooled AdaptiveMaxPool<N>::forward_with_indices(const Tensor& x) {                              \
    return adaptive_max_pool##N##d_with_indices(x, size_, options_);                              \
  }                                                                                               \
  template <>                                                                                     \
  Tensor MaxUnpool<N>::forward(const Tensor& x, const Tensor& indices, const Dims& output_size) { \
    MaxUnpoolOptions<N> options = options_;                                                       \
    if (output_size.rank > 0) options.output_size = output_size;                                  \
    return max_unpool##N##d(x, indices, options);                                                 \
  }                                                                                               \
  template class MaxPool<N>;                                                                      \
  template class AvgPool<N>;                                                                      \
  template class LPPool<N>;                                                                       \
  template class AdaptiveAvgPool<N>;                                                              \
  template class AdaptiveMaxPool<N>;                                                              \
  template class MaxUnpool<N>;
TIDEPOOL_POOL_MODULES(1)
TIDEPOOL_POOL_MODULES(2)
TIDEPOOL_POOL_MODULES(3)
#undef TIDEPOOL_POOL_MODULES

#define TIDEPOOL_FRACTIONAL_MODULES(N)                                 \
  template <>                                                          \
  Tensor FractionalMaxPool<N>::forward(const Tensor& x) {              \
    return fractional_max_pool##N##d(x, drawn(options_));              \
  }                                                                    \
  template <>                                                          \
  Pooled FractionalMaxPool<N>::forward_with_indices(const Tensor& x) { \
    return fractional_max_pool##N##d_with_indices(x, drawn(options_)); \
  }                                                                    \
  template class FractionalMaxPool<N>;
TIDEPOOL_FRACTIONAL_MODULES(2)
TIDEPOOL_FRACTIONAL_MODULES(3)
#undef TIDEPOOL_FRACTIONAL_MODULES

}  // namespace tidepool::nn
