// Which positions of a layer's input each position of its output reads, along one axis.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "tidepool/analyze/range_set.h"
#include "tidepool/analyze/rational.h"
#include "tidepool/axis.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze {

// A list of this many ranges takes about a second.
inline constexpr int64_t most_ranges = int64_t{1} << 24;

inline void check_ranges(int64_t count) {
  if (count > most_ranges)
    detail::throw_error({ErrorCode::unsupported, "analyze: the cells that " + std::to_string(count) +
                                                     " windows read are not one range; the limit is " + std::to_string(most_ranges)});
}

// Convolution and pooling.
struct WindowReads {
  Axis axis;
};

// Transposed convolution and unpooling: output o reads input i if o = i * stride - padding + tap * dilation for some tap.
struct TransposedReads {
  int64_t kernel = 1, stride = 1, dilation = 1, padding = 0;
};

// Output o has the coordinate (o * scale + shift) / unit in the input. Nearest reads one cell, linear two, cubic four; a cell with weight 0
// does not count.
struct ResizeReads {
  enum class Cells : uint8_t { floor, ceil, round_down, round_up, linear, cubic };
  Cells cells = Cells::floor;
  int64_t scale = 1, shift = 0, unit = 1;
};

// Slices, padding, and axes that a layer does not change: output o reads input o * step + begin.
struct ShiftedReads {
  enum class Outside : uint8_t { nothing, reflect, replicate, circular };  // what positions outside the input read
  int64_t begin = 0, step = 1;
  Outside outside = Outside::nothing;
};

// Every output reads every input: global pooling, linear layers, softmax.
struct WholeReads {};

// An input of size 1 that every output reads.
struct BroadcastReads {};

// Flattening: output o reads input (o / inner) % size, where `size` is that of the input.
struct MergedReads {
  int64_t inner = 1;
};

// Channels of a convolution with groups: the outputs of a group read its inputs.
struct GroupReads {
  int64_t groups = 1;
};

class AxisMap {
 public:
  using Reads = std::variant<WindowReads, TransposedReads, ResizeReads, ShiftedReads, WholeReads, BroadcastReads, MergedReads, GroupReads>;

  AxisMap(int64_t input, int64_t output, Reads reads) : input_(input), output_(output), reads_(reads) {}
  explicit AxisMap(const Axis& axis) : AxisMap(axis.input(), axis.output(), WindowReads{axis}) {}
  static AxisMap same(int64_t size) { return {size, size, ShiftedReads{}}; }
  static AxisMap whole(int64_t input) { return {input, 1, WholeReads{}}; }

  int64_t input() const noexcept { return input_; }
  int64_t output() const noexcept { return output_; }
  const Reads& reads() const noexcept { return reads_; }
  template <class R>
  bool is() const noexcept {
    return std::holds_alternative<R>(reads_);
  }
  // Whether output o reads input o and nothing else.
  bool is_same() const noexcept;

  // What output o reads if the input had no ends.
  RangeSet unclipped(int64_t o) const;
  // What these outputs read, all of it inside the input.
  RangeSet inside(const RangeSet& outputs) const;

  // unclipped(o + period()) is unclipped(o) moved by advance(). Their quotient is stride().
  int64_t period() const;
  int64_t advance() const;

  // The middle of what output o reads is o * stride() + centre(), where the phases of a period are averaged.
  Rational stride() const;
  Rational centre() const;
  // How much farther than one cell the smallest window reaches.
  int64_t reach() const;

 private:
  RangeSet clipped(int64_t o) const;
  // Whether the windows of neighbouring outputs overlap or touch, and have no gaps.
  bool is_dense() const;

  int64_t input_, output_;
  Reads reads_;
};

}  // namespace tidepool::inline v0_1::analyze
