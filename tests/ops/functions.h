// The public pooling functions as static members of Functions<N>, so that one template can test 1, 2 and 3 spatial dimensions.
// Functions<2>::max_pool_backward(...) calls max_pool2d_backward(...).
#pragma once

#include "tidepool/ops/adaptive_pool.h"
#include "tidepool/ops/avg_pool.h"
#include "tidepool/ops/fractional_max_pool.h"
#include "tidepool/ops/global_pool.h"
#include "tidepool/ops/lp_pool.h"
#include "tidepool/ops/max_pool.h"
#include "tidepool/ops/max_unpool.h"
#include "tidepool/ops/min_pool.h"
#include "tidepool/ops/sum_pool.h"

namespace tidepool::test {

template <int N>
struct Functions;

// The calls are forwarded instead of taking addresses, because a function may have overloads.
#define TIDEPOOL_FORWARD(op, N, suffix) \
  static auto op##suffix(const auto&... arguments) { return op##N##d##suffix(arguments...); }
#define TIDEPOOL_WITHOUT_INDICES(op, N) \
  TIDEPOOL_FORWARD(op, N, )             \
  TIDEPOOL_FORWARD(op, N, _backward)    \
  TIDEPOOL_FORWARD(op, N, _double_backward)
#define TIDEPOOL_WITH_INDICES(op, N) \
  TIDEPOOL_WITHOUT_INDICES(op, N)    \
  TIDEPOOL_FORWARD(op, N, _with_indices)
#define TIDEPOOL_NORM(op, N)      \
  TIDEPOOL_WITHOUT_INDICES(op, N) \
  TIDEPOOL_FORWARD(op, N, _double_backward_input)
#define TIDEPOOL_EVERY_RANK(N)                   \
  TIDEPOOL_WITH_INDICES(max_pool, N)             \
  TIDEPOOL_WITH_INDICES(min_pool, N)             \
  TIDEPOOL_WITHOUT_INDICES(avg_pool, N)          \
  TIDEPOOL_WITHOUT_INDICES(sum_pool, N)          \
  TIDEPOOL_NORM(lp_pool, N)                      \
  TIDEPOOL_WITHOUT_INDICES(adaptive_avg_pool, N) \
  TIDEPOOL_WITH_INDICES(adaptive_max_pool, N)    \
  TIDEPOOL_WITHOUT_INDICES(global_avg_pool, N)   \
  TIDEPOOL_WITHOUT_INDICES(global_sum_pool, N)   \
  TIDEPOOL_WITH_INDICES(global_max_pool, N)      \
  TIDEPOOL_NORM(global_lp_pool, N)               \
  TIDEPOOL_WITHOUT_INDICES(max_unpool, N)

template <>
struct Functions<1> {
  TIDEPOOL_EVERY_RANK(1)
};
template <>
struct Functions<2> {
  TIDEPOOL_EVERY_RANK(2)
  TIDEPOOL_WITH_INDICES(fractional_max_pool, 2)
  TIDEPOOL_FORWARD(fractional_max_pool, 2, _samples)
};
template <>
struct Functions<3> {
  TIDEPOOL_EVERY_RANK(3)
  TIDEPOOL_WITH_INDICES(fractional_max_pool, 3)
  TIDEPOOL_FORWARD(fractional_max_pool, 3, _samples)
};

#undef TIDEPOOL_EVERY_RANK
#undef TIDEPOOL_NORM
#undef TIDEPOOL_WITH_INDICES
#undef TIDEPOOL_WITHOUT_INDICES
#undef TIDEPOOL_FORWARD

}  // namespace tidepool::test
