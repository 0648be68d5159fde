// The arithmetic of one spatial dimension. Every kind of pooling is a list of windows along each axis; Axis computes that list.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>

#include "tidepool/error.h"
#include "tidepool/export.h"
#include "tidepool/extent.h"

namespace tidepool::inline v0_1 {

// How the output size is rounded.
enum class Rounding : uint8_t {
  floor,      // only windows that fit inside input and padding
  ceil,       // one more for the remainder, unless it would start beyond the input and its leading padding (PyTorch)
  ceil_full,  // one more for the remainder, always
};

// ceil_mode = false, true, or a Rounding. Unset: the rounding of the preset.
struct CeilMode {
  std::optional<Rounding> rounding;

  constexpr CeilMode() = default;
  template <std::same_as<bool> B>                                                         // numbers do not convert
  constexpr CeilMode(B on) noexcept : rounding(on ? Rounding::ceil : Rounding::floor) {}  // NOLINT: implicit by design
  constexpr CeilMode(Rounding r) noexcept : rounding(r) {}                                // NOLINT: implicit by design
};

// The input elements of one output: begin, begin + dilation, …, `count` of them, all inside the input.
struct Window {
  int64_t begin = 0;         // the first input element; undefined when count is 0
  int64_t count = 0;         // taps inside the input; may be 0 (dilation with padding)
  int64_t first_tap = 0;     // the tap at `begin`: the number of taps that fall into the leading padding
  int64_t padded_count = 0;  // taps inside input and padding: the divisor with count_include_pad

  friend constexpr bool operator==(const Window&, const Window&) = default;
};

struct Range {
  int64_t begin = 0;
  int64_t end = 0;

  constexpr int64_t size() const noexcept { return end > begin ? end - begin : 0; }
  friend constexpr bool operator==(const Range&, const Range&) = default;
};

// The options of one axis, not validated yet.
struct AxisSpec {
  int64_t length = 0;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  Sides padding{};
  PaddingMode padding_mode = PaddingMode::explicit_sides;
  Rounding rounding = Rounding::floor;
  bool limit_padding = true;  // padding must be at most half of the dilated kernel, as in PyTorch
};

// One validated axis. Immutable and cheap to copy.
class TIDEPOOL_API Axis {
 public:
  Axis() = default;  // input size 1, one window

  // Windows from kernel, stride, dilation and padding. Errors contain rule and value; the caller adds the names of function and axis.
  static Result<Axis> regular(const AxisSpec& spec);
  // `output` bins that cover the input, with PyTorch's bounds. `output` may be 0 or larger than `length`.
  static Result<Axis> adaptive(int64_t length, int64_t output);
  // `output` windows of `kernel` elements each, for fractional pooling. Their starts are data of a run.
  static Result<Axis> fractional(int64_t length, int64_t kernel, int64_t output);
  // The axis of a pooling with spec.length outputs and `size` inputs; without `size`, the smallest that gives this output. Several sizes
  // give the same output, so `size` may differ from the smallest by less than a stride, as in PyTorch.
  static Result<Axis> unpooled(const AxisSpec& spec, std::optional<int64_t> size);

  int64_t input() const noexcept { return length_; }
  int64_t output() const noexcept { return output_; }
  int64_t kernel() const noexcept { return kernel_; }  // adaptive: of the largest bin
  int64_t stride() const noexcept { return stride_; }
  int64_t dilation() const noexcept { return dilation_; }
  int64_t pad_before() const noexcept { return pad_before_; }
  int64_t pad_after() const noexcept { return pad_after_; }
  Rounding rounding() const noexcept { return rounding_; }
  // same_upper, same_lower or explicit_sides. pad_before and pad_after hold the resulting numbers in every mode.
  PaddingMode padding_mode() const noexcept { return padding_mode_; }
  bool is_adaptive() const noexcept { return kind_ == Kind::adaptive; }
  bool is_fractional() const noexcept { return kind_ == Kind::fractional; }
  // All windows have the same size and distance: a regular axis, or adaptive bins when length % output is 0 or 1.
  bool is_even() const noexcept {
    return kind_ == Kind::regular || (is_adaptive() && output_ > 0 && length_ >= output_ && length_ % output_ <= 1);
  }

  // The window of output o, 0 <= o < output(). On a fractional axis only its counts are known; begin is 0.
  Window window(int64_t o) const noexcept;
  // Position of tap 0 of output o; may lie in the padding, before or after the input.
  int64_t start(int64_t o) const noexcept { return kind_ == Kind::regular ? o * stride_ - pad_before_ : window(o).begin; }
  // Outputs whose windows have all their taps inside the input. Empty unless is_even().
  Range interior() const noexcept { return interior_; }
  // Number of trailing input elements that no window reads.
  int64_t dropped() const noexcept;
  bool has_empty_window() const noexcept;

  friend bool operator==(const Axis&, const Axis&) = default;

 private:
  enum class Kind : uint8_t { regular, adaptive, fractional };
  // From numbers that have been checked.
  static Axis of(const AxisSpec& spec, int64_t effective, int64_t output) noexcept;

  int64_t length_ = 1;
  int64_t output_ = 1;
  int64_t kernel_ = 1;
  int64_t stride_ = 1;
  int64_t dilation_ = 1;
  int64_t pad_before_ = 0;
  int64_t pad_after_ = 0;
  Range interior_{0, 1};
  Rounding rounding_ = Rounding::floor;
  PaddingMode padding_mode_ = PaddingMode::explicit_sides;
  Kind kind_ = Kind::regular;
};

}  // namespace tidepool::inline v0_1
