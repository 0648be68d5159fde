#include "analyze/layer_words.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze {

namespace {

using Words = std::vector<std::string_view>;

[[noreturn]] void bad(std::string message) { detail::throw_error({ErrorCode::parse, std::move(message)}); }

std::string quoted(std::string_view word) { return "'" + std::string(word) + "'"; }

int64_t number(std::string_view word, std::string_view digits) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty()) bad("expected a number in " + quoted(word));
  return value;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t at; (at = text.find(separator)) != std::string_view::npos; text.remove_prefix(at + 1)) parts.push_back(text.substr(0, at));
  parts.push_back(text);
  return parts;
}

// "1", "0:1", "0:1x2:2"
Pads parse_sides(std::string_view word, std::string_view text) {
  Pads pads;
  const auto parts = split(text, 'x');
  if (parts.size() > max_spatial) bad("at most 3 axes in " + quoted(word));
  pads.count = static_cast<int64_t>(parts.size());
  for (size_t i = 0; i < parts.size(); ++i) {
    const auto pair = split(parts[i], ':');
    if (pair.size() > 2) bad("expected before:after in " + quoted(word));
    pads.sides[i] = Sides(number(word, pair.front()), number(word, pair.back()));
  }
  return pads;
}

Ratios parse_ratios(std::string_view word) {
  std::vector<double> values;
  for (const std::string_view part : split(word, 'x')) {
    // Decimal fractions: 2, 1.5.
    const auto halves = split(part, '.');
    double value = static_cast<double>(number(word, halves.front()));
    if (halves.size() > 2) bad("expected a number in " + quoted(word));
    if (halves.size() == 2) value += static_cast<double>(number(word, halves[1])) * std::pow(10.0, -static_cast<double>(halves[1].size()));
    if (!(value > 0)) bad("expected a factor above 0, got " + quoted(word));
    values.push_back(value);
  }
  if (values.size() > max_spatial) bad("at most 3 axes in " + quoted(word));
  return Ratios::from(values);
}

// The options behind a layer's first words. Each is taken once; what is left over is an error.
class Rest {
 public:
  Rest(const Words& words, size_t first) : words_(words), used_(words.size()) {
    for (size_t i = 0; i < first && i < words.size(); ++i) used_[i] = true;
  }

  // The text behind `prefix` of the first word that begins with it and goes on with a digit or a sign.
  bool take(std::string_view prefix, std::string_view* word, std::string_view* rest) {
    for (size_t i = 0; i < words_.size(); ++i) {
      if (used_[i] || !words_[i].starts_with(prefix)) continue;
      const std::string_view behind = words_[i].substr(prefix.size());
      if (behind.empty() || !(behind[0] >= '0' && behind[0] <= '9')) continue;
      used_[i] = true;
      *word = words_[i];
      *rest = behind;
      return true;
    }
    return false;
  }
  bool take(std::string_view exact) {
    for (size_t i = 0; i < words_.size(); ++i)
      if (!used_[i] && words_[i] == exact) return used_[i] = true, true;
    return false;
  }
  void sizes(std::string_view prefix, Sizes* into) {
    if (std::string_view word, rest; take(prefix, &word, &rest)) *into = parse_sizes_word(word, rest);
  }
  void padding(Pads* into) {
    if (std::string_view word, rest; take("p", &word, &rest)) *into = parse_sides(word, rest);
    if (take("same")) into->mode = PaddingMode::same_upper;
    if (take("same_lower")) into->mode = PaddingMode::same_lower;
  }
  void number_of(std::string_view prefix, int64_t* into) {
    if (std::string_view word, rest; take(prefix, &word, &rest)) *into = number(word, rest);
  }
  void finish() const {
    for (size_t i = 0; i < words_.size(); ++i)
      if (!used_[i]) bad("unknown option " + quoted(words_[i]) + " of " + quoted(words_[0]));
  }

 private:
  const Words& words_;
  std::vector<bool> used_;
};

std::string_view word_at(const Words& words, size_t i, std::string_view what) {
  if (i >= words.size()) bad(quoted(words[0]) + " needs " + std::string(what));
  return words[i];
}

int64_t channels(const Dims& input) { return input.rank > 1 ? input[1] : 1; }

