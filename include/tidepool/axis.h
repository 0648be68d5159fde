// The arithmetic of one dimension. Every pooling flavour is a list of windows along each axis; this is where the list is made.
#pragma once

#include <cstdint>
#include <optional>

#include "tidepool/error.h"
#include "tidepool/extent.h"

namespace tidepool {

// How the number of outputs is rounded.
enum class Rounding : uint8_t {
  floor,      // windows that fit
  ceil,       // one more that hangs over, unless it would start beyond the input and its leading padding (PyTorch)
  ceil_full,  // one more, always
};

// ceil_mode = false, true, or a Rounding; unset: as the preset has it.
struct CeilMode {
  std::optional<Rounding> rounding;

  constexpr CeilMode() = default;
  constexpr CeilMode(bool on) noexcept : rounding(on ? Rounding::ceil : Rounding::floor) {}  // NOLINT: implicit by design
  constexpr CeilMode(Rounding r) noexcept : rounding(r) {}                                   // NOLINT: implicit by design
};

// The cells of one output index: begin, begin + dilation, …, `count` of them, all inside the input.
struct Window {
  int64_t begin = 0;         // first input cell; meaningless when count is 0
  int64_t count = 0;         // real cells; 0 is legal (dilation with padding)
  int64_t first_tap = 0;     // which of the kernel's taps `begin` is; greater than 0 when padding hides some
  int64_t padded_count = 0;  // cells inside input and padding: what count_include_pad divides by

  friend constexpr bool operator==(const Window&, const Window&) = default;
};

struct Range {
  int64_t begin = 0;
  int64_t end = 0;

  constexpr int64_t size() const noexcept { return end > begin ? end - begin : 0; }
  friend constexpr bool operator==(const Range&, const Range&) = default;
};

// What the user asked of one axis.
struct AxisSpec {
  int64_t length = 0;
  int64_t kernel = 1;
  int64_t stride = 1;
  int64_t dilation = 1;
  Sides padding{};
  PaddingMode padding_mode = PaddingMode::explicit_sides;
  Rounding rounding = Rounding::floor;
  bool limit_padding = true;  // padding at most half of the dilated kernel, as PyTorch
};

// Validated numbers. Immutable, cheap to copy, never wrong.
class Axis {
 public:
  Axis() = default;  // one cell, one window

  // kernel, stride, dilation, padding. The error text names rule and value; the caller adds op and axis.
  static Result<Axis> regular(const AxisSpec& spec);
  // `output` bins that cover the input, PyTorch's bounds; output may be 0 or larger than length.
  static Result<Axis> adaptive(int64_t length, int64_t output);
  // `output` windows of `kernel` cells whose starts a run brings along: fractional pooling.
  static Result<Axis> fractional(int64_t length, int64_t kernel, int64_t output);
  // The axis whose pooling gave spec.length outputs: of `size` cells, or of the fewest. The rounding that was used is not known, so a
  // size may be less than a stride off, as in PyTorch's unpooling.
  static Result<Axis> unpooled(const AxisSpec& spec, std::optional<int64_t> size);

  int64_t input() const noexcept { return length_; }
  int64_t output() const noexcept { return output_; }
  int64_t kernel() const noexcept { return kernel_; }  // adaptive: the largest bin
  int64_t stride() const noexcept { return stride_; }
  int64_t dilation() const noexcept { return dilation_; }
  int64_t pad_before() const noexcept { return pad_before_; }
  int64_t pad_after() const noexcept { return pad_after_; }
  Rounding rounding() const noexcept { return rounding_; }
  PaddingMode padding_mode() const noexcept {
    return padding_mode_;
  }  // same_upper, same_lower, or explicit_sides; the numbers are resolved
  bool is_adaptive() const noexcept { return kind_ == Kind::adaptive; }
  bool is_fractional() const noexcept { return kind_ == Kind::fractional; }
  // Windows of one size at equal steps: a regular axis, or bins that divide the input or leave one cell over.
  bool is_even() const noexcept {
    return kind_ == Kind::regular || (is_adaptive() && output_ > 0 && length_ >= output_ && length_ % output_ <= 1);
  }

  // The cells of output o, 0 <= o < output(). A fractional axis knows their number only.
  Window window(int64_t o) const noexcept;
  // Position of tap 0 of output o; may be negative or beyond the input.
  int64_t start(int64_t o) const noexcept { return kind_ == Kind::regular ? o * stride_ - pad_before_ : window(o).begin; }
  // Outputs whose windows have all their taps inside the input. Empty for axes that are not even.
  Range interior() const noexcept { return interior_; }
  // Trailing input cells that no window reads: the rows that vanish.
  int64_t dropped() const noexcept;
  bool has_empty_window() const noexcept;

  friend bool operator==(const Axis&, const Axis&) = default;

 private:
  enum class Kind : uint8_t { regular, adaptive, fractional };
  // Numbers that have been checked.
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

}  // namespace tidepool
