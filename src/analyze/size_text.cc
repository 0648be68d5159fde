#include "analyze/size_text.h"

#include <charconv>

namespace tidepool::inline v0_1::analyze {

namespace {

std::string text(int64_t number) { return std::to_string(number); }

std::string text(double number) {
  char digits[400];  // of the smallest factors
  return {digits, std::to_chars(digits, digits + sizeof digits, number, std::chars_format::fixed).ptr};
}

// The cells from the first tap of a window to its last: "3", or "2 * (3 - 1) - 1" with dilation, as subtracted from the input.
std::string minus_window(int64_t kernel, int64_t dilation) {
  return dilation == 1 ? " - " + text(kernel) : " - " + text(dilation) + " * (" + text(kernel) + " - 1) - 1";
}

std::string regular(const Axis& axis) {
  const std::string result = " = " + text(axis.output());
  if (axis.padding_mode() != PaddingMode::explicit_sides)
    return "ceil(" + text(axis.input()) + " / " + text(axis.stride()) + ")" + result + ", which takes a padding of " +
           text(axis.pad_before()) + " before and " + text(axis.pad_after()) + " after";
  const int64_t span = (axis.kernel() - 1) * axis.dilation() + 1;
  const int64_t room = axis.input() + axis.pad_before() + axis.pad_after() - span;
  const std::string round = axis.rounding() == Rounding::floor ? "floor(" : "ceil(", by = " / " + text(axis.stride()) + ")";
  const std::string formula = round + "(" + text(axis.input()) + " + " + text(axis.pad_before()) + " + " + text(axis.pad_after()) +
                              minus_window(axis.kernel(), axis.dilation()) + ")" + by + " + 1 = " + round + text(room) + by + " + 1";
  // The last of the rounded-up windows may not begin behind the input.
  const bool one_less = axis.rounding() == Rounding::ceil && (axis.output() - 1) * axis.stride() < room;
  return formula + (one_less ? " - 1" + result + ": one more window would begin behind the input" : result);
}

std::string transposed(const Layer& layer, int spatial, const WindowAxis& axis) {
  const std::string full = "(" + text(axis.input) + " - 1) * " + text(axis.stride) + " - " + text(axis.padding.before) + " - " +
                           text(axis.padding.after) + " + " + text(axis.dilation) + " * (" + text(axis.kernel) + " - 1)";
  const std::string result = " + 1 = " + text(axis.output);
  if (const auto* conv = std::get_if<ConvTranspose>(&layer); conv != nullptr && conv->output_padding[spatial] > 0)
    return full + " + " + text(conv->output_padding[spatial]) + result;
  if (const auto* unpool = std::get_if<Unpool>(&layer); unpool != nullptr && unpool->output_size.is_set())
    return "as given: " + text(axis.output);
  return full + result;
}

std::string interpolated(const Layer& layer, int spatial, const WindowAxis& axis) {
  const auto* resize = std::get_if<Resize>(&layer);
  if (resize == nullptr || !resize->scale.is_set()) return "as given: " + text(axis.output);
  return "floor(" + text(axis.input) + " * " + text(resize->scale[spatial]) + ") = " + text(axis.output);
}

std::string moved(const Layer& layer, const WindowAxis& axis) {
  const auto* pad = std::get_if<Pad>(&layer);
  if (pad == nullptr) return "the cells that the layer takes: " + text(axis.output);
  const Sides sides = pad->sides[static_cast<size_t>(axis.dim)];
  const auto signed_text = [](int64_t n) { return n < 0 ? " - " + text(-n) : " + " + text(n); };
  return text(axis.input) + signed_text(sides.before) + signed_text(sides.after) + " = " + text(axis.output);
}

}  // namespace

std::string size_text(const Layer& layer, const AxisMap& map, int spatial, const WindowAxis& axis) {
  switch (axis.kind) {
    case WindowAxis::Kind::regular:
      return regular(std::get<WindowReads>(map.reads()).axis);
    case WindowAxis::Kind::transposed:
      return transposed(layer, spatial, axis);
    case WindowAxis::Kind::interpolated:
      return interpolated(layer, spatial, axis);
    case WindowAxis::Kind::moved:
      return moved(layer, axis);
    case WindowAxis::Kind::whole:
      return "one window over the whole axis: " + text(axis.output);
    case WindowAxis::Kind::adaptive:
      return "as given: " + text(axis.output) + "; output o reads from floor(o * " + text(axis.input) + " / " + text(axis.output) +
             ") up to, not including, ceil((o + 1) * " + text(axis.input) + " / " + text(axis.output) + ")";
    default:
      return "as given: " + text(axis.output);
  }
}

}  // namespace tidepool::inline v0_1::analyze
