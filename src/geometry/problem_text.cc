// The one-line notation of a Problem, both ways.
#include <array>
#include <charconv>
#include <string>
#include <vector>

#include "tidepool/problem.h"

namespace tidepool {
namespace {

Error bad(std::string_view text, const std::string& why) { return {ErrorCode::parse, "problem \"" + std::string(text) + "\": " + why}; }

bool parse_int(std::string_view text, int64_t* out) noexcept {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *out);
  return error == std::errc() && end == text.data() + text.size();
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t at = text.find(separator);
    if (at != 0 || separator != ' ') parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) break;
    text.remove_prefix(at + 1);
  }
  if (separator == ' ' && !parts.empty() && parts.back().empty()) parts.pop_back();
  return parts;
}

bool parse_ints(std::string_view text, std::vector<int64_t>* out) {
  for (std::string_view part : split(text, 'x')) {
    int64_t value;
    if (!parse_int(part, &value)) return false;
    out->push_back(value);
  }
  return true;
}

// "1", "1x2", "0:1x2:2"
bool parse_sides(std::string_view text, Pads* out) {
  std::vector<std::string_view> parts = split(text, 'x');
  out->mode = PaddingMode::explicit_sides;
  out->count = static_cast<int64_t>(parts.size());
  for (size_t i = 0; i < parts.size() && i < out->sides.size(); ++i) {
    const size_t colon = parts[i].find(':');
    Sides& s = out->sides[i];
    if (!parse_int(parts[i].substr(0, colon), &s.before)) return false;
    s.after = s.before;
    if (colon != std::string_view::npos && !parse_int(parts[i].substr(colon + 1), &s.after)) return false;
  }
  return true;
}

bool parse_sizes(std::string_view text, Sizes* out) {
  std::vector<int64_t> values;
  if (!parse_ints(text, &values)) return false;
  *out = Sizes::from(values);
  return true;
}

template <class Enum, size_t N, class NameOf>
bool parse_name(std::string_view text, const std::array<Enum, N>& all, NameOf name_of, Enum* out) {
  for (Enum e : all)
    if (name_of(e) == text) {
      *out = e;
      return true;
    }
  return false;
}

constexpr std::array all_ops = {Op::max, Op::min, Op::avg, Op::sum};
constexpr std::array all_passes = {Pass::forward, Pass::backward, Pass::double_backward};
constexpr std::array all_layouts = {Layout::channels_first, Layout::channels_last, Layout::strided};
constexpr std::array all_bases = {IndexBase::plane, IndexBase::tensor, IndexBase::window};

bool parse_divisor(std::string_view value, Reduction* r) {
  if (value == "full") return r->divisor = Divisor::full_kernel, true;
  if (value == "valid") return r->divisor = Divisor::valid_only, true;
  r->divisor = Divisor::fixed;
  return parse_int(value, &r->fixed_divisor) && r->fixed_divisor != 0;
}

// What the words of a problem ask for, before it is known to make sense.
struct Words {
  WindowOptions window;
  Sizes output;  // adaptive, when set
};

// One option word: k3, s2, p1, d2, out=6, ceil, same, idx=…, nan=…, div=…, round=…
bool parse_option(std::string_view word, Words* words, Problem* p) {
  WindowOptions* o = &words->window;
  if (word.starts_with("out=")) return parse_sizes(word.substr(4), &words->output);
  if (word.starts_with("div=")) return parse_divisor(word.substr(4), &p->reduction);
  if (word == "round=floor") return p->reduction.rounding = IntegerRounding::floor, true;
  if (word == "round=even") return p->reduction.rounding = IntegerRounding::nearest_even, true;
  if (word == "ceil") return o->ceil_mode = Rounding::ceil, true;
  if (word == "ceil_full") return o->ceil_mode = Rounding::ceil_full, true;
  if (word == "same") return o->padding.mode = PaddingMode::same_upper, true;
  if (word == "same_lower") return o->padding.mode = PaddingMode::same_lower, true;
  if (word == "nan=ignore") return p->nan = NanPolicy::ignore, true;
  if (word.starts_with("idx=")) {
    IndexBase base;
    if (!parse_name(word.substr(4), all_bases, index_base_name, &base)) return false;
    p->indices = base;
    return true;
  }
  const std::string_view rest = word.substr(1);
  switch (word.front()) {
    case 'k':
      return parse_sizes(rest, &o->kernel_size);
    case 's':
      return parse_sizes(rest, &o->stride);
    case 'd':
      return parse_sizes(rest, &o->dilation);
    case 'p':
      return parse_sides(rest, &o->padding);
    default:
      return false;
  }
}

bool parse_op(std::string_view word, Op* op, int* rank) {
  if (word.size() < 3 || word.back() != 'd') return false;
  *rank = word[word.size() - 2] - '0';
  return *rank >= 1 && *rank <= 3 && parse_name(word.substr(0, word.size() - 2), all_ops, op_name, op);
}

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

}  // namespace