Layer conv(const Words& words, const Dims& input) {
  const std::string_view kernel = word_at(words, 1, "a kernel size"), out = word_at(words, 2, "a number of channels");
  Conv layer{.out_channels = number(out, out), .kernel_size = parse_sizes_word(kernel, kernel)};
  Rest rest(words, 3);
  rest.sizes("s", &layer.stride);
  rest.sizes("d", &layer.dilation);
  rest.padding(&layer.padding);
  if (rest.take("gdw")) layer.groups = channels(input);
  rest.number_of("g", &layer.groups);
  layer.bias = !rest.take("nobias");
  rest.finish();
  return layer;
}

Layer conv_transpose(const Words& words, const Dims& input) {
  const std::string_view kernel = word_at(words, 1, "a kernel size"), out = word_at(words, 2, "a number of channels");
  ConvTranspose layer{.out_channels = number(out, out), .kernel_size = parse_sizes_word(kernel, kernel)};
  Rest rest(words, 3);
  rest.sizes("s", &layer.stride);
  rest.sizes("d", &layer.dilation);
  rest.sizes("o", &layer.output_padding);
  rest.padding(&layer.padding);
  if (rest.take("gdw")) layer.groups = channels(input);
  rest.number_of("g", &layer.groups);
  layer.bias = !rest.take("nobias");
  rest.finish();
  return layer;
}

WindowOptions windows(const Words& words, Rest& rest) {
  const std::string_view kernel = word_at(words, 1, "a kernel size");
  WindowOptions options;
  options.kernel_size = parse_sizes_word(kernel, kernel);
  rest.sizes("s", &options.stride);
  rest.sizes("d", &options.dilation);
  rest.padding(&options.padding);
  if (rest.take("ceil")) options.ceil_mode = Rounding::ceil;
  if (rest.take("ceil_full")) options.ceil_mode = Rounding::ceil_full;
  return options;
}

Layer pool(Op op, const Words& words) {
  Rest rest(words, 2);
  Pool layer{.op = op, .windows = windows(words, rest)};
  rest.finish();
  return layer;
}

Layer unpool(const Words& words) {
  Rest rest(words, 2);
  Unpool layer{.windows = windows(words, rest)};
  rest.sizes("out=", &layer.output_size);
  rest.finish();
  return layer;
}

Layer adaptive(Op op, const Words& words) {
  const std::string_view size = word_at(words, 1, "an output size");
  Rest(words, 2).finish();
  return AdaptivePool{op, parse_sizes_word(size, size)};
}

Layer fractional(const Words& words) {
  const std::string_view kernel = word_at(words, 1, "a kernel size");
  FractionalPool layer{.kernel_size = parse_sizes_word(kernel, kernel)};
  Rest rest(words, 2);
  rest.sizes("out=", &layer.output_size);
  if (!layer.output_size.is_set()) bad("'fractional_max' needs out=, the output size");
  rest.finish();
  return layer;
}

Layer resize(const Words& words) {
  const std::string_view size = word_at(words, 1, words[0] == "up" ? "a factor" : "an output size");
  Resize layer;
  if (words[0] == "up")
    layer.scale = parse_ratios(size);
  else
    layer.output_size = parse_sizes_word(size, size);
  Rest rest(words, 2);
  rest.take("nearest");
  if (rest.take("linear")) layer.mode = Resize::Mode::linear;
  if (rest.take("cubic")) layer.mode = Resize::Mode::cubic;
  if (layer.mode != Resize::Mode::nearest) layer.coordinates = Resize::Coordinates::half_pixel;
  if (rest.take("align")) layer.coordinates = Resize::Coordinates::align_corners;
  rest.finish();
  return layer;
}

Layer linear(const Words& words) {
  const std::string_view out = word_at(words, 1, "a number of features");
  Linear layer{.out_features = number(out, out)};
  Rest rest(words, 2);
  layer.bias = !rest.take("nobias");
  rest.finish();
  return layer;
}

Layer pad(const Words& words, const Dims& input) {
  const std::string_view sides_word = word_at(words, 1, "a number of cells");
  const Pads sides = parse_sides(sides_word, sides_word);
  const int64_t spatial = std::max<int64_t>(0, input.rank - 2);
  if (sides.count != 1 && sides.count != spatial) bad(quoted(words[0]) + " needs 1 or " + std::to_string(spatial) + " values, got " + std::string(sides_word));
  Pad layer;
  layer.sides.resize(input.size());
  const bool crops = words[0] == "crop";
  for (int i = 0; i < spatial; ++i)
    layer.sides[static_cast<size_t>(2 + i)] = crops ? Sides(-sides[i].before, -sides[i].after) : sides[i];
  Rest rest(words, 2);
  if (!crops && rest.take("reflect")) layer.mode = Pad::Mode::reflect;
  if (!crops && rest.take("replicate")) layer.mode = Pad::Mode::replicate;
  if (!crops && rest.take("circular")) layer.mode = Pad::Mode::circular;
  rest.finish();
  return layer;
}

