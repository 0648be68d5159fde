#include "pool_ops.h"

#include <array>

#include "shape_notes.h"

namespace tidepool::cli {

namespace {

[[noreturn]] void no_indices(const char* op) {
  throw Error(ErrorCode::invalid_argument, std::string("--indices: ") + op + " has none, every cell of a window takes part");
}

#define TIDEPOOL_CALLS(N)                                                                                               \
  Pooled call(std::integral_constant<Op, Op::max>, TensorView x, const MaxPoolOptions<N>& options, bool with_indices) { \
    return with_indices ? max_pool##N##d_with_indices(x, options) : Pooled{max_pool##N##d(x, options), {}};             \
  }                                                                                                                     \
  Pooled call(std::integral_constant<Op, Op::min>, TensorView x, const MaxPoolOptions<N>& options, bool with_indices) { \
    return with_indices ? min_pool##N##d_with_indices(x, options) : Pooled{min_pool##N##d(x, options), {}};             \
  }                                                                                                                     \
  Pooled call(std::integral_constant<Op, Op::avg>, TensorView x, const AvgPoolOptions<N>& options, bool with_indices) { \
    if (with_indices) no_indices("avg");                                                                                \
    return {avg_pool##N##d(x, options), {}};                                                                            \
  }                                                                                                                     \
  Pooled call(std::integral_constant<Op, Op::sum>, TensorView x, const SumPoolOptions<N>& options, bool with_indices) { \
    if (with_indices) no_indices("sum");                                                                                \
    return {sum_pool##N##d(x, options), {}};                                                                            \
  }
TIDEPOOL_CALLS(1)
TIDEPOOL_CALLS(2)
TIDEPOOL_CALLS(3)
#undef TIDEPOOL_CALLS

template <class Options>
WindowOptions window_options(const Options& o) {
  return {.kernel_size = o.kernel_size,
          .stride = o.stride,
          .padding = o.padding,
          .dilation = o.dilation,
          .ceil_mode = o.ceil_mode,
          .preset = o.preset};
}

template <Op op, class Options, int N>
PoolOutcome run_rank(const OptionFlags& flags, TensorView x, bool with_indices) {
  Options options;
  flags.read(options);
  const Geometry geometry = Geometry::windowed(function_name(op, N), N, x.shape, window_options(options)).value();
  return {call(std::integral_constant<Op, op>{}, x, options, with_indices), dropped_note(geometry)};
}

template <Op op, template <int> class Options>
PoolOutcome run(int rank, const OptionFlags& flags, TensorView x, bool with_indices) {
  if (rank == 1) return run_rank<op, Options<1>, 1>(flags, x, with_indices);
  if (rank == 2) return run_rank<op, Options<2>, 2>(flags, x, with_indices);
  return run_rank<op, Options<3>, 3>(flags, x, with_indices);
}

// Flags have the same names at every rank.
template <class Options>
void add_flags(OptionFlags& flags, CLI::App& app) {
  flags.add<Options>(app);
}

constexpr std::array table = {
    PoolOp{Op::max, "the largest value of every window", add_flags<MaxPoolOptions<2>>, run<Op::max, MaxPoolOptions>},
    PoolOp{Op::min, "the smallest value of every window", add_flags<MaxPoolOptions<2>>, run<Op::min, MaxPoolOptions>},
    PoolOp{Op::avg, "the average of every window", add_flags<AvgPoolOptions<2>>, run<Op::avg, AvgPoolOptions>},
    PoolOp{Op::sum, "the sum of every window", add_flags<SumPoolOptions<2>>, run<Op::sum, SumPoolOptions>},
};

}  // namespace

std::span<const PoolOp> pool_ops() noexcept { return table; }

}  // namespace tidepool::cli
