#include "pool_ops.h"

#include <array>

#include "shape_notes.h"

namespace tidepool::cli {

namespace {

#define TIDEPOOL_CALLS(N)                                                                                               \
  Pooled call(std::integral_constant<Op, Op::max>, TensorView x, const MaxPoolOptions<N>& options, bool with_indices) { \
    return with_indices ? max_pool##N##d_with_indices(x, options) : Pooled{max_pool##N##d(x, options), {}};             \
  }                                                                                                                     \
  Pooled call(std::integral_constant<Op, Op::min>, TensorView x, const MaxPoolOptions<N>& options, bool with_indices) { \
    return with_indices ? min_pool##N##d_with_indices(x, options) : Pooled{min_pool##N##d(x, options), {}};             \
  }
TIDEPOOL_CALLS(1)
TIDEPOOL_CALLS(2)
TIDEPOOL_CALLS(3)
#undef TIDEPOOL_CALLS

template <int N>
WindowOptions window_options(const MaxPoolOptions<N>& o) {
  return {.kernel_size = o.kernel_size,
          .stride = o.stride,
          .padding = o.padding,
          .dilation = o.dilation,
          .ceil_mode = o.ceil_mode,
          .preset = o.preset};
}

template <Op op, int N>
PoolOutcome run_rank(const OptionFlags& flags, TensorView x, bool with_indices) {
  MaxPoolOptions<N> options;
  flags.read(options);
  const Geometry geometry = Geometry::windowed(function_name(op, N), N, x.shape, window_options(options)).value();
  return {call(std::integral_constant<Op, op>{}, x, options, with_indices), dropped_note(geometry)};
}

template <Op op>
PoolOutcome run(int rank, const OptionFlags& flags, TensorView x, bool with_indices) {
  if (rank == 1) return run_rank<op, 1>(flags, x, with_indices);
  if (rank == 2) return run_rank<op, 2>(flags, x, with_indices);
  return run_rank<op, 3>(flags, x, with_indices);
}

// Flags have the same names at every rank.
template <class Options>
void add_flags(OptionFlags& flags, CLI::App& app) {
  flags.add<Options>(app);
}

constexpr std::array table = {
    PoolOp{Op::max, "the largest value of every window", add_flags<MaxPoolOptions<2>>, run<Op::max>},
    PoolOp{Op::min, "the smallest value of every window", add_flags<MaxPoolOptions<2>>, run<Op::min>},
};

}  // namespace

std::span<const PoolOp> pool_ops() noexcept { return table; }

}  // namespace tidepool::cli
