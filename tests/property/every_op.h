// Every op, forward and backward, as one function of its input: for properties that hold for all of them.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "property/random_pooling.h"

namespace tidepool::test {

struct OpOnInput {
  std::string name;
  // Values, indices and gradients. Gradients of the output and of the gradient are computed from x itself, so that all depends on x alone.
  std::function<std::vector<Tensor>(const Tensor& x)> results;
};

// `w` gives the windows. Adaptive pooling takes the kernel sizes as output sizes, unpooling takes them as tiles, and fractional pooling
// has half as many outputs as cells.
template <int N>
std::vector<OpOnInput> every_op(const Windows<N>& w) {
  using F = Functions<N>;
  std::vector<OpOnInput> ops;
  const auto max = w.template options<MaxPoolOptions<N>>();
  ops.push_back({"max_pool", [max](const Tensor& x) -> std::vector<Tensor> {
                   const Pooled p = F::max_pool_with_indices(x, max);
                   return {p.values, p.indices, F::max_pool(x, max), F::max_pool_backward(p.values, p.indices, x.shape(), max),
                           F::max_pool_double_backward(x, p.indices, max)};
                 }});
  ops.push_back({"min_pool", [max](const Tensor& x) -> std::vector<Tensor> {
                   const Pooled p = F::min_pool_with_indices(x, max);
                   return {p.values, p.indices, F::min_pool(x, max), F::min_pool_backward(p.values, p.indices, x.shape(), max)};
                 }});
  for (CountPad count : {CountPad(true), CountPad(false)}) {
    auto avg = w.template options<AvgPoolOptions<N>>();
    avg.count_include_pad = count;
    ops.push_back({"avg_pool", [avg](const Tensor& x) -> std::vector<Tensor> {
                     const Tensor y = F::avg_pool(x, avg);
                     return {y, F::avg_pool_backward(y, x.shape(), avg)};
                   }});
  }
  const auto sum = w.template options<SumPoolOptions<N>>();
  ops.push_back({"sum_pool", [sum](const Tensor& x) -> std::vector<Tensor> {
                   const Tensor y = F::sum_pool(x, sum);
                   return {y, F::sum_pool_backward(y, x.shape(), sum)};
                 }});
  for (double p : {1.0, 2.0, 3.5, std::numeric_limits<double>::infinity()}) {
    auto lp = w.template options<LpPoolOptions<N>>();
    lp.norm_type = p;
    ops.push_back({"lp_pool " + std::to_string(p), [lp, p](const Tensor& x) -> std::vector<Tensor> {
                     const Tensor y = F::lp_pool(x, lp);
                     return {y, F::lp_pool_backward(y, x, lp), F::lp_pool_double_backward(x, x, lp), F::global_lp_pool(x, p)};
                   }});
  }
  const Extent<N> bins(w.kernel.span());
  ops.push_back({"adaptive_avg_pool", [bins](const Tensor& x) -> std::vector<Tensor> {
                   const Tensor y = F::adaptive_avg_pool(x, bins);
                   return {y, F::adaptive_avg_pool_backward(y, x.shape())};
                 }});
  ops.push_back({"adaptive_max_pool", [bins](const Tensor& x) -> std::vector<Tensor> {
                   const Pooled p = F::adaptive_max_pool_with_indices(x, bins);
                   return {p.values, p.indices, F::adaptive_max_pool(x, bins),
                           F::adaptive_max_pool_backward(p.values, p.indices, x.shape())};
                 }});
  ops.push_back({"global_pool", [](const Tensor& x) -> std::vector<Tensor> {
                   const Tensor average = F::global_avg_pool(x), total = F::global_sum_pool(x);
                   const Pooled most = F::global_max_pool_with_indices(x);
                   return {average,
                           total,
                           most.values,
                           most.indices,
                           F::global_avg_pool_backward(average, x.shape()),
                           F::global_sum_pool_backward(total, x.shape()),
                           F::global_max_pool_backward(most.values, most.indices, x.shape())};
                 }});
  MaxPoolOptions<N> tiles;
  MaxUnpoolOptions<N> unpool;
  Dims tile;
  for (int i = 0; i < N; ++i) tile.push_back(std::min(w.kernel[i], w.shape[i + 2]));
  tiles.kernel_size = unpool.kernel_size = Extent<N>(tile.span());
  unpool.output_size = w.spatial();
  ops.push_back({"max_unpool", [tiles, unpool](const Tensor& x) -> std::vector<Tensor> {
                   const Pooled p = F::max_pool_with_indices(x, tiles);
                   return {F::max_unpool(p.values, p.indices, unpool), F::max_unpool_backward(x, p.indices, unpool),
                           F::max_unpool_double_backward(p.values, p.indices, unpool)};
                 }});
  if constexpr (N > 1) {
    FractionalMaxPoolOptions<N> fractional;
    Dims kernel, output;
    for (int i = 0; i < N; ++i) {
      kernel.push_back(std::min<int64_t>(2, w.shape[i + 2]));
      output.push_back(std::max<int64_t>(1, w.shape[i + 2] / 2));
    }
    fractional.kernel_size = Extent<N>(kernel.span());
    fractional.output_size = Extent<N>(output.span());
    ops.push_back({"fractional_max_pool", [fractional](const Tensor& x) -> std::vector<Tensor> {
                     // The same sample for all planes: a plane's windows must not depend on the planes beside it.
                     const Dims planes = x.rank() == N + 2 ? Dims{x.size(0), x.size(1), N} : Dims{1, x.size(0), N};
                     const Tensor samples = full(planes, 0.375, x.dtype());
                     auto o = fractional;
                     o.samples = samples;
                     const Pooled p = F::fractional_max_pool_with_indices(x, o);
                     return {p.values, p.indices, F::fractional_max_pool_backward(p.values, p.indices, x.shape(), o)};
                   }});
  }
  return ops;
}

}  // namespace tidepool::test
