// From the one-line notation to a Problem.
#include <array>
#include <charconv>
#include <cmath>
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

constexpr std::array all_ops = {Op::max, Op::min, Op::avg, Op::sum, Op::lp, Op::unpool};
constexpr std::array all_passes = {Pass::forward, Pass::backward, Pass::double_backward, Pass::double_backward_input};
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
  Sizes output;        // adaptive or fractional, or the size of an unpooling, when set
  bool steps = false;  // whether s, p, d, ceil or same was said
};

bool parse_norm(std::string_view value, double* norm) {
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), *norm);
  return error == std::errc() && end == value.data() + value.size() && *norm != 0;
}

// One option word: k3, s2, p1, d2, out=6, ceil, same, idx=…, nan=…, div=…, round=…, p=…, signed, scaled
bool parse_option(std::string_view word, Words* words, Problem* p) {
  WindowOptions* o = &words->window;
  if (word.starts_with("out=")) return parse_sizes(word.substr(4), &words->output);
  if (word.starts_with("div=")) return parse_divisor(word.substr(4), &p->reduction);
  if (word.starts_with("p=")) return parse_norm(word.substr(2), &p->reduction.norm);
  if (word == "signed") return p->reduction.signed_power = true, true;
  if (word == "scaled") return p->reduction.scale_overhang = true, true;
  if (word == "round=floor") return p->reduction.rounding = IntegerRounding::floor, true;
  if (word == "round=even") return p->reduction.rounding = IntegerRounding::nearest_even, true;
  words->steps |= word.front() != 'k' && !word.starts_with("idx=") && !word.starts_with("nan=");
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

Status check_norm(std::string_view text, Problem* p) {
  Reduction& r = p->reduction;
  if (p->op != Op::lp) {
    if (r.norm != 0 || r.signed_power || r.scale_overhang) return bad(text, "p=, signed and scaled belong to lp");
    if (p->pass == Pass::double_backward_input) return bad(text, "bwd2x is a pass of lp: the other ops are not curved");
    return Ok{};
  }
  if (r.norm == 0) r.norm = 2;
  if (std::isnan(r.norm) || (r.norm < 0 && !r.signed_power)) return bad(text, "p must be above 0");
  return Ok{};
}

Result<Geometry> geometry_of(const Problem& p, int rank, const Dims& shape, const Words& asked) {
  const std::string name = function_name(p.op, rank);
  if (p.op == Op::unpool) return Geometry::unpooled(name, rank, shape, asked.window, asked.output);
  if (!asked.output.is_set()) return Geometry::windowed(name, rank, shape, asked.window);
  if (asked.steps) return Error(ErrorCode::parse, name + ": out= takes no s, p, d, ceil or same");
  if (!asked.window.kernel_size.is_set()) return Geometry::adaptive(name, rank, shape, asked.output);
  if (p.op != Op::max && p.op != Op::min)
    return Error(ErrorCode::parse, name + ": k and out= together are fractional windows, which only max and min have");
  return Geometry::fractional(name, rank, shape, asked.window.kernel_size, asked.output);
}

}  // namespace

Result<Problem> parse_problem(std::string_view text) {
  const std::vector<std::string_view> words = split(text, ' ');
  if (words.size() < 6) return bad(text, "expected OP PASS DTYPE LAYOUT SHAPE kN …, as in \"max2d fwd f32 nchw 1x64x112x112 k3 s2 p1\"");
  Problem p;
  int rank = 0;
  if (!parse_op(words[0], &p.op, &rank)) return bad(text, "unknown op \"" + std::string(words[0]) + "\"");
  if (!parse_name(words[1], all_passes, pass_name, &p.pass))
    return bad(text, "pass must be fwd, bwd, bwd2 or bwd2x, got \"" + std::string(words[1]) + "\"");
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
  if (reads_indices(p) && !p.indices) p.indices = IndexBase::plane;
  if (p.op == Op::sum) p.reduction = {.divisor = Divisor::fixed, .fixed_divisor = 1};
  if (Status s = check_norm(text, &p); !s) return s.error();
  Result<Geometry> geometry = geometry_of(p, rank, Dims(shape), asked);
  if (!geometry) return geometry.error();
  p.geometry = *geometry;
  return p;
}

Problem parse(std::string_view text) { return parse_problem(text).value(); }

}  // namespace tidepool
