// One pooling job without its data: what is computed, on what type, shape and layout. Hashable, and a line of text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tidepool/dtype.h"
#include "tidepool/geometry.h"

namespace tidepool {

enum class Op : uint8_t { max, min, avg, sum, lp, unpool };
enum class Pass : uint8_t {
  forward,
  backward,
  double_backward,        // gradient of the output's gradient
  double_backward_input,  // gradient of the input through the backward pass: lp alone is curved
};

// Derived from strides, never asked of the user.
enum class Layout : uint8_t {
  channels_first,  // columns are adjacent in memory: ncl, nchw, ncdhw
  channels_last,   // channels are adjacent: nlc, nhwc, ndhwc
  strided,         // neither
};

enum class NanPolicy : uint8_t {
  propagate,  // a NaN in the window is the result
  ignore,     // NaN cells count as absent
};

// How the average of integers becomes an integer.
enum class IntegerRounding : uint8_t { truncate, floor, nearest_even };

// What a reduction needs besides its windows. Ops leave at their defaults the fields they have no use for.
struct Reduction {
  Divisor divisor = Divisor::window_in_padded;
  int64_t fixed_divisor = 0;
  IntegerRounding rounding = IntegerRounding::truncate;
  double norm = 0;              // lp: p
  bool signed_power = false;    // lp: x^p without the absolute value
  bool scale_overhang = false;  // lp: a window that hangs over the edge is scaled up to a whole one

  friend bool operator==(const Reduction&, const Reduction&) = default;
};

struct Problem {
  Op op = Op::max;
  Pass pass = Pass::forward;
  DType dtype = DType::f32;
  Layout layout = Layout::channels_first;
  NanPolicy nan = NanPolicy::propagate;
  std::optional<IndexBase> indices = std::nullopt;  // max, min forward: written when set; wherever indices are read: set
  Geometry geometry = {};
  Reduction reduction = {};

  friend bool operator==(const Problem&, const Problem&) = default;
};

size_t hash_value(const Problem& problem) noexcept;

std::string_view op_name(Op op) noexcept;                        // "max"
std::string_view pass_name(Pass pass) noexcept;                  // "fwd", "bwd", "bwd2", "bwd2x"
std::string_view layout_name(Layout layout, int rank) noexcept;  // "nchw"
std::string_view index_base_name(IndexBase base) noexcept;       // "plane"
bool has_indices(Op op) noexcept;                                // max, min, unpool: an output has one cell it belongs to
std::string function_name(Op op, int rank);                      // "max_pool2d"

// What a run of the problem needs.
bool reads_indices(const Problem& problem) noexcept;  // and otherwise writes them, if it has any
bool enlarges(const Problem& problem) noexcept;       // from pooled to unpooled shape
bool reads_saved(const Problem& problem) noexcept;    // the input of the forward pass
Dims source_shape(const Problem& problem) noexcept;   // of the array that is read
Dims result_shape(const Problem& problem) noexcept;   // of the array that is written

// "max2d fwd f32 nchw 2x64x112x112 k3 s2 p1". Then any of: d2, ceil, ceil_full, same, same_lower, idx=window, nan=ignore.
// Averages: div=full, div=valid, div=7, round=floor, round=even. Adaptive windows: out=6 or out=6x7 in place of k, s, p, d.
// Both k3 and out=6: fractional windows. Lp: p=2, p=inf, signed, scaled. unpool2d has the shape before unpooling, and out= if it is not
// the default. Pairs are k3x2, sides p0:1x2:2. Padding beyond PyTorch's limit is accepted: a Problem describes, the op's options forbid.
std::string to_string(const Problem& problem);
Result<Problem> parse_problem(std::string_view text);
// The same, throwing Error.
Problem parse(std::string_view text);

// The type indices are stored in: i64, or for windows u8, i16, i32 or i64, whichever holds the largest tap. With NanPolicy::ignore
// a window may have no winner, so one more value is needed.
DType index_dtype(IndexBase base, const Geometry& geometry, NanPolicy nan = NanPolicy::propagate) noexcept;

// The layout class of one array of rank N, C, spatial… (or unbatched), by its strides.
Layout layout_of(const Dims& shape, const Dims& strides, int spatial_rank, bool batched) noexcept;

}  // namespace tidepool

template <>
struct std::hash<tidepool::Problem> {
  size_t operator()(const tidepool::Problem& problem) const noexcept { return tidepool::hash_value(problem); }
};
