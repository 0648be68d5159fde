// A Problem describes one pooling computation without its data: op, pass, dtype, layout, shape and windows. It can be compared, hashed,
// printed as one line of text and parsed from it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tidepool/dtype.h"
#include "tidepool/export.h"
#include "tidepool/geometry.h"

namespace tidepool::inline v0_1 {

enum class TIDEPOOL_API Op : uint8_t { max, min, avg, sum, lp, unpool };
inline constexpr std::array all_ops = {Op::max, Op::min, Op::avg, Op::sum, Op::lp, Op::unpool};

enum class Pass : uint8_t {
  forward,
  backward,
  double_backward,        // gradient with respect to the output's gradient
  double_backward_input,  // gradient of the backward pass with respect to the input: lp only, zero for the other ops
};
inline constexpr std::array all_passes = {Pass::forward, Pass::backward, Pass::double_backward, Pass::double_backward_input};

// Which dimension is adjacent in memory. Read from the strides; the functions have no layout parameter.
enum class Layout : uint8_t {
  channels_first,  // the last spatial dimension: ncl, nchw, ncdhw
  channels_last,   // the channels: nlc, nhwc, ndhwc
  strided,         // neither
};
inline constexpr std::array all_layouts = {Layout::channels_first, Layout::channels_last, Layout::strided};

enum class NanPolicy : uint8_t {
  propagate,  // a window that contains a NaN gives NaN
  ignore,     // NaN elements are left out of the window
};

// How the average of integers is rounded to an integer.
enum class IntegerRounding : uint8_t { truncate, floor, nearest_even };

// Parameters of a reduction apart from its windows. Fields that an op does not use keep their defaults, so that problems compare equal.
struct Reduction {
  Divisor divisor = Divisor::window_in_padded;
  int64_t fixed_divisor = 0;
  IntegerRounding rounding = IntegerRounding::truncate;
  double norm = 0;              // lp: the exponent p
  bool signed_power = false;    // lp: x^p without the absolute value
  bool scale_overhang = false;  // lp: a window clipped at the edge is scaled up as if it were complete, as PyTorch does

  friend bool operator==(const Reduction&, const Reduction&) = default;
};

struct Problem {
  Op op = Op::max;
  Pass pass = Pass::forward;
  DType dtype = DType::f32;
  Layout layout = Layout::channels_first;
  NanPolicy nan = NanPolicy::propagate;
  std::optional<IndexBase> indices = std::nullopt;  // forward max, min: write indices. Where indices are read: always set
  Geometry geometry = {};
  Reduction reduction = {};

  friend bool operator==(const Problem&, const Problem&) = default;
};

TIDEPOOL_API size_t hash_value(const Problem& problem) noexcept;

TIDEPOOL_API std::string_view op_name(Op op) noexcept;                        // "max"
TIDEPOOL_API std::string_view pass_name(Pass pass) noexcept;                  // "fwd", "bwd", "bwd2", "bwd2x"
TIDEPOOL_API std::string_view layout_name(Layout layout, int rank) noexcept;  // "nchw"
TIDEPOOL_API std::string_view index_base_name(IndexBase base) noexcept;       // "plane"
TIDEPOOL_API bool has_indices(Op op) noexcept;                                // max, min, unpool
TIDEPOOL_API std::string function_name(Op op, int rank);                      // "max_pool2d"

// The arrays of a run of the problem.
TIDEPOOL_API bool reads_indices(const Problem& problem) noexcept;  // if false and `indices` is set, it writes them
TIDEPOOL_API bool enlarges(const Problem& problem) noexcept;       // reads the pooled shape and writes the shape before pooling
TIDEPOOL_API bool reads_saved(const Problem& problem) noexcept;    // reads the input of the forward pass
TIDEPOOL_API Dims source_shape(const Problem& problem) noexcept;   // of RunArrays::input
TIDEPOOL_API Dims result_shape(const Problem& problem) noexcept;   // of RunArrays::output

// A problem as text: "max2d fwd f32 nchw 2x64x112x112 k3 s2 p1", that is op and rank, pass, dtype, layout, shape, and options:
//   k3 s2 p1 d2                        kernel, stride, padding, dilation; per axis k3x2; padding before and after p0:1x2:2
//   ceil, ceil_full, same, same_lower  rounding of the output size, or the padding mode
//   out=6, out=6x7                     adaptive windows, in place of k, s, p and d; with k3: fractional windows
//   idx=window, nan=ignore             indices, NaN policy
//   div=full, div=valid, div=7         avg: the divisor; round=floor, round=even: the rounding of integers
//   p=2, p=inf, signed, scaled         lp
// For unpool the shape is the pooled one, and out= the shape after unpooling when it is not the default. Padding may
// exceed half of the kernel: PyTorch's limit is a rule of the functions' options, not of problems.
TIDEPOOL_API std::string to_string(const Problem& problem);
TIDEPOOL_API Result<Problem> parse_problem(std::string_view text);
// As parse_problem; throws Error.
TIDEPOOL_API Problem parse(std::string_view text);

// The dtype of the indices: i64, or for IndexBase::window the smallest of u8, i16, i32 and i64 that holds every tap of the window. With
// NanPolicy::ignore one more value is needed, for windows that contain nothing but NaN.
TIDEPOOL_API DType index_dtype(IndexBase base, const Geometry& geometry, NanPolicy nan = NanPolicy::propagate) noexcept;

// The layout of an array with dimensions N, C, spatial… (or C, spatial… when not batched), from its strides.
TIDEPOOL_API Layout layout_of(const Dims& shape, const Dims& strides, int spatial_rank, bool batched) noexcept;

}  // namespace tidepool::inline v0_1

template <>
struct std::hash<tidepool::Problem> {
  size_t operator()(const tidepool::Problem& problem) const noexcept { return tidepool::hash_value(problem); }
};
