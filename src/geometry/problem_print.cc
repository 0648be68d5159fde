// Prints a Problem as one line of text.
#include <charconv>
#include <string>

#include "geometry/problem_words.h"

namespace tidepool::inline v0_1 {
namespace {

using detail::word_of;

// " k3" when the value is the same for all axes, else " k3x2".
template <class ValueOf>
std::string per_axis(const Geometry& g, std::string_view prefix, ValueOf value_of) {
  std::string first = value_of(g.axis(3 - g.rank())), all = first;
  bool equal = true;
  for (int i = 4 - g.rank(); i < 3; ++i) {
    const std::string v = value_of(g.axis(i));
    equal = equal && v == first;
    all += "x" + v;
  }
  std::string text = " ";
  text += prefix;
  text += equal ? first : all;
  return text;
}

void append_word(std::string* text, std::string_view prefix, std::string_view word) {
  if (!word.empty()) text->append(prefix).append(word);
}

std::string window_text(const Geometry& g) {
  const Axis& last = g.width();
  const auto outputs = [&] { return per_axis(g, "out=", [](const Axis& a) { return std::to_string(a.output()); }); };
  if (last.is_adaptive()) return outputs();
  std::string text = per_axis(g, "k", [](const Axis& a) { return std::to_string(a.kernel()); });
  if (last.is_fractional()) return text += outputs();
  text += per_axis(g, "s", [](const Axis& a) { return std::to_string(a.stride()); });
  append_word(&text, " ", word_of(detail::padding_words, last.padding_mode()));
  if (last.padding_mode() == PaddingMode::explicit_sides) {
    const std::string pads = per_axis(g, "p", [](const Axis& a) {
      const std::string before = std::to_string(a.pad_before());
      return a.pad_before() == a.pad_after() ? before : before + ":" + std::to_string(a.pad_after());
    });
    if (pads != " p0") text += pads;
  }
  const std::string dilations = per_axis(g, "d", [](const Axis& a) { return std::to_string(a.dilation()); });
  if (dilations != " d1") text += dilations;
  append_word(&text, " ", word_of(detail::ceil_words, last.rounding()));
  return text;
}

std::string reduction_text(const Reduction& r) {
  std::string text;
  if (r.norm != 0) {
    char digits[32];
    text.append(" p=").append(digits, std::to_chars(digits, digits + sizeof digits, r.norm).ptr);
  }
  if (r.signed_power) text += " signed";
  if (r.scale_overhang) text += " scaled";
  if (r.divisor == Divisor::fixed) append_word(&text, " div=", std::to_string(r.fixed_divisor));
  append_word(&text, " div=", word_of(detail::divisor_words, r.divisor));
  append_word(&text, " round=", word_of(detail::rounding_words, r.rounding));
  return text;
}

}  // namespace

std::string to_string(const Problem& p) {
  const Geometry& g = p.geometry;
  std::string text = std::string(op_name(p.op)) + std::to_string(g.rank()) + "d " + std::string(pass_name(p.pass)) + " " +
                     std::string(dtype_name(p.dtype)) + " " + std::string(layout_name(p.layout, g.rank())) + " " +
                     to_string(p.op == Op::unpool ? g.output_shape() : g.input_shape()) + window_text(g);
  if (p.op == Op::unpool) text += per_axis(g, "out=", [](const Axis& a) { return std::to_string(a.input()); });
  if (p.op != Op::sum) text += reduction_text(p.reduction);
  if (p.indices) (text += " idx=") += index_base_name(*p.indices);
  append_word(&text, " nan=", word_of(detail::nan_words, p.nan));
  return text;
}

}  // namespace tidepool::inline v0_1