namespace {

std::string window_text(const Geometry& g) {
  const Axis& last = g.width();
  if (last.is_adaptive()) return per_axis(g, "out=", [](const Axis& a) { return std::to_string(a.output()); });
  std::string text = per_axis(g, "k", [](const Axis& a) { return std::to_string(a.kernel()); });
  text += per_axis(g, "s", [](const Axis& a) { return std::to_string(a.stride()); });
  if (last.padding_mode() == PaddingMode::same_upper) {
    text += " same";
  } else if (last.padding_mode() == PaddingMode::same_lower) {
    text += " same_lower";
  } else {
    const std::string pads = per_axis(g, "p", [](const Axis& a) {
      const std::string before = std::to_string(a.pad_before());
      return a.pad_before() == a.pad_after() ? before : before + ":" + std::to_string(a.pad_after());
    });
    if (pads != " p0") text += pads;
  }
  const std::string dilations = per_axis(g, "d", [](const Axis& a) { return std::to_string(a.dilation()); });
  if (dilations != " d1") text += dilations;
  if (last.rounding() == Rounding::ceil) text += " ceil";
  if (last.rounding() == Rounding::ceil_full) text += " ceil_full";
  return text;
}

std::string reduction_text(const Reduction& r) {
  std::string text;
  if (r.divisor == Divisor::full_kernel) text += " div=full";
  if (r.divisor == Divisor::valid_only) text += " div=valid";
  if (r.divisor == Divisor::fixed) (text += " div=") += std::to_string(r.fixed_divisor);
  if (r.rounding == IntegerRounding::floor) text += " round=floor";
  if (r.rounding == IntegerRounding::nearest_even) text += " round=even";
  return text;
}

}  // namespace

std::string to_string(const Problem& p) {
  const Geometry& g = p.geometry;
  std::string text = std::string(op_name(p.op)) + std::to_string(g.rank()) + "d " + std::string(pass_name(p.pass)) + " " +
                     std::string(dtype_name(p.dtype)) + " " + std::string(layout_name(p.layout, g.rank())) + " " +
                     to_string(g.input_shape()) + window_text(g);
  if (p.op != Op::sum) text += reduction_text(p.reduction);
  if (p.indices) (text += " idx=") += index_base_name(*p.indices);
  if (p.nan == NanPolicy::ignore) text += " nan=ignore";
  return text;
}

Result<Problem> parse_problem(std::string_view text) {
  const std::vector<std::string_view> words = split(text, ' ');
  if (words.size() < 6) return bad(text, "expected OP PASS DTYPE LAYOUT SHAPE kN …, as in \"max2d fwd f32 nchw 1x64x112x112 k3 s2 p1\"");
  Problem p;
  int rank = 0;
  if (!parse_op(words[0], &p.op, &rank)) return bad(text, "unknown op \"" + std::string(words[0]) + "\"");
  if (!parse_name(words[1], all_passes, pass_name, &p.pass))
    return bad(text, "pass must be fwd, bwd or bwd2, got \"" + std::string(words[1]) + "\"");
  const std::optional<DType> dtype = parse_dtype(words[2]);
  if (!dtype) return bad(text, "unknown dtype \"" + std::string(words[2]) + "\"");
  p.dtype = *dtype;
  const auto name_of_layout = [rank](Layout l) { return layout_name(l, rank); };
  if (!parse_name(words[3], all_layouts, name_of_layout, &p.layout))
    return bad(text, "layout must be " + std::string(layout_name(Layout::channels_first, rank)) + ", " +
                         std::string(layout_name(Layout::channels_last, rank)) + " or strided, got \"" + std::string(words[3]) + "\"");
  std::vector<int64_t> shape;
  if (!parse_ints(words[4], &shape) || shape.size() > max_rank)
    return bad(text, "shape must be sizes joined by x, got \"" + std::string(words[4]) + "\"");
  Words asked;
  asked.window.preset = Preset::onnx;  // no padding limit: any geometry can be written down
  for (size_t i = 5; i < words.size(); ++i)
    if (!parse_option(words[i], &asked, &p)) return bad(text, "unknown option \"" + std::string(words[i]) + "\"");
  if (p.indices && !has_indices(p.op)) return bad(text, std::string(words[0]) + " has no indices");
  if (has_indices(p.op) && p.pass != Pass::forward && !p.indices) p.indices = IndexBase::plane;
  if (p.op == Op::sum) p.reduction = {.divisor = Divisor::fixed, .fixed_divisor = 1};
  if (asked.output.is_set() && asked.window.kernel_size.is_set()) return bad(text, "out= and k do not go together");
  const std::string name = function_name(p.op, rank);
  Result<Geometry> geometry = asked.output.is_set() ? Geometry::adaptive(name, rank, Dims(shape), asked.output)
                                                    : Geometry::windowed(name, rank, Dims(shape), asked.window);
  if (!geometry) return geometry.error();
  p.geometry = *geometry;
  return p;
}

Problem parse(std::string_view text) { return parse_problem(text).value(); }

}  // namespace tidepool
