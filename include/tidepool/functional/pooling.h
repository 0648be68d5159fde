// Pooling that knows its gradients: the functions of ops/ for tensors. Every one can be differentiated twice.
#pragma once

#include "tidepool/ops/adaptive_pool.h"
#include "tidepool/ops/avg_pool.h"
#include "tidepool/ops/fractional_max_pool.h"
#include "tidepool/ops/lp_pool.h"
#include "tidepool/ops/max_pool.h"
#include "tidepool/ops/max_unpool.h"
#include "tidepool/tensor.h"

namespace tidepool {

// For R = 1, 2, 3. Indices have no gradient. Where none are asked for, the tape keeps one byte per output instead of eight if it can.
#define TIDEPOOL_FUNCTIONAL_POOL(N)                                                                                                   \
  Tensor max_pool##N##d(const Tensor& x, const MaxPoolOptions<N>& options);                                                           \
  Pooled max_pool##N##d_with_indices(const Tensor& x, const MaxPoolOptions<N>& options);                                              \
  Tensor min_pool##N##d(const Tensor& x, const MaxPoolOptions<N>& options);                                                           \
  Pooled min_pool##N##d_with_indices(const Tensor& x, const MaxPoolOptions<N>& options);                                              \
  Tensor avg_pool##N##d(const Tensor& x, const AvgPoolOptions<N>& options);                                                           \
  Tensor sum_pool##N##d(const Tensor& x, const SumPoolOptions<N>& options);                                                           \
  Tensor lp_pool##N##d(const Tensor& x, const LpPoolOptions<N>& options);                                                             \
  Tensor adaptive_avg_pool##N##d(const Tensor& x, const Extent<N>& output_size);                                                      \
  Tensor adaptive_max_pool##N##d(const Tensor& x, const Extent<N>& output_size, const AdaptiveMaxOptions& options = {});              \
  Pooled adaptive_max_pool##N##d_with_indices(const Tensor& x, const Extent<N>& output_size, const AdaptiveMaxOptions& options = {}); \
  Tensor max_unpool##N##d(const Tensor& x, const Tensor& indices, const MaxUnpoolOptions<N>& options);                                \
  Tensor global_avg_pool##N##d(const Tensor& x);                                                                                      \
  Tensor global_sum_pool##N##d(const Tensor& x);                                                                                      \
  Tensor global_max_pool##N##d(const Tensor& x);                                                                                      \
  Pooled global_max_pool##N##d_with_indices(const Tensor& x);                                                                         \
  Tensor global_lp_pool##N##d(const Tensor& x, double norm_type = 2);
TIDEPOOL_FUNCTIONAL_POOL(1)
TIDEPOOL_FUNCTIONAL_POOL(2)
TIDEPOOL_FUNCTIONAL_POOL(3)
#undef TIDEPOOL_FUNCTIONAL_POOL

#define TIDEPOOL_FUNCTIONAL_FRACTIONAL(N)                                                        \
  Tensor fractional_max_pool##N##d(const Tensor& x, const FractionalMaxPoolOptions<N>& options); \
  Pooled fractional_max_pool##N##d_with_indices(const Tensor& x, const FractionalMaxPoolOptions<N>& options);
TIDEPOOL_FUNCTIONAL_FRACTIONAL(2)
TIDEPOOL_FUNCTIONAL_FRACTIONAL(3)
#undef TIDEPOOL_FUNCTIONAL_FRACTIONAL

}  // namespace tidepool
