// Runs convolution, pooling and their inverses.
#include <algorithm>
#include <limits>

#include "core/checked.h"
#include "nn/run_layer.h"
#include "tidepool/autograd.h"
#include "tidepool/nn/functional.h"
#include "tidepool/ops/adaptive_pool.h"
#include "tidepool/ops/avg_pool.h"
#include "tidepool/ops/fractional_max_pool.h"
#include "tidepool/ops/lp_pool.h"
#include "tidepool/ops/max_pool.h"
#include "tidepool/ops/max_unpool.h"
#include "tidepool/ops/min_pool.h"
#include "tidepool/ops/sum_pool.h"

namespace tidepool::inline v0_1::nn::detail {
namespace {

// Calls `call` with the number of spatial dimensions as a constant.
template <class Call>
Tensor for_rank(int rank, const Call& call) {
  if (rank == 1) return call(std::integral_constant<int, 1>());
  if (rank == 2) return call(std::integral_constant<int, 2>());
  return call(std::integral_constant<int, 3>());
}

template <int N>
Extent<N> extent(const Sizes& sizes) {
  Extent<N> result;
  static_cast<Sizes&>(result) = sizes;
  return result;
}

template <int N>
Padding<N> padding(const Pads& pads) {
  Padding<N> result;
  static_cast<Pads&>(result) = pads;
  return result;
}

// The padding of a convolution in numbers: nn::conv2d takes `same` for stride 1 alone.
Sides sides_of(const analyze::Conv& conv, int axis, int64_t length) {
  if (conv.padding.mode == PaddingMode::valid) return {};
  if (conv.padding.mode == PaddingMode::explicit_sides) return conv.padding[axis];
  const int64_t stride = conv.stride[axis], reach = (conv.kernel_size[axis] - 1) * conv.dilation[axis] + 1;
  const int64_t total = std::max<int64_t>(0, (tidepool::detail::ceil_div(length, stride) - 1) * stride + reach - length);
  const int64_t less = total / 2;
  return conv.padding.mode == PaddingMode::same_upper ? Sides(less, total - less) : Sides(total - less, less);
}

Dims weight_shape(int64_t first, int64_t second, const Sizes& kernel, int rank) {
  Dims shape{first, second};
  for (int axis = 0; axis < rank; ++axis) shape.push_back(kernel[axis]);
  return shape;
}

int64_t taps(const Sizes& kernel, int rank) {
  int64_t count = 1;
  for (int axis = 0; axis < rank; ++axis) count *= kernel[axis];
  return count;
}

template <int N>
Tensor convolved(const Tensor& x, const Tensor& weight, const ConvOptions<N>& options) {
  if constexpr (N == 1)
    return conv1d(x, weight, {}, options);
  else if constexpr (N == 2)
    return conv2d(x, weight, {}, options);
  else
    return conv3d(x, weight, {}, options);
}

// A transposed convolution without padding, for every rank: the gradient of the convolution with respect to its input.
template <int N>
Tensor transposed(const LayerRun& run, const Tensor& weight, const Sizes& stride, const Sizes& dilation, int64_t groups) {
  const Tensor& x = run.x[0];
  Dims shape{x.size(0), weight.size(1) * groups};
  for (int axis = 0; axis < N; ++axis)
    shape.push_back((x.size(2 + axis) - 1) * stride[axis] + (weight.size(2 + axis) - 1) * dilation[axis] + 1);
  run.check_size(shape);  // padding may cut most of it off
  const EnableGrad enable;
  Tensor origin = zeros(shape);
  origin.set_requires_grad();
  const Tensor y = convolved<N>(origin, weight, {.stride = extent<N>(stride), .dilation = extent<N>(dilation), .groups = groups});
  return grad(y, {origin}, {.gradient = x, .create_graph = true})[0];
}

// Takes `before` cells off the front of every axis, and cuts or fills up with zeros behind.
Tensor fitted(Tensor x, const std::vector<int64_t>& before, const Dims& shape) {
  for (int dim = 2; dim < shape.rank; ++dim) {
    const int64_t front = before[static_cast<size_t>(dim - 2)];
    x = padded(x, dim, -front, shape[dim] - (x.size(dim) - front));
  }
  return x;
}

template <template <int> class Options, int N>
Options<N> pool_options(const WindowOptions& w) {
  Options<N> options;
  options.kernel_size = extent<N>(w.kernel_size);
  options.stride = extent<N>(w.stride);
  options.padding = padding<N>(w.padding);
  options.dilation = extent<N>(w.dilation);
  options.ceil_mode = w.ceil_mode;
  options.preset = w.preset;
  return options;
}

// The positions of random taps of the windows that an unpooling inverts, in the plane of its result.
Tensor random_indices(const LayerRun& run, const analyze::Unpool& unpool) {
  const Tensor& x = run.x[0];
  const Dims& result = run.node.shape;
  const int rank = x.rank() - 2;
  const WindowOptions& w = unpool.windows;
  const Tensor chances = rand({x.numel(), rank}, run.seed);
  Tensor indices(x.shape(), DType::i64);
  for (int64_t i = 0; i < x.numel(); ++i) {
    int64_t index = 0, rest = i, inner = 1;
    for (int axis = rank - 1; axis >= 0; --axis) {
      const int64_t o = rest % x.size(2 + axis), length = result[2 + axis], step = w.dilation[axis];
      rest /= x.size(2 + axis);
      const int64_t first = o * (w.stride.is_set() ? w.stride[axis] : w.kernel_size[axis]) - w.padding[axis].before;
      const int64_t low = first < 0 ? tidepool::detail::ceil_div(-first, step) : 0;
      const int64_t high = std::min(w.kernel_size[axis] - 1, tidepool::detail::floor_div(length - 1 - first, step));
      if (low > high) run.refuse("one of its windows is empty");
      const auto chance = static_cast<double>(chances.data<float>()[i * rank + axis]);
      const int64_t tap = std::min(high, low + static_cast<int64_t>(chance * static_cast<double>(high - low + 1)));
      index += (first + tap * step) * inner;
      inner *= length;
    }
    indices.data<int64_t>()[i] = index;
  }
  return indices;
}

}  // namespace

Tensor run(const LayerRun& run, const analyze::Conv& conv) {
  const Tensor& x = run.x[0];
  const int rank = x.rank() - 2;
  const int64_t channels = x.size(1) / conv.groups;
  const Tensor weight =
      run.weights(weight_shape(conv.out_channels, channels, conv.kernel_size, rank), channels * taps(conv.kernel_size, rank));
  std::vector<Sides> sides;
  sides.reserve(static_cast<size_t>(rank));
  for (int axis = 0; axis < rank; ++axis) sides.push_back(sides_of(conv, axis, x.size(2 + axis)));
  return for_rank(rank, [&](auto n) {
    return convolved<n>(x, weight,
                        {.stride = extent<n>(conv.stride),
                         .padding = Padding<n>(std::span<const Sides>(sides)),
                         .dilation = extent<n>(conv.dilation),
                         .groups = conv.groups});
  });
}

Tensor run(const LayerRun& run, const analyze::ConvTranspose& conv) {
  const Tensor& x = run.x[0];
  const int rank = x.rank() - 2;
  const Dims shape = weight_shape(x.size(1), conv.out_channels / conv.groups, conv.kernel_size, rank);
  const Tensor weight = run.weights(shape, x.size(1) / conv.groups * taps(conv.kernel_size, rank));
  std::vector<int64_t> before;
  before.reserve(static_cast<size_t>(rank));
  for (int axis = 0; axis < rank; ++axis) before.push_back(conv.padding[axis].before);
  const Tensor whole = for_rank(rank, [&](auto n) { return transposed<n>(run, weight, conv.stride, conv.dilation, conv.groups); });
  return fitted(whole, before, run.node.shape);
}

Tensor run(const LayerRun& run, const analyze::Pool& pool) {
  const Tensor& x = run.x[0];
  return for_rank(x.rank() - 2, [&](auto n) -> Tensor {
    if (run.structural) {
      auto options = pool_options<AvgPoolOptions, n>(pool.windows);
      options.count_include_pad = Divisor::full_kernel;  // never 0
      return AvgPoolFunctions<n>::forward(x, options);
    }
    switch (pool.op) {
      case Op::max:
        return MaxPoolFunctions<n>::forward(x, pool_options<MaxPoolOptions, n>(pool.windows));
      case Op::min:
        return MinPoolFunctions<n>::forward(x, pool_options<MaxPoolOptions, n>(pool.windows));
      case Op::avg:
        return AvgPoolFunctions<n>::forward(x, pool_options<AvgPoolOptions, n>(pool.windows));
      case Op::sum:
        return SumPoolFunctions<n>::forward(x, pool_options<SumPoolOptions, n>(pool.windows));
      case Op::lp:
        return LpPoolFunctions<n>::forward(x, pool_options<LpPoolOptions, n>(pool.windows));
      default:
        run.refuse();
    }
  });
}

Tensor run(const LayerRun& run, const analyze::AdaptivePool& pool) {
  const Tensor& x = run.x[0];
  return for_rank(x.rank() - 2, [&](auto n) -> Tensor {
    if (run.structural || pool.op == Op::avg) return AdaptiveAvgPoolFunctions<n>::forward(x, {.output_size = extent<n>(pool.output_size)});
    if (pool.op == Op::max) return AdaptiveMaxPoolFunctions<n>::forward(x, {.output_size = extent<n>(pool.output_size)});
    run.refuse();
  });
}

Tensor run(const LayerRun& run, const analyze::FractionalPool& pool) {
  const Tensor& x = run.x[0];
  return for_rank(x.rank() - 2, [&](auto n) -> Tensor {
    if constexpr (n == 1) {
      run.refuse("fractional pooling has 2 or 3 spatial dimensions");
    } else {
      return FractionalMaxPoolFunctions<n>::forward(
          x, {.kernel_size = extent<n>(pool.kernel_size), .output_size = extent<n>(pool.output_size), .seed = run.seed});
    }
  });
}

Tensor run(const LayerRun& run, const analyze::Unpool& unpool) {
  const Tensor& x = run.x[0];
  const int rank = x.rank() - 2;
  const WindowOptions& w = unpool.windows;
  if (w.padding.mode != PaddingMode::explicit_sides) run.refuse("padding must be numbers");
  const Sizes& stride = w.stride.is_set() ? w.stride : w.kernel_size;
  if (run.structural) {  // every cell of the result may hold a value of any window that contains it
    const Dims shape = weight_shape(x.size(1), 1, w.kernel_size, rank);
    run.check_size(shape);
    const Tensor weight = ones(shape);
    std::vector<int64_t> before;
    before.reserve(static_cast<size_t>(rank));
    for (int axis = 0; axis < rank; ++axis) before.push_back(w.padding[axis].before);
    const Tensor whole = for_rank(rank, [&](auto n) { return transposed<n>(run, weight, stride, w.dilation, x.size(1)); });
    return fitted(whole, before, run.node.shape);
  }
  Dims size;
  for (int axis = 0; axis < rank; ++axis) size.push_back(run.node.shape[2 + axis]);
  const Tensor indices = random_indices(run, unpool);
  return for_rank(rank, [&](auto n) -> Tensor {
    return MaxUnpoolFunctions<n>::forward(x, indices,
                                          {.kernel_size = extent<n>(w.kernel_size),
                                           .stride = extent<n>(stride),
                                           .padding = padding<n>(w.padding),
                                           .dilation = extent<n>(w.dilation),
                                           .output_size = size});
  });
}

}  // namespace tidepool::inline v0_1::nn::detail
