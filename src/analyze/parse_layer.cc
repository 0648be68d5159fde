#include "analyze/parse_layer.h"

#include <algorithm>
#include <string>

#include "analyze/function_words.h"
#include "tidepool/analyze/text.h"

namespace tidepool::inline v0_1::analyze {

namespace {

using Words = OptionWords::Words;

int64_t channels(const Dims& input) { return input.rank > 1 ? input[1] : 1; }

template <size_t N>
size_t kind_named(const std::array<std::string_view, N>& kinds, OptionWords& options, size_t otherwise) {
  for (size_t i = 0; i < N; ++i)
    if (options.take(kinds[i])) return i;
  return otherwise;
}

Layer resize(const Words& words) {
  const std::string_view size = word_at(words, 1, words[0] == "up" ? "a factor" : "an output size");
  Resize layer;
  if (words[0] == "up")
    layer.scale = ratios_in(size);
  else
    layer.output_size = sizes_in(size, size);
  OptionWords options(words, 2);
  options.take("nearest");
  if (options.take("linear")) layer.mode = Resize::Mode::linear;
  if (options.take("cubic")) layer.mode = Resize::Mode::cubic;
  if (layer.mode != Resize::Mode::nearest) layer.coordinates = Resize::Coordinates::half_pixel;
  if (options.take("half_pixel")) layer.coordinates = Resize::Coordinates::half_pixel;
  if (options.take("align")) layer.coordinates = Resize::Coordinates::align_corners;
  if (options.take("asymmetric")) layer.coordinates = Resize::Coordinates::asymmetric;
  if (options.take("ceil")) layer.rounding = Resize::Rounding::ceil;
  if (options.take("round_down")) layer.rounding = Resize::Rounding::round_down;
  if (options.take("round_up")) layer.rounding = Resize::Rounding::round_up;
  options.finish();
  return layer;
}

Layer linear(const Words& words) {
  const std::string_view out = word_at(words, 1, "a number of features");
  Linear layer{.out_features = number_in(out, out)};
  OptionWords options(words, 2);
  layer.bias = !options.take("nobias");
  options.finish();
  return layer;
}

// Sides along the spatial dimensions, or along all.
Layer pad(const Words& words, const Dims& input) {
  const std::string_view sides_word = word_at(words, 1, "a number of cells");
  std::vector<Sides> sides = sides_in(sides_word, sides_word);
  OptionWords options(words, 2);
  const size_t first = options.take("all") ? 0 : 2, dims = input.size() > first ? input.size() - first : 0;
  if (sides.size() != 1 && sides.size() != dims)
    bad_text(quoted(words[0]) + " needs 1 or " + std::to_string(dims) + " values, got " + std::string(sides_word));
  if (sides.size() == 1) sides.resize(dims, sides[0]);
  Pad layer;
  layer.sides.resize(input.size());
  const int64_t sign = words[0] == "crop" ? -1 : 1;
  for (size_t i = 0; i < dims; ++i) {
    if (std::min(sides[i].before, sides[i].after) == INT64_MIN) bad_text("expected a number of cells in " + quoted(sides_word));
    layer.sides[first + i] = Sides(sign * sides[i].before, sign * sides[i].after);
  }
  if (options.take("reflect")) layer.mode = Pad::Mode::reflect;
  if (options.take("replicate")) layer.mode = Pad::Mode::replicate;
  if (options.take("circular")) layer.mode = Pad::Mode::circular;
  options.finish();
  return layer;
}

int dim_in(int64_t number) { return static_cast<int>(std::clamp<int64_t>(number, INT32_MIN, INT32_MAX)); }

int optional_dim(const Words& words, int standard) {
  OptionWords options(words, 1);
  int64_t dim = standard;
  options.next_number(&dim);
  options.finish();
  return dim_in(dim);
}

Layer flatten(const Words& words) {
  OptionWords options(words, 1);
  int64_t start = 1, end = -1;
  if (options.next_number(&start)) options.next_number(&end);
  options.finish();
  return Flatten{dim_in(start), dim_in(end)};
}

// One size may be -1: as many as are left.
Layer reshape(const Words& words, const Dims& input) {
  const std::string_view word = word_at(words, 1, "a shape");
  Reshape layer{dims_in(word, word)};
  OptionWords(words, 2).finish();
  const auto open = std::find(layer.shape.values.begin(), layer.shape.values.begin() + layer.shape.rank, -1);
  if (open == layer.shape.values.begin() + layer.shape.rank) return layer;
  Dims others = layer.shape;
  others[static_cast<int>(open - layer.shape.values.begin())] = 1;
  const Result<int64_t> given = checked_numel(others), total = checked_numel(input);
  if (!given || !total || *given < 1 || *total % *given != 0)
    bad_text("-1 in " + quoted(word) + " has no size that fits " + to_string(input));
  *open = *total / *given;
  return layer;
}

Layer transpose(const Words& words) {
  Transpose layer;
  OptionWords options(words, 1);
  for (int64_t dim; options.next_number(&dim);) layer.order.push_back(dim_in(dim));
  options.finish();
  return layer;
}

// slice 1 0:16, slice 2 0:16:2
Layer slice(const Words& words) {
  const std::string_view dim = word_at(words, 1, "a dimension"), range = word_at(words, 2, "a range, such as 0:16");
  const auto parts = split(range, ':');
  if (parts.size() < 2 || parts.size() > 3) bad_text("expected begin:end or begin:end:step, got " + quoted(range));
  Slice layer{.dim = dim_in(number_in(dim, dim)), .begin = number_in(range, parts[0]), .end = number_in(range, parts[1])};
  if (parts.size() == 3) layer.step = number_in(range, parts[2]);
  OptionWords(words, 3).finish();
  return layer;
}

// mean, mean 2 3 keepdim, reduce sum 2 3
Layer reduce(const Words& words, const Dims& input) {
  const bool named = words[0] == "reduce";
  Reduce layer{.function = std::string(named ? word_at(words, 1, "a function, such as sum") : words[0]), .dims = {}};
  OptionWords options(words, named ? 2 : 1);
  for (int64_t dim; options.next_number(&dim);) layer.dims.push_back(dim_in(dim));
  layer.keepdim = options.take("keepdim");
  options.finish();
  if (layer.dims.empty())
    for (int dim = 2; dim < input.rank; ++dim) layer.dims.push_back(dim);
  return layer;
}

Layer elementwise(const Words& words, const ElementwiseWord* known) {
  Elementwise layer;
  OptionWords options(words, known != nullptr ? 1 : 2);
  if (known != nullptr) {
    layer = {known->kind, std::string(known->word), known->parameters_per_channel, known->saves_output};
    // The probability changes nothing here.
    if (std::string_view word, text; known->kind == Elementwise::Kind::dropout && options.take("", &word, &text))
      if (const double probability = real_in(word, text); !(probability >= 0 && probability <= 1))
        bad_text("expected a probability between 0 and 1, got " + quoted(word));
  } else {
    layer.function = word_at(words, 1, "the name of a function");
    layer.kind = static_cast<Elementwise::Kind>(kind_named(elementwise_kinds, options, 0));
    layer.saves_output = options.take("saves_output");
  }
  options.number("w", &layer.parameters_per_channel);
  options.finish();
  return layer;
}

Layer statistics_norm(const Words& words, const NormWord* known, const Dims& input) {
  StatisticsNorm layer;
  OptionWords options(words, known != nullptr ? 1 : 2);
  layer.function = known != nullptr ? known->word : word_at(words, 1, "the name of a normalisation");
  if (known != nullptr) layer.parameters = known->parameters_per_channel * channels(input);
  options.number("w", &layer.parameters);
  options.finish();
  return layer;
}

Layer merge(const Words& words) {
  Merge layer{.kind = Merge::Kind::other, .function = std::string(word_at(words, 1, "the name of a function"))};
  OptionWords options(words, 2);
  layer.kind = static_cast<Merge::Kind>(kind_named(merge_kinds, options, 2));
  options.finish();
  return layer;
}

}  // namespace

std::optional<Layer> parse_join(const Words& words) {
  const std::string_view kind = words.front();
  if (kind == "concat") return Concat{optional_dim(words, 1)};
  if (kind == "merge") return merge(words);
  const MergeWord* known = find_merge(kind);
  if (known == nullptr && kind != "matmul") return std::nullopt;
  OptionWords(words, 1).finish();
  if (known != nullptr) return Merge{known->kind, std::string(known->word)};
  return MatMul{};
}

Layer parse_layer(const Words& words, const Dims& input) {
  const std::string_view kind = words.front();
  if (std::optional<Layer> layer = parse_windows(words, input)) return *layer;
  if (std::optional<Layer> layer = parse_join(words)) return *layer;
  if (kind == "up" || kind == "resize") return resize(words);
  if (kind == "linear") return linear(words);
  if (kind == "pad" || kind == "crop") return pad(words, input);
  if (kind == "flatten") return flatten(words);
  if (kind == "reshape") return reshape(words, input);
  if (kind == "transpose") return transpose(words);
  if (kind == "slice") return slice(words);
  if (kind == "softmax") return Softmax{optional_dim(words, 1)};
  if (kind == "mean" || kind == "reduce") return reduce(words, input);
  if (const NormWord* known = find_norm(kind); known != nullptr || kind == "norm") return statistics_norm(words, known, input);
  if (const ElementwiseWord* known = find_elementwise(kind); known != nullptr || kind == "elementwise") return elementwise(words, known);
  if (kind == "unknown") {
    Unknown layer{std::string(word_at(words, 1, "the name of a function"))};
    OptionWords(words, 2).finish();
    return layer;
  }
  bad_text(
      "unknown layer " + quoted(kind) +
      "; the layers are conv, convt, max, min, avg, sum, lp, adaptive_avg, adaptive_max, gap, gmp, fractional_max, unpool, up, resize, "
      "linear, flatten, reshape, transpose, slice, softmax, ln, gn, mean, pad, crop, bn, dropout, identity and activations such as relu");
}

Layer parse_layer_text(std::string_view text, const Dims& input) {
  OptionWords::Words words;
  for (const std::string_view word : split(text, ' '))
    if (!word.empty()) words.push_back(word);
  if (words.empty()) bad_text("layer: the text is empty");
  return parse_layer(words, input);
}

}  // namespace tidepool::inline v0_1::analyze
