// Parses the one-line text of a Problem.
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include "core/portable.h"
#include "geometry/problem_words.h"

namespace tidepool::inline v0_1 {
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

template <class Enum, size_t N, class NameOf, class Target>
bool parse_name(std::string_view text, const std::array<Enum, N>& all, NameOf name_of, Target* out) {
  for (Enum e : all)
    if (name_of(e) == text) {
      *out = e;
      return true;
    }
  return false;
}

// "fwd, bwd or bwd2"
template <class Enum, size_t N, class NameOf>
std::string alternatives(const std::array<Enum, N>& all, NameOf name_of) {
  std::string text(name_of(all[0]));
  for (size_t i = 1; i < N; ++i) text.append(i + 1 < N ? ", " : " or ").append(name_of(all[i]));
  return text;
}

template <class Enum, size_t N, class Target>
bool parse_word(const detail::Word<Enum> (&words)[N], std::string_view text, Target* out) {
  const std::optional<Enum> value = detail::value_of(words, text);
  if (value) *out = *value;
  return value.has_value();
}

bool parse_divisor(std::string_view value, Reduction* r) {
  if (parse_word(detail::divisor_words, value, &r->divisor)) return true;
  r->divisor = Divisor::fixed;
  return parse_int(value, &r->fixed_divisor) && r->fixed_divisor != 0;
}

// The options of the text, before they are checked against each other.
struct Options {
  WindowOptions window;
  Sizes output;                     // out=: adaptive or fractional windows, or the size after unpooling
  bool has_window_options = false;  // whether s, p, d, ceil or same appeared, which do not go with adaptive or fractional windows
};

bool parse_norm(std::string_view value, double* norm) { return detail::parse_double(value, norm) == std::errc() && *norm != 0; }

// One option: k3, s2, p1, d2, out=6, ceil, same, idx=…, nan=…, div=…, round=…, p=…, signed, scaled.
bool parse_option(std::string_view word, Options* options, Problem* p) {
  WindowOptions* o = &options->window;
  if (word.starts_with("out=")) return parse_sizes(word.substr(4), &options->output);
  if (word.starts_with("div=")) return parse_divisor(word.substr(4), &p->reduction);
  if (word.starts_with("p=")) return parse_norm(word.substr(2), &p->reduction.norm);
  if (word == "signed") return p->reduction.signed_power = true, true;
  if (word == "scaled") return p->reduction.scale_overhang = true, true;
  if (word.starts_with("round=")) return parse_word(detail::rounding_words, word.substr(6), &p->reduction.rounding);
  if (word.starts_with("nan=")) return parse_word(detail::nan_words, word.substr(4), &p->nan);
  if (word.starts_with("idx=")) return parse_name(word.substr(4), all_index_bases, index_base_name, &p->indices);
  options->has_window_options |= word.front() != 'k';
  if (parse_word(detail::ceil_words, word, &o->ceil_mode)) return true;
  if (parse_word(detail::padding_words, word, &o->padding.mode)) return true;
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
    if (p->pass == Pass::double_backward_input) return bad(text, "bwd2x is a pass of lp only");
    return Ok{};
  }
  if (r.norm == 0) r.norm = 2;
  if (std::isnan(r.norm) || (r.norm < 0 && !r.signed_power)) return bad(text, "p must be above 0");
  return Ok{};
}

Result<Geometry> geometry_of(const Problem& p, int rank, const Dims& shape, const Options& options) {
  const std::string name = function_name(p.op, rank);
  if (p.op == Op::unpool) return Geometry::unpooled(name, rank, shape, options.window, options.output);
  if (!options.output.is_set()) return Geometry::windowed(name, rank, shape, options.window);
  if (options.has_window_options) return Error(ErrorCode::parse, name + ": out= takes no s, p, d, ceil or same");
  if (!options.window.kernel_size.is_set()) return Geometry::adaptive(name, rank, shape, options.output);
  if (p.op != Op::max && p.op != Op::min)
    return Error(ErrorCode::parse, name + ": k and out= together are fractional windows, which only max and min have");
  return Geometry::fractional(name, rank, shape, options.window.kernel_size, options.output);
}

}  // namespace

Result<Problem> parse_problem(std::string_view text) {
  const std::vector<std::string_view> words = split(text, ' ');
  if (words.size() < 6) return bad(text, "expected OP PASS DTYPE LAYOUT SHAPE kN …, as in \"max2d fwd f32 nchw 1x64x112x112 k3 s2 p1\"");
  Problem p;
  int rank = 0;
  if (!parse_op(words[0], &p.op, &rank)) return bad(text, "unknown op \"" + std::string(words[0]) + "\"");
  if (!parse_name(words[1], all_passes, pass_name, &p.pass))
    return bad(text, "pass must be " + alternatives(all_passes, pass_name) + ", got \"" + std::string(words[1]) + "\"");
  const std::optional<DType> dtype = parse_dtype(words[2]);
  if (!dtype) return bad(text, "unknown dtype \"" + std::string(words[2]) + "\"");
  p.dtype = *dtype;
  const auto name_of_layout = [rank](Layout l) { return layout_name(l, rank); };
  if (!parse_name(words[3], all_layouts, name_of_layout, &p.layout))
    return bad(text, "layout must be " + alternatives(all_layouts, name_of_layout) + ", got \"" + std::string(words[3]) + "\"");
  std::vector<int64_t> shape;
  if (!parse_ints(words[4], &shape) || shape.size() > max_rank)
    return bad(text, "shape must be sizes joined by x, got \"" + std::string(words[4]) + "\"");
  Options options;
  options.window.preset = Preset::onnx;  // the preset without a padding limit
  for (size_t i = 5; i < words.size(); ++i)
    if (!parse_option(words[i], &options, &p)) return bad(text, "unknown option \"" + std::string(words[i]) + "\"");
  if (p.indices && !has_indices(p.op)) return bad(text, std::string(words[0]) + " has no indices");
  if (reads_indices(p) && !p.indices) p.indices = IndexBase::plane;
  if (p.op == Op::sum) p.reduction = {.divisor = Divisor::fixed, .fixed_divisor = 1};
  if (Status s = check_norm(text, &p); !s) return s.error();
  Result<Geometry> geometry = geometry_of(p, rank, Dims(shape), options);
  if (!geometry) return geometry.error();
  p.geometry = *geometry;
  return p;
}

Problem parse(std::string_view text) { return parse_problem(text).value(); }

}  // namespace tidepool::inline v0_1
