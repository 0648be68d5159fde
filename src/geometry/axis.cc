#include "tidepool/axis.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "core/checked.h"

namespace tidepool::inline v0_1 {
namespace {

using detail::ceil_div;
using detail::checked_add;
using detail::checked_mul;
using detail::checked_sub;
using detail::floor_div;

Error invalid(std::string text) { return {ErrorCode::invalid_argument, std::move(text)}; }

std::string sides_text(Sides p) {
  return p.before == p.after ? std::to_string(p.before) : std::to_string(p.before) + ":" + std::to_string(p.after);
}

std::string numbers_text(const AxisSpec& s) {
  return "input " + std::to_string(s.length) + ", kernel " + std::to_string(s.kernel) + ", stride " + std::to_string(s.stride) +
         ", padding " + sides_text(s.padding) + ", dilation " + std::to_string(s.dilation);
}

Error overflow(const AxisSpec& s) { return {ErrorCode::overflow, "sizes overflow 64 bits (" + numbers_text(s) + ")"}; }

Status check_numbers(const AxisSpec& s) {
  if (s.kernel < 1) return invalid("kernel_size must be at least 1, got " + std::to_string(s.kernel));
  if (s.stride < 1) return invalid("stride must be at least 1, got " + std::to_string(s.stride));
  if (s.dilation < 1) return invalid("dilation must be at least 1, got " + std::to_string(s.dilation));
  for (int64_t p : {s.padding.before, s.padding.after})
    if (p < 0) return invalid("padding must not be negative, got " + std::to_string(p));
  if (s.length < 1) return invalid("input size must be at least 1, got " + std::to_string(s.length));
  return Ok{};
}

bool dilated_kernel(const AxisSpec& s, int64_t* effective) noexcept {
  return checked_mul(s.dilation, s.kernel - 1, effective) && checked_add(*effective, 1, effective);
}

// Every position start + tap * dilation of a window lies in [-before, padded + effective + stride]. When that range fits 64 bits, no later
// arithmetic on positions can overflow.
bool padded_length(const AxisSpec& s, int64_t effective, int64_t* padded) noexcept {
  int64_t reach;
  return checked_add(s.length, s.padding.before, padded) && checked_add(*padded, s.padding.after, padded) &&
         checked_add(*padded, effective, &reach) && checked_add(reach, s.stride, &reach);
}

// SAME padding: the least that gives ceil(length / stride) windows.
Result<Sides> same_padding(const AxisSpec& s, int64_t effective) {
  const int64_t outputs = ceil_div(s.length, s.stride);
  int64_t last, total;
  if (!checked_mul(outputs - 1, s.stride, &last) || !checked_add(last, effective, &total)) return overflow(s);
  total = std::max<int64_t>(0, total - s.length);
  const int64_t small = total / 2;
  return s.padding_mode == PaddingMode::same_upper ? Sides(small, total - small) : Sides(total - small, small);
}

}  // namespace

Result<Axis> Axis::regular(const AxisSpec& spec) {
  AxisSpec s = spec;
  if (s.padding_mode != PaddingMode::explicit_sides) s.padding = 0;
  if (s.padding_mode == PaddingMode::valid) s.padding_mode = PaddingMode::explicit_sides;  // so that both compare equal
  if (Status ok = check_numbers(s); !ok) return ok.error();
  int64_t effective;
  if (!dilated_kernel(s, &effective)) return overflow(s);

  if (s.padding_mode == PaddingMode::same_upper || s.padding_mode == PaddingMode::same_lower) {
    Result<Sides> sides = same_padding(s, effective);
    if (!sides) return sides.error();
    s.padding = *sides;
    s.rounding = Rounding::floor;
  } else if (s.limit_padding) {
    for (int64_t p : {s.padding.before, s.padding.after})
      if (p > effective / 2)
        return invalid("padding must be at most half of the dilated kernel (" + std::to_string(effective) +
                       " / 2 = " + std::to_string(effective / 2) + "), got " + std::to_string(p));
  }

  int64_t padded;
  if (!padded_length(s, effective, &padded)) return overflow(s);
  const int64_t room = padded - effective;
  int64_t outputs = (s.rounding == Rounding::floor ? floor_div(room, s.stride) : ceil_div(room, s.stride)) + 1;
  if (s.rounding == Rounding::ceil && outputs > 0 && (outputs - 1) * s.stride >= s.length + s.padding.before) --outputs;
  if (outputs < 1) return invalid("output size must be at least 1, got " + std::to_string(outputs) + " from " + numbers_text(s));

  return of(s, effective, outputs);
}

Axis Axis::of(const AxisSpec& s, int64_t effective, int64_t outputs) noexcept {
  Axis axis;
  axis.length_ = s.length;
  axis.output_ = outputs;
  axis.kernel_ = s.kernel;
  axis.stride_ = s.stride;
  axis.dilation_ = s.dilation;
  axis.pad_before_ = s.padding.before;
  axis.pad_after_ = s.padding.after;
  axis.rounding_ = s.rounding;
  axis.padding_mode_ = s.padding_mode;
  const int64_t first = ceil_div(s.padding.before, s.stride);
  const int64_t last = std::min(floor_div(s.length - effective + s.padding.before, s.stride) + 1, outputs);
  axis.interior_ = first < last ? Range{first, last} : Range{0, 0};
  return axis;
}

Result<Axis> Axis::unpooled(const AxisSpec& spec, std::optional<int64_t> size) {
  AxisSpec s = spec;
  if (s.padding_mode == PaddingMode::valid) s.padding = 0;
  s.padding_mode = PaddingMode::explicit_sides;
  s.rounding = Rounding::floor;
  if (Status ok = check_numbers(s); !ok) return ok.error();
  int64_t effective, fewest, low, high;
  if (!dilated_kernel(s, &effective) || !checked_mul(s.length - 1, s.stride, &fewest) || !checked_add(fewest, effective, &fewest) ||
      !checked_sub(fewest, s.padding.before, &fewest) || !checked_sub(fewest, s.padding.after, &fewest) ||
      !checked_sub(fewest, s.stride, &low) || !checked_add(fewest, s.stride, &high))
    return overflow(s);
  if (size && (*size <= low || *size >= high))
    return invalid("output_size must be above " + std::to_string(low) + " and below " + std::to_string(high) + ", got " +
                   std::to_string(*size) + " for " + numbers_text(s));
  const int64_t outputs = s.length;
  s.length = size.value_or(fewest);
  if (s.length < 1) return invalid("output size must be at least 1, got " + std::to_string(s.length) + " from " + numbers_text(spec));
  if (int64_t padded; !padded_length(s, effective, &padded)) return overflow(s);
  return of(s, effective, outputs);
}

Result<Axis> Axis::fractional(int64_t length, int64_t kernel, int64_t output) {
  if (kernel < 1) return invalid("kernel_size must be at least 1, got " + std::to_string(kernel));
  if (length < 1) return invalid("input size must be at least 1, got " + std::to_string(length));
  if (output < 0) return invalid("output_size must not be negative, got " + std::to_string(output));
  if (kernel > length || output > length - kernel + 1)
    return invalid("output_size + kernel_size - 1 must be at most the input size " + std::to_string(length) + ", got output_size " +
                   std::to_string(output) + " and kernel_size " + std::to_string(kernel));
  Axis axis;
  axis.kind_ = Kind::fractional;
  axis.length_ = length;
  axis.output_ = output;
  axis.kernel_ = kernel;
  axis.interior_ = {0, 0};
  return axis;
}

Result<Axis> Axis::adaptive(int64_t length, int64_t output) {
  if (length < 1) return invalid("input size must be at least 1, got " + std::to_string(length));
  if (output < 0) return invalid("output_size must not be negative, got " + std::to_string(output));
  int64_t product;
  if (!checked_mul(length, output, &product) || !checked_add(product, length, &product))
    return Error(ErrorCode::overflow,
                 "sizes overflow 64 bits (input " + std::to_string(length) + ", output_size " + std::to_string(output) + ")");
  Axis axis;
  axis.kind_ = Kind::adaptive;
  axis.length_ = length;
  axis.output_ = output;
  axis.interior_ = {0, 0};
  if (output > 0) {
    // The largest bin has length / output elements if that divides. Otherwise one more, or two more when both ends of some bin fall
    // inside an element.
    const int64_t rest = length % output;
    axis.kernel_ = length / output + (rest == 0 ? 0 : rest > std::gcd(rest, output) ? 2 : 1);
    // Bin o begins at floor(o * length / output). With remainder 0 or 1 that is o * floor(length / output) for every o < output, so all
    // bins have the same distance; with remainder 1 each also has the same size, one more than that distance.
    if (axis.is_even()) axis.stride_ = length / output, axis.interior_ = {0, output};
  }
  return axis;
}

Window Axis::window(int64_t o) const noexcept {
  if (is_fractional()) return {0, kernel_, 0, kernel_};
  if (is_adaptive()) {
    const int64_t begin = o * length_ / output_;
    const int64_t count = ((o + 1) * length_ - 1) / output_ + 1 - begin;
    return {begin, count, 0, count};
  }
  const int64_t first = o * stride_ - pad_before_;
  const int64_t hidden = first < 0 ? ceil_div(-first, dilation_) : 0;
  const auto taps_before = [&](int64_t end) { return first >= end ? 0 : std::min(kernel_, ceil_div(end - first, dilation_)); };
  return {.begin = first + hidden * dilation_,
          .count = std::max<int64_t>(0, taps_before(length_) - hidden),
          .first_tap = hidden,
          .padded_count = taps_before(length_ + pad_after_)};
}

// Looks at no more than min(kernel, stride) taps, so that the time does not depend on the length of the axis.
int64_t Axis::dropped() const noexcept {
  if (kind_ != Kind::regular) return output_ > 0 ? 0 : length_;  // adaptive and fractional windows reach the end
  const int64_t span = length_ - 1 + pad_before_;                // distance from tap 0 of output 0 to the last element
  const int64_t last_start = (output_ - 1) * stride_;            // distance from tap 0 of output 0 to tap 0 of the last output
  int64_t unread = length_;
  const auto reads = [&](int64_t rest) { unread = std::min(unread, rest); };
  int64_t tap = 0;
  if (last_start <= span) {  // taps that are inside the input in the last window too: the last such tap reads farthest
    tap = std::min(kernel_ - 1, (span - last_start) / dilation_);
    reads(span - last_start - tap * dilation_);
    ++tap;
  }
  // The other taps: how close to the end a tap reads depends only on its position modulo the stride.
  const int64_t step = std::gcd(stride_, dilation_);
  const int64_t end = std::min({kernel_, span / dilation_ + 1, tap + stride_ / step});
  for (; tap < end && unread != span % step; ++tap) reads((span - tap * dilation_) % stride_);
  return unread;
}

bool Axis::has_empty_window() const noexcept {
  if (kind_ != Kind::regular) return false;
  if ((output_ - 1) * stride_ - pad_before_ >= length_) return true;  // the last window starts after the input
  if (pad_before_ == 0) return false;
  if (ceil_div(pad_before_, dilation_) >= kernel_) return true;  // the first window ends before the input
  if (dilation_ <= length_) return false;
  // The input is shorter than the dilation, so a window can have a tap before it, a tap after it and none inside. The first tap at a
  // position >= 0 is at -hidden modulo the dilation.
  const int64_t step = std::gcd(stride_, dilation_);
  const int64_t leading = std::min(output_, ceil_div(pad_before_, stride_));
  for (int64_t i = 1; i <= std::min(leading, dilation_ / step); ++i) {
    const int64_t hidden = pad_before_ - (leading - i) * stride_;
    if (ceil_div(hidden, dilation_) * dilation_ - hidden >= length_) return true;
  }
  return false;
}

}  // namespace tidepool::inline v0_1
