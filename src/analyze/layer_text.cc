// Prints a layer in the form that parse_network reads.
#include <algorithm>
#include <charconv>
#include <string>

#include "tidepool/analyze/layers.h"

namespace tidepool::inline v0_1::analyze {

namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;

std::string joined(const Sizes& sizes) {
  std::string text;
  bool equal = true;
  const int64_t count = std::min<int64_t>(sizes.count, max_spatial);
  for (int i = 0; i < count; ++i) {
    text += (i > 0 ? "x" : "") + std::to_string(sizes.values[static_cast<size_t>(i)]);
    equal = equal && sizes.values[static_cast<size_t>(i)] == sizes.values[0];
  }
  // A kernel of 3x3 is written out, because that is how people say it; see option().
  return equal && count > 0 && sizes.count > 3 ? std::to_string(sizes.values[0]) : text;
}

std::string side(Sides s) {
  return s.before == s.after ? std::to_string(s.before) : std::to_string(s.before) + ":" + std::to_string(s.after);
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
  const int64_t count = std::min<int64_t>(pads.count, max_spatial);
  bool equal = true;
  std::string text;
  for (int i = 0; i < count; ++i) {
    equal = equal && pads[i] == pads[0];
    text += (i > 0 ? "x" : "") + side(pads[i]);
  }
  if (equal && pads[0] == Sides()) return "";
  return " p" + (equal ? side(pads[0]) : text);
}

std::string groups(int64_t count) { return count == 1 ? "" : " g" + std::to_string(count); }

std::string windows(const WindowOptions& w) {
  std::string text = " " + joined(w.kernel_size);
  if (w.stride.is_set() && !(w.stride.count == w.kernel_size.count && w.stride.values == w.kernel_size.values)) {
    bool same = true;
    for (int i = 0; i < max_spatial; ++i) same = same && w.stride[i] == w.kernel_size[i];
    if (!same) text += option("s", w.stride, 0);
  }
  text += padding(w.padding) + option("d", w.dilation, 1);
  const Rounding rounding = w.ceil_mode.rounding.value_or(Rounding::floor);
  return text + (rounding == Rounding::ceil ? " ceil" : rounding == Rounding::ceil_full ? " ceil_full" : "");
}

std::string scale_text(const Ratios& scale) {
  std::string text;
  for (int i = 0; i < std::min<int64_t>(scale.count, max_spatial); ++i) {
    char digits[32];
    text += (i > 0 ? "x" : "") + std::string(digits, std::to_chars(digits, digits + sizeof digits, scale.values[static_cast<size_t>(i)]).ptr);
  }
  return text;
}

std::string resize(const Resize& r) {
  std::string text = r.scale.is_set() ? "up " + scale_text(r.scale) : "resize " + joined(r.output_size);
  if (r.mode == Resize::Mode::linear) text += " linear";
  if (r.mode == Resize::Mode::cubic) text += " cubic";
  if (r.coordinates == Resize::Coordinates::align_corners) text += " align";
  return text;
}

std::string conv_text(std::string word, const Sizes& kernel, int64_t channels) {
  return std::move(word) + " " + joined(kernel) + " " + std::to_string(channels);
}

std::string numbers(const std::vector<int>& list) {
  std::string text;
  for (size_t i = 0; i < list.size(); ++i) text += (i > 0 ? "," : "") + std::to_string(list[i]);
  return text;
}

std::string pad_text(const Pad& pad) {
  std::string text = "pad ";
  for (size_t i = 2; i < pad.sides.size(); ++i) text += (i > 2 ? "x" : "") + side(pad.sides[i]);
  constexpr std::string_view modes[] = {"", " reflect", " replicate", " circular"};
  return text + std::string(modes[static_cast<size_t>(pad.mode)]);
}

}  // namespace

std::string to_string(const Layer& layer) {
  return std::visit(
      Overloaded{
          [](const Input&) -> std::string { return "input"; },
          [](const Constant&) -> std::string { return "constant"; },
          [](const Conv& c) {
            return conv_text("conv", c.kernel_size, c.out_channels) + option("s", c.stride, 1) + padding(c.padding) +
                   option("d", c.dilation, 1) + groups(c.groups) + (c.bias ? "" : " nobias");
          },
          [](const ConvTranspose& c) {
            return conv_text("convt", c.kernel_size, c.out_channels) + option("s", c.stride, 1) + padding(c.padding) +
                   option("o", c.output_padding, 0) + option("d", c.dilation, 1) + groups(c.groups) + (c.bias ? "" : " nobias");
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
          [](const Elementwise& e) { return e.function; },
          [](const StatisticsNorm& n) { return n.function; },
          [](const Softmax& s) { return s.dim == 1 ? std::string("softmax") : "softmax " + std::to_string(s.dim); },
          [](const Merge& m) { return m.function; },
          [](const Concat& c) { return c.dim == 1 ? std::string("concat") : "concat " + std::to_string(c.dim); },
          [](const Flatten& f) {
            return f.start_dim == 1 && f.end_dim == -1 ? std::string("flatten")
                                                       : "flatten " + std::to_string(f.start_dim) + " " + std::to_string(f.end_dim);
          },
          [](const Reshape& r) { return "reshape " + to_string(r.shape); },
          [](const Transpose& t) { return "transpose " + numbers(t.order); },
          [](const Slice& s) {
            return "slice " + std::to_string(s.dim) + " " + std::to_string(s.begin) + ":" + std::to_string(s.end) +
                   (s.step == 1 ? "" : ":" + std::to_string(s.step));
          },
          [](const Pad& p) { return pad_text(p); },
          [](const Reduce& r) { return r.dims == std::vector{2, 3} ? r.function : r.function + " " + numbers(r.dims); },
          [](const MatMul&) -> std::string { return "matmul"; },
          [](const Unknown& u) { return u.function; },
      },
      layer);
}

std::string kind_of(const Layer& layer) {
  return std::visit(
      Overloaded{
          [](const Input&) -> std::string { return "input"; },
          [](const Pool& p) { return std::string(op_name(p.op)) + "_pool"; },
          [](const AdaptivePool& p) { return "adaptive_" + std::string(op_name(p.op)) + "_pool"; },
          [](const FractionalPool&) -> std::string { return "fractional_max_pool"; },
          [](const Unpool&) -> std::string { return "max_unpool"; },
          [](const Resize&) -> std::string { return "resize"; },
          [](const Conv&) -> std::string { return "conv"; },
          [](const ConvTranspose&) -> std::string { return "conv_transpose"; },
          [&](const auto&) {
            const std::string text = to_string(layer);
            return text.substr(0, text.find(' '));
          },
      },
      layer);
}

}  // namespace tidepool::inline v0_1::analyze
