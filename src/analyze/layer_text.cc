// Prints a layer in the form that parse_network reads.
#include <algorithm>
#include <charconv>
#include <span>
#include <string>

#include "analyze/function_words.h"
#include "analyze/overloaded.h"
#include "tidepool/analyze/layers.h"

namespace tidepool::inline v0_1::analyze {

namespace {

std::string joined(const Sizes& sizes) {
  std::string text;
  for (int i = 0; i < std::min<int64_t>(sizes.count, max_spatial); ++i) {
    const int64_t size = sizes.values[static_cast<size_t>(i)];
    text += (i > 0 ? "x" : "") + (size == keep_size ? "*" : std::to_string(size));
  }
  return text;
}

std::string side(Sides s) {
  return s.before == s.after ? std::to_string(s.before) : std::to_string(s.before) + ":" + std::to_string(s.after);
}

std::string joined(std::span<const Sides> sides) {
  if (std::all_of(sides.begin(), sides.end(), [&](Sides s) { return s == sides[0]; })) return sides.empty() ? "0" : side(sides[0]);
  std::string text;
  for (const Sides s : sides) text += (text.empty() ? "" : "x") + side(s);
  return text;
}

// " s2", or " s2x1" if the axes differ; nothing for the default.
std::string option(std::string_view letter, const Sizes& sizes, int64_t standard) {
  const int64_t count = std::min<int64_t>(sizes.count, max_spatial);
  bool equal = true;
  for (int i = 1; i < count; ++i) equal = equal && sizes[i] == sizes[0];
  if (count == 0 || (equal && sizes[0] == standard)) return "";
  return " " + std::string(letter) + (equal ? std::to_string(sizes[0]) : joined(sizes));
}

std::string padding(const Pads& pads) {
  if (pads.mode == PaddingMode::same_upper) return " same";
  if (pads.mode == PaddingMode::same_lower) return " same_lower";
  if (pads.mode == PaddingMode::valid) return "";
  const std::string text = joined(std::span(pads.sides).first(static_cast<size_t>(std::min<int64_t>(pads.count, max_spatial))));
  return text == "0" ? "" : " p" + text;
}

std::string groups(int64_t count) { return count == 1 ? "" : " g" + std::to_string(count); }

bool is_kernel(const Sizes& stride, const Sizes& kernel) {
  for (int i = 0; i < std::max(stride.count, kernel.count); ++i)
    if (i >= max_spatial || stride[i] != kernel[i]) return false;
  return true;
}

std::string windows(const WindowOptions& w) {
  std::string text = " " + joined(w.kernel_size);
  if (!is_kernel(w.stride, w.kernel_size)) text += option("s", w.stride, 0);
  text += padding(w.padding) + option("d", w.dilation, 1);
  if (const auto rounding = w.ceil_mode.rounding; rounding && *rounding != preset_rules(w.preset).rounding)
    text += *rounding == Rounding::ceil ? " ceil" : *rounding == Rounding::ceil_full ? " ceil_full" : " floor";
  return text + (w.preset == Preset::torch ? "" : " " + std::string(preset_rules(w.preset).name));
}

std::string scale_text(const Ratios& scale) {
  std::string text;
  for (int i = 0; i < std::min<int64_t>(scale.count, max_spatial); ++i) {
    char digits[32];
    text +=
        (i > 0 ? "x" : "") + std::string(digits, std::to_chars(digits, digits + sizeof digits, scale.values[static_cast<size_t>(i)]).ptr);
  }
  return text;
}

std::string resize(const Resize& r) {
  const bool nearest = r.mode == Resize::Mode::nearest;
  std::string text = r.scale.is_set() ? "up " + scale_text(r.scale) : "resize " + joined(r.output_size);
  if (!nearest) text += r.mode == Resize::Mode::linear ? " linear" : " cubic";
  if (r.coordinates != (nearest ? Resize::Coordinates::asymmetric : Resize::Coordinates::half_pixel)) {
    constexpr std::string_view words[] = {" half_pixel", " align", " asymmetric"};
    text += words[static_cast<size_t>(r.coordinates)];
  }
  constexpr std::string_view roundings[] = {"", " ceil", " round_down", " round_up"};
  return text + (nearest ? std::string(roundings[static_cast<size_t>(r.rounding)]) : "");
}

std::string conv_text(std::string word, const Sizes& kernel, int64_t channels) {
  return std::move(word) + " " + joined(kernel) + " " + std::to_string(channels);
}

std::string numbers(const std::vector<int>& list) {
  std::string text;
  for (const int number : list) text += " " + std::to_string(number);
  return text;
}

// Of the spatial dimensions, unless others are padded too.
std::string pad_text(const Pad& pad) {
  const std::span<const Sides> sides(pad.sides);
  const bool spatial = sides.size() > 2 && sides[0] == Sides() && sides[1] == Sides();
  constexpr std::string_view modes[] = {"", " reflect", " replicate", " circular"};
  return "pad " + joined(spatial ? sides.subspan(2) : sides) + (spatial ? "" : " all") + std::string(modes[static_cast<size_t>(pad.mode)]);
}

std::string elementwise(const Elementwise& e) {
  const ElementwiseWord* known = find_elementwise(e.function);
  if (known != nullptr && known->kind == e.kind && known->saves_output == e.saves_output)
    return e.function + (e.parameters_per_channel == known->parameters_per_channel ? "" : " w" + std::to_string(e.parameters_per_channel));
  return "elementwise " + e.function +
         (e.kind == Elementwise::Kind::activation ? "" : " " + std::string(elementwise_kinds[static_cast<size_t>(e.kind)])) +
         (e.saves_output ? " saves_output" : "") + (e.parameters_per_channel == 0 ? "" : " w" + std::to_string(e.parameters_per_channel));
}

std::string statistics_norm(const StatisticsNorm& n) {
  const NormWord* known = find_norm(n.function);
  const bool standard = known != nullptr && known->parameters_per_channel == 0 && n.parameters == 0;
  return (known != nullptr ? "" : "norm ") + n.function + (standard ? "" : " w" + std::to_string(n.parameters));
}

std::string merge(const Merge& m) {
  if (const MergeWord* known = find_merge(m.function); known != nullptr && known->kind == m.kind) return m.function;
  return "merge " + m.function + (m.kind == Merge::Kind::other ? "" : " " + std::string(merge_kinds[static_cast<size_t>(m.kind)]));
}

}  // namespace

std::string to_string(const Layer& layer) {
  return std::visit(Overloaded{
                        [](const Input&) -> std::string { return "input"; },
                        [](const Constant&) -> std::string { return "constant"; },
                        [](const Conv& c) {
                          return conv_text("conv", c.kernel_size, c.out_channels) + option("s", c.stride, 1) + padding(c.padding) +
                                 option("d", c.dilation, 1) + groups(c.groups) + (c.bias ? "" : " nobias");
                        },
                        [](const ConvTranspose& c) {
                          return conv_text("convt", c.kernel_size, c.out_channels) + option("s", c.stride, 1) + padding(c.padding) +
                                 option("o", c.output_padding, 0) + option("d", c.dilation, 1) + groups(c.groups) +
                                 (c.bias ? "" : " nobias");
                        },
                        [](const Pool& p) { return std::string(op_name(p.op)) + windows(p.windows); },
                        [](const AdaptivePool& p) -> std::string {
                          bool one = p.output_size.count > 0;
                          for (int i = 0; i < std::min<int64_t>(p.output_size.count, max_spatial); ++i) one = one && p.output_size[i] == 1;
                          if (one && (p.op == Op::avg || p.op == Op::max)) return p.op == Op::avg ? "gap" : "gmp";
                          return "adaptive_" + std::string(op_name(p.op)) + " " + joined(p.output_size);
                        },
                        [](const FractionalPool& p) { return "fractional_max " + joined(p.kernel_size) + " out=" + joined(p.output_size); },
                        [](const Unpool& u) {
                          return "unpool" + windows(u.windows) + (u.output_size.is_set() ? " out=" + joined(u.output_size) : std::string());
                        },
                        [](const Resize& r) { return resize(r); },
                        [](const Linear& l) { return "linear " + std::to_string(l.out_features) + (l.bias ? "" : " nobias"); },
                        [](const Elementwise& e) { return elementwise(e); },
                        [](const StatisticsNorm& n) { return statistics_norm(n); },
                        [](const Softmax& s) { return s.dim == 1 ? std::string("softmax") : "softmax " + std::to_string(s.dim); },
                        [](const Merge& m) { return merge(m); },
                        [](const Concat& c) { return c.dim == 1 ? std::string("concat") : "concat " + std::to_string(c.dim); },
                        [](const Flatten& f) {
                          return f.start_dim == 1 && f.end_dim == -1
                                     ? std::string("flatten")
                                     : "flatten " + std::to_string(f.start_dim) + " " + std::to_string(f.end_dim);
                        },
                        [](const Reshape& r) { return "reshape " + to_string(r.shape); },
                        [](const Transpose& t) { return "transpose" + numbers(t.order); },
                        [](const Slice& s) {
                          return "slice " + std::to_string(s.dim) + " " + std::to_string(s.begin) + ":" + std::to_string(s.end) +
                                 (s.step == 1 ? "" : ":" + std::to_string(s.step));
                        },
                        [](const Pad& p) { return pad_text(p); },
                        [](const Reduce& r) {
                          return (r.function == "mean" ? "" : "reduce ") + r.function + numbers(r.dims) + (r.keepdim ? " keepdim" : "");
                        },
                        [](const MatMul&) -> std::string { return "matmul"; },
                        [](const Unknown& u) { return "unknown " + u.function; },
                    },
                    layer);
}

std::string kind_of(const Layer& layer) {
  return std::visit(Overloaded{
                        [](const Input&) -> std::string { return "input"; },
                        [](const Pool& p) { return std::string(op_name(p.op)) + "_pool"; },
                        [](const AdaptivePool& p) { return "adaptive_" + std::string(op_name(p.op)) + "_pool"; },
                        [](const FractionalPool&) -> std::string { return "fractional_max_pool"; },
                        [](const Unpool&) -> std::string { return "max_unpool"; },
                        [](const Resize&) -> std::string { return "resize"; },
                        [](const Conv&) -> std::string { return "conv"; },
                        [](const ConvTranspose&) -> std::string { return "conv_transpose"; },
                        [](const Elementwise& e) { return e.function; },
                        [](const StatisticsNorm& n) { return n.function; },
                        [](const Merge& m) { return m.function; },
                        [](const Reduce& r) { return r.function; },
                        [](const Unknown& u) { return u.function; },
                        [&](const auto&) {
                          const std::string text = to_string(layer);
                          return text.substr(0, text.find(' '));
                        },
                    },
                    layer);
}

}  // namespace tidepool::inline v0_1::analyze
