// The windows of one layer along each spatial axis: what every output reads, how the output size comes about, and what is left out and why.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/range_set.h"
#include "tidepool/analyze/rational.h"
#include "tidepool/axis.h"
#include "tidepool/export.h"
#include "tidepool/extent.h"

namespace tidepool::inline v0_1::analyze {

// Cells along an axis that no output reads.
struct Unread {
  RangeSet cells;
  std::string reason;  // "output 3 would read 6-7, but the input ends at 6"
};

struct WindowAxis {
  enum class Kind : uint8_t {
    regular,     // convolution and pooling: kernel, stride, dilation and padding
    adaptive,    // bins that cover the axis
    fractional,  // windows whose starts are random
    transposed,  // transposed convolution and unpooling
    interpolated,
    moved,  // padding and cropping: one cell for each output
    whole,  // every output reads the whole axis
  };

  int dim = 2;       // of the input and of the output
  std::string name;  // "h"
  Kind kind = Kind::regular;
  int64_t input = 0, output = 0;
  // Of regular and transposed windows; kernel also of fractional ones, and of the largest adaptive bin.
  int64_t kernel = 1, stride = 1, dilation = 1;
  Sides padding{};
  Rounding rounding = Rounding::floor;
  std::string size;  // how the output size comes about: "floor((7 + 0 + 0 - 2) / 2) + 1 = floor(5 / 2) + 1 = 3"
  std::vector<Unread> unread;
  // False for very long axes with gaps: `unread` then holds cells near both ends only.
  bool unread_is_complete = true;
  // The smallest changes of each kind that keep all cells; the same as Loss::remedies. Empty if nothing is left out.
  std::vector<std::string> remedies;
};

// The dimensions that the windows of a node move along, in order. Takes time and memory that do not grow with the sizes beyond a limit.
// Throws Error if the node is not known.
TIDEPOOL_API std::vector<WindowAxis> window_axes(const Network& network, int node);

// The cells that one output reads along an axis: `taps` positions, `step` apart, from `first` on.
struct WindowTaps {
  int64_t first = 0;  // may lie in the padding
  int64_t taps = 0;   // 0 for an output that reads nothing
  int64_t step = 1;
  int64_t begin = 0;                   // the first of them inside the input
  int64_t count = 0;                   // how many are inside the input
  int64_t padded_count = 0;            // how many are inside input and padding: what an average that counts padding is divided by
  std::optional<Rational> coordinate;  // of an interpolated output, in the input

  int64_t last() const noexcept { return taps > 0 ? first + (taps - 1) * step : first; }
};

// `dim` is one of window_axes(). Positions of fractional windows are not known: the whole axis. Throws Error(out_of_range).
TIDEPOOL_API WindowTaps window_taps(const Network& network, int node, int dim, int64_t output);

}  // namespace tidepool::inline v0_1::analyze
