#include "pool_ops.h"

#include <array>

#include "pool_calls.h"
#include "shape_notes.h"
#include "tidepool/geometry.h"

namespace tidepool::cli {

namespace {

// Only regular windows can leave input elements unread. Their options are the ones with a ceil_mode.
template <int N, class Options>
std::string note_of(const Dims& shape, const Options& o) {
  if constexpr (requires { o.ceil_mode; }) {
    const WindowOptions windows{.kernel_size = o.kernel_size,
                                .stride = o.stride,
                                .padding = o.padding,
                                .dilation = o.dilation,
                                .ceil_mode = o.ceil_mode,
                                .preset = o.preset};
    return dropped_note(Geometry::windowed("pool", N, shape, windows).value());
  } else {
    return "";
  }
}

template <class Call, int N>
PoolOutcome run_rank(const OptionFlags& flags, const PoolInputs& inputs) {
  typename Call::template Options<N> options;
  flags.read(options);
  return {Call::template run<N>(inputs, options), note_of<N>(inputs.x.shape, options)};
}

template <class Call, int lowest_rank>
PoolOutcome run(int rank, const OptionFlags& flags, const PoolInputs& inputs) {
  if constexpr (lowest_rank == 1) {
    if (rank == 1) return run_rank<Call, 1>(flags, inputs);
  }
  return rank == 2 ? run_rank<Call, 2>(flags, inputs) : run_rank<Call, 3>(flags, inputs);
}

template <class Call, int lowest_rank = 1>
constexpr PoolOp row(Op op, Windows windows, IndexUse indices, const char* help, const char* examples) {
  // Flags have the same names at every rank.
  const auto add_flags = [](OptionFlags& flags, CLI::App& app) { flags.add<typename Call::template Options<2>>(app); };
  return {op, windows, indices, lowest_rank, help, examples, add_flags, run<Call, lowest_rank>};
}

constexpr std::array table = {
    row<CallMax>(Op::max, Windows::regular, IndexUse::written, "the largest value of every window",
                 "-k 3 -s 2 -p 1 in.npy -o out.npy --indices where.npy\n"
                 "-k 2,4 --padding same photo.png -o small.png\n"
                 "-k 5 --ceil-mode=ceil_full --rank 1 signal.npy -o out.npy"),
    row<CallMin>(Op::min, Windows::regular, IndexUse::written, "the smallest value of every window",
                 "-k 3 -s 2 -p 1 in.npy -o out.npy --indices where.npy\n"
                 "-k 2,4 --padding same photo.png -o small.png"),
    row<CallAvg>(Op::avg, Windows::regular, IndexUse::none, "the average of every window",
                 "-k 2 photo.png -o small.png\n"
                 "-k 16 photo.png -o small.png --compare both.png\n"
                 "-k 3 -s 2 -p 1 --count-include-pad false in.npy -o out.npy"),
    row<CallSum>(Op::sum, Windows::regular, IndexUse::none, "the sum of every window",
                 "-k 2 in.npy -o out.npy\n"
                 "-k 5 -s 1 -p same --rank 1 signal.npy -o out.npy"),
    row<CallLp>(Op::lp, Windows::regular, IndexUse::none, "the p-norm of every window",
                "-k 2 in.npy -o out.npy\n"
                "--norm-type inf -k 3 -s 2 -p 1 in.npy -o out.npy\n"
                "--norm-type 3 --signed-power -k 2 in.npy -o out.npy"),
    row<CallAdaptiveMax>(Op::max, Windows::adaptive, IndexUse::written, "the largest value of each of a given number of bins",
                         "--output-size 7 in.npy -o out.npy --indices where.npy\n"
                         "--output-size 7,keep in.npy -o out.npy\n"
                         "--output-size 32,48 photo.png -o icon.png"),
    row<CallAdaptiveAvg>(Op::avg, Windows::adaptive, IndexUse::none, "the average of each of a given number of bins",
                         "--output-size 7 in.npy -o out.npy\n"
                         "--output-size 7,keep in.npy -o out.npy\n"
                         "--output-size 32,48 photo.png -o icon.png"),
    row<CallGlobalMax>(Op::max, Windows::global, IndexUse::written, "the largest value of every channel",
                       "in.npy -o out.npy --indices where.npy\n"
                       "--rank 1 signals.npy -o out.npy"),
    row<CallGlobalAvg>(Op::avg, Windows::global, IndexUse::none, "the average of every channel",
                       "in.npy -o out.npy\n"
                       "photo.png -o colour.png"),
    row<CallGlobalSum>(Op::sum, Windows::global, IndexUse::none, "the sum of every channel",
                       "in.npy -o out.npy\n"
                       "--rank 3 volumes.npy -o out.npy"),
    row<CallGlobalLp>(Op::lp, Windows::global, IndexUse::none, "the p-norm of every channel",
                      "in.npy -o out.npy\n"
                      "--norm-type 1 --rank 1 signals.npy -o out.npy"),
    row<CallFractionalMax, 2>(Op::max, Windows::fractional, IndexUse::written, "the largest value of windows at pseudo-random positions",
                              "-k 2 --output-ratio 0.7 photo.png -o smaller.png\n"
                              "-k 2 --output-size 12,10 --seed 3 in.npy -o out.npy --indices where.npy"),
    row<CallUnpool>(Op::unpool, Windows::regular, IndexUse::read, "undo max: values at their original positions, zeros elsewhere",
                    "-k 2 pooled.npy --indices where.npy -o out.npy\n"
                    "-k 3 -s 2 -p 1 --output-size 112,112 pooled.npy --indices where.npy -o out.npy"),
};

std::string prefix(Windows windows) { return windows == Windows::regular ? "" : std::string(windows_name(windows)) + "_"; }

}  // namespace

std::string_view windows_name(Windows windows) noexcept {
  constexpr std::array names = {"regular", "adaptive", "global", "fractional"};
  return names[static_cast<size_t>(windows)];
}

std::string PoolOp::name() const { return prefix(windows) + std::string(op_name(op)); }
std::string PoolOp::function(int rank) const { return prefix(windows) + function_name(op, rank); }

std::vector<std::string> PoolOp::functions() const {
  std::vector<std::string> names;
  for (int rank = lowest_rank; rank <= max_spatial; ++rank) names.push_back(function(rank));
  return names;
}

std::span<const PoolOp> pool_ops() noexcept { return table; }

}  // namespace tidepool::cli
