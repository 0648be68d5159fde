// For each op of `tidepool pool`: its options type, and the library function that it calls for N spatial dimensions.
#pragma once

#include "bin_options.h"
#include "pool_ops.h"
#include "tidepool/ops/adaptive_pool.h"
#include "tidepool/ops/avg_pool.h"
#include "tidepool/ops/fractional_max_pool.h"
#include "tidepool/ops/global_pool.h"
#include "tidepool/ops/lp_pool.h"
#include "tidepool/ops/max_pool.h"
#include "tidepool/ops/max_unpool.h"
#include "tidepool/ops/min_pool.h"
#include "tidepool/ops/sum_pool.h"

namespace tidepool::cli {

// Keeps a list with too many values, so that the library reports the error.
template <int N>
Extent<N> extent(const Sizes& sizes) {
  Extent<N> extent;
  static_cast<Sizes&>(extent) = sizes;
  return extent;
}

// Each call has Options<N>, which the flags fill, and run<N>(inputs, options).

// Values, or values and indices if they are wanted.
template <class Functions, class... Arguments>
Pooled maxima(bool wants_indices, const Arguments&... arguments) {
  if (wants_indices) return Functions::with_indices(arguments...);
  return {.values = Functions::forward(arguments...), .indices = {}};
}

// Max and min over windows of their own options.
template <template <int> class Functions>
struct CallMaxima {
  template <int N>
  using Options = typename Functions<N>::Options;
  template <int N>
  static Pooled run(const PoolInputs& in, const Options<N>& o) {
    return maxima<Functions<N>>(in.wants_indices, in.x, o);
  }
};
using CallMax = CallMaxima<MaxPoolFunctions>;
using CallMin = CallMaxima<MinPoolFunctions>;
using CallFractionalMax = CallMaxima<FractionalMaxPoolFunctions>;

// Averages, sums and norms over windows.
template <template <int> class Functions>
struct CallValues {
  template <int N>
  using Options = typename Functions<N>::Options;
  template <int N>
  static Pooled run(const PoolInputs& in, const Options<N>& o) {
    return {.values = Functions<N>::forward(in.x, o), .indices = {}};
  }
};
using CallAvg = CallValues<AvgPoolFunctions>;
using CallSum = CallValues<SumPoolFunctions>;
using CallLp = CallValues<LpPoolFunctions>;

struct CallAdaptiveMax {
  template <int N>
  using Options = AdaptiveMaxFlags;
  template <int N>
  static Pooled run(const PoolInputs& in, const AdaptiveMaxFlags& o) {
    const AdaptiveMaxPoolOptions<N> options{.output_size = extent<N>(o.output_size), .nan = o.nan, .index_base = o.index_base};
    return maxima<AdaptiveMaxPoolFunctions<N>>(in.wants_indices, in.x, options);
  }
};

struct CallAdaptiveAvg {
  template <int N>
  using Options = AdaptiveAvgFlags;
  template <int N>
  static Pooled run(const PoolInputs& in, const AdaptiveAvgFlags& o) {
    return {.values = AdaptiveAvgPoolFunctions<N>::forward(in.x, {.output_size = extent<N>(o.output_size)}), .indices = {}};
  }
};

struct CallGlobalMax {
  template <int N>
  using Options = GlobalFlags;
  template <int N>
  static Pooled run(const PoolInputs& in, const GlobalFlags&) {
    return maxima<GlobalMaxPoolFunctions<N>>(in.wants_indices, in.x);
  }
};

// Global averages and sums.
template <template <int> class Functions>
struct CallGlobalSums {
  template <int N>
  using Options = GlobalFlags;
  template <int N>
  static Pooled run(const PoolInputs& in, const GlobalFlags&) {
    return {.values = Functions<N>::forward(in.x), .indices = {}};
  }
};
using CallGlobalAvg = CallGlobalSums<GlobalAvgPoolFunctions>;
using CallGlobalSum = CallGlobalSums<GlobalSumPoolFunctions>;

struct CallGlobalLp {
  template <int N>
  using Options = GlobalLpFlags;
  template <int N>
  static Pooled run(const PoolInputs& in, const GlobalLpFlags& o) {
    return {.values = GlobalLpPoolFunctions<N>::forward(in.x, o.norm_type), .indices = {}};
  }
};

struct CallUnpool {
  template <int N>
  using Options = MaxUnpoolOptions<N>;
  template <int N>
  static Pooled run(const PoolInputs& in, const Options<N>& o) {
    return {.values = MaxUnpoolFunctions<N>::forward(in.x, in.indices, o), .indices = {}};
  }
};

}  // namespace tidepool::cli
