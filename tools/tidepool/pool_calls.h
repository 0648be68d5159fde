// For each op of `tidepool pool`: its options type, and the library function that it calls for N spatial dimensions.
#pragma once

#include "bin_options.h"
#include "pool_ops.h"
#include "tidepool/ops/adaptive_pool.h"
#include "tidepool/ops/avg_pool.h"
#include "tidepool/ops/fractional_max_pool.h"
#include "tidepool/ops/lp_pool.h"
#include "tidepool/ops/max_pool.h"
#include "tidepool/ops/max_unpool.h"

namespace tidepool::cli {

// Keeps a list with too many values, so that the library reports the error.
template <int N>
Extent<N> extent(const Sizes& sizes) {
  Extent<N> extent;
  static_cast<Sizes&>(extent) = sizes;
  return extent;
}

inline AdaptiveMaxOptions max_options(const AdaptiveMaxFlags& flags) { return {.nan = flags.nan, .index_base = flags.index_base}; }

// Calls family##N##d##suffix. The library has one function name per rank, so the call cannot be a template.
#define TIDEPOOL_OF_RANK(family, suffix, ...) \
  [&] {                                       \
    if constexpr (N == 1) {                   \
      return family##1d##suffix(__VA_ARGS__); \
    } else if constexpr (N == 2) {            \
      return family##2d##suffix(__VA_ARGS__); \
    } else {                                  \
      return family##3d##suffix(__VA_ARGS__); \
    }                                         \
  }()
#define TIDEPOOL_VALUES(family, ...) (Pooled{TIDEPOOL_OF_RANK(family, , __VA_ARGS__), {}})
#define TIDEPOOL_WITH_INDICES(family, ...) TIDEPOOL_OF_RANK(family, _with_indices, __VA_ARGS__)
#define TIDEPOOL_MAXIMA(family, ...) (in.wants_indices ? TIDEPOOL_WITH_INDICES(family, __VA_ARGS__) : TIDEPOOL_VALUES(family, __VA_ARGS__))

#define TIDEPOOL_CALL(Name, OptionsOfRank, result)                                  \
  struct Name {                                                                     \
    template <int N>                                                                \
    using Options = OptionsOfRank;                                                  \
    template <int N>                                                                \
    static Pooled run(const PoolInputs& in, [[maybe_unused]] const Options<N>& o) { \
      return result;                                                                \
    }                                                                               \
  };
TIDEPOOL_CALL(CallMax, MaxPoolOptions<N>, TIDEPOOL_MAXIMA(max_pool, in.x, o))
TIDEPOOL_CALL(CallMin, MaxPoolOptions<N>, TIDEPOOL_MAXIMA(min_pool, in.x, o))
TIDEPOOL_CALL(CallAvg, AvgPoolOptions<N>, TIDEPOOL_VALUES(avg_pool, in.x, o))
TIDEPOOL_CALL(CallSum, SumPoolOptions<N>, TIDEPOOL_VALUES(sum_pool, in.x, o))
TIDEPOOL_CALL(CallLp, LpPoolOptions<N>, TIDEPOOL_VALUES(lp_pool, in.x, o))
TIDEPOOL_CALL(CallAdaptiveMax, AdaptiveMaxFlags, TIDEPOOL_MAXIMA(adaptive_max_pool, in.x, extent<N>(o.output_size), max_options(o)))
TIDEPOOL_CALL(CallAdaptiveAvg, AdaptiveAvgFlags, TIDEPOOL_VALUES(adaptive_avg_pool, in.x, extent<N>(o.output_size)))
// Global max pooling with indices is adaptive pooling to one output, which the library offers with indices.
TIDEPOOL_CALL(CallGlobalMax, GlobalFlags,
              in.wants_indices ? TIDEPOOL_WITH_INDICES(adaptive_max_pool, in.x, extent<N>(Extent<1>(1)))
                               : TIDEPOOL_VALUES(global_max_pool, in.x))
TIDEPOOL_CALL(CallGlobalAvg, GlobalFlags, TIDEPOOL_VALUES(global_avg_pool, in.x))
TIDEPOOL_CALL(CallGlobalSum, GlobalFlags, TIDEPOOL_VALUES(global_sum_pool, in.x))
TIDEPOOL_CALL(CallGlobalLp, GlobalLpFlags, TIDEPOOL_VALUES(global_lp_pool, in.x, o.norm_type))
TIDEPOOL_CALL(CallFractionalMax, FractionalMaxPoolOptions<N>, TIDEPOOL_MAXIMA(fractional_max_pool, in.x, o))
TIDEPOOL_CALL(CallUnpool, MaxUnpoolOptions<N>, TIDEPOOL_VALUES(max_unpool, in.x, in.indices, o))
#undef TIDEPOOL_CALL
#undef TIDEPOOL_MAXIMA
#undef TIDEPOOL_WITH_INDICES
#undef TIDEPOOL_VALUES
#undef TIDEPOOL_OF_RANK

}  // namespace tidepool::cli