Layer elementwise(std::string_view word, Elementwise::Kind kind, int64_t parameters, bool saves_output) {
  return Elementwise{kind, std::string(word), parameters, saves_output};
}

struct ElementwiseWord {
  std::string_view word;
  Elementwise::Kind kind;
  int64_t parameters;
  bool saves_output;
};

constexpr ElementwiseWord elementwise_words[] = {
    {"relu", Elementwise::Kind::activation, 0, true},        {"relu6", Elementwise::Kind::activation, 0, true},
    {"leaky_relu", Elementwise::Kind::activation, 0, true},  {"sigmoid", Elementwise::Kind::activation, 0, true},
    {"tanh", Elementwise::Kind::activation, 0, true},        {"gelu", Elementwise::Kind::activation, 0, false},
    {"silu", Elementwise::Kind::activation, 0, false},       {"hardswish", Elementwise::Kind::activation, 0, false},
    {"hardsigmoid", Elementwise::Kind::activation, 0, true}, {"elu", Elementwise::Kind::activation, 0, true},
    {"bn", Elementwise::Kind::normalisation, 2, false},      {"dropout", Elementwise::Kind::dropout, 0, false},
    {"identity", Elementwise::Kind::identity, 0, false},
};

}  // namespace

Sizes parse_sizes_word(std::string_view word, std::string_view digits) {
  std::vector<int64_t> values;
  for (const std::string_view part : split(digits, 'x')) values.push_back(number(word, part));
  if (values.size() > max_spatial) bad("at most 3 axes in " + quoted(word));
  return Sizes::from(values);
}

bool is_elementwise_word(std::string_view word) {
  for (const ElementwiseWord& known : elementwise_words)
    if (known.word == word) return true;
  return false;
}

Layer parse_layer(const Words& words, const Dims& input) {
  const std::string_view kind = words.front();
  const auto alone = [&](Layer layer) {
    Rest(words, 1).finish();
    return layer;
  };
  if (kind == "conv") return conv(words, input);
  if (kind == "convt") return conv_transpose(words, input);
  for (const Op op : {Op::max, Op::min, Op::avg, Op::sum, Op::lp})
    if (kind == op_name(op)) return pool(op, words);
  if (kind == "adaptive_avg") return adaptive(Op::avg, words);
  if (kind == "adaptive_max") return adaptive(Op::max, words);
  if (kind == "gap") return alone(AdaptivePool{Op::avg, Sizes{{1}, 1}});
  if (kind == "gmp") return alone(AdaptivePool{Op::max, Sizes{{1}, 1}});
  if (kind == "fractional_max") return fractional(words);
  if (kind == "unpool") return unpool(words);
  if (kind == "up" || kind == "resize") return resize(words);
  if (kind == "linear") return linear(words);
  if (kind == "pad" || kind == "crop") return pad(words, input);
  if (kind == "flatten") return alone(Flatten{});
  if (kind == "softmax") return alone(Softmax{});
  if (kind == "ln") return alone(StatisticsNorm{"layer_norm", 2 * channels(input)});
  if (kind == "mean") {
    Reduce layer;
    for (int dim = 2; dim < input.rank; ++dim) layer.dims.push_back(dim);
    return alone(layer);
  }
  if (kind == "dropout" && words.size() == 2) return elementwise(kind, Elementwise::Kind::dropout, 0, false);
  for (const ElementwiseWord& known : elementwise_words)
    if (known.word == kind) return alone(elementwise(kind, known.kind, known.parameters, known.saves_output));
  bad("unknown layer " + quoted(kind) +
      "; the layers are conv, convt, max, min, avg, sum, lp, adaptive_avg, adaptive_max, gap, gmp, fractional_max, unpool, up, resize, "
      "linear, flatten, softmax, ln, mean, pad, crop, bn, dropout, identity and activations such as relu");
}

}  // namespace tidepool::inline v0_1::analyze
