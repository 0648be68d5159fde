#include "run_layer.h"

#include "pool_calls.h"
#include "tidepool/error.h"

namespace tidepool::cli {

namespace {

[[noreturn]] void refuse(const analyze::Layer& layer) {
  throw Error(ErrorCode::invalid_argument, "show: takes pooling layers, max, min, avg, sum, lp, adaptive_avg, adaptive_max, gap, gmp and " +
                                               std::string("fractional_max, got '") + analyze::to_string(layer) + "'");
}

template <class Options>
void set_windows(Options& options, const WindowOptions& windows) {
  static_cast<Sizes&>(options.kernel_size) = windows.kernel_size;
  static_cast<Sizes&>(options.stride) = windows.stride;
  static_cast<Pads&>(options.padding) = windows.padding;
  static_cast<Sizes&>(options.dilation) = windows.dilation;
  options.ceil_mode = windows.ceil_mode;
}

template <int N>
Pooled run_pool(const analyze::Pool& pool, const Tensor& x, const ShowOptions& show) {
  if (pool.op == Op::max || pool.op == Op::min) {
    MaxPoolOptions<N> options;
    set_windows(options, pool.windows);
    return pool.op == Op::max ? MaxPoolFunctions<N>::with_indices(x, options) : MinPoolFunctions<N>::with_indices(x, options);
  }
  if (pool.op == Op::avg) {
    AvgPoolOptions<N> options{.count_include_pad = show.count_include_pad};
    set_windows(options, pool.windows);
    return {.values = AvgPoolFunctions<N>::forward(x, options), .indices = {}};
  }
  if (pool.op == Op::sum) {
    SumPoolOptions<N> options;
    set_windows(options, pool.windows);
    return {.values = SumPoolFunctions<N>::forward(x, options), .indices = {}};
  }
  LpPoolOptions<N> options{.norm_type = show.norm_type};
  set_windows(options, pool.windows);
  return {.values = LpPoolFunctions<N>::forward(x, options), .indices = {}};
}

template <int N>
Pooled run_rank(const analyze::Layer& layer, const Tensor& x, const ShowOptions& show) {
  if (const auto* pool = std::get_if<analyze::Pool>(&layer)) return run_pool<N>(*pool, x, show);
  if (const auto* pool = std::get_if<analyze::AdaptivePool>(&layer)) {
    if (pool->op == Op::max) return AdaptiveMaxPoolFunctions<N>::with_indices(x, {.output_size = extent<N>(pool->output_size)});
    if (pool->op == Op::avg)
      return {.values = AdaptiveAvgPoolFunctions<N>::forward(x, {.output_size = extent<N>(pool->output_size)}), .indices = {}};
  }
  if constexpr (N > 1) {
    if (const auto* pool = std::get_if<analyze::FractionalPool>(&layer))
      return FractionalMaxPoolFunctions<N>::with_indices(
          x, {.kernel_size = extent<N>(pool->kernel_size), .output_size = extent<N>(pool->output_size), .seed = show.seed});
  }
  refuse(layer);
}

}  // namespace

Pooled run_layer(const OneLayer& layer, const Tensor& x, const ShowOptions& show) {
  if (layer.rank == 1) return run_rank<1>(layer.layer(), x, show);
  return layer.rank == 2 ? run_rank<2>(layer.layer(), x, show) : run_rank<3>(layer.layer(), x, show);
}

}  // namespace tidepool::cli
