// The text of convolution, pooling and their inverses.
#include <string>

#include "analyze/parse_layer.h"

namespace tidepool::inline v0_1::analyze {

namespace {

using Words = OptionWords::Words;

// What convolutions and their transposes have in common; `extra` takes the options that only one has.
template <class Convolution, class Extra>
Convolution convolution(const Words& words, const Dims& input, const Extra& extra) {
  const std::string_view kernel = word_at(words, 1, "a kernel size"), out = word_at(words, 2, "a number of channels");
  Convolution layer{.out_channels = number_in(out, out), .kernel_size = sizes_in(kernel, kernel)};
  OptionWords options(words, 3);
  options.sizes("s", &layer.stride);
  options.sizes("d", &layer.dilation);
  options.padding(&layer.padding);
  if (options.take("gdw")) layer.groups = input.rank > 1 ? input[1] : 1;
  options.number("g", &layer.groups);
  layer.bias = !options.take("nobias");
  extra(options, layer);
  options.finish();
  return layer;
}

WindowOptions windows(const Words& words, OptionWords& options) {
  const std::string_view kernel = word_at(words, 1, "a kernel size");
  WindowOptions window;
  window.kernel_size = sizes_in(kernel, kernel);
  options.sizes("s", &window.stride);
  options.sizes("d", &window.dilation);
  options.padding(&window.padding);
  if (options.take("ceil")) window.ceil_mode = Rounding::ceil;
  if (options.take("ceil_full")) window.ceil_mode = Rounding::ceil_full;
  if (options.take("floor")) window.ceil_mode = Rounding::floor;
  for (const Preset preset : {Preset::onnx, Preset::tensorflow, Preset::caffe})
    if (options.take(preset_rules(preset).name)) window.preset = preset;
  return window;
}

Layer pool(Op op, const Words& words) {
  OptionWords options(words, 2);
  Pool layer{.op = op, .windows = windows(words, options)};
  options.finish();
  return layer;
}

Layer unpool(const Words& words) {
  OptionWords options(words, 2);
  Unpool layer{.windows = windows(words, options)};
  options.sizes("out=", &layer.output_size);
  options.finish();
  return layer;
}

Layer adaptive(Op op, const Words& words) {
  const std::string_view size = word_at(words, 1, "an output size");
  OptionWords(words, 2).finish();
  return AdaptivePool{op, sizes_in(size, size)};
}

Layer global(Op op, const Words& words) {
  OptionWords(words, 1).finish();
  return AdaptivePool{op, Sizes{{1}, 1}};
}

Layer fractional(const Words& words) {
  const std::string_view kernel = word_at(words, 1, "a kernel size");
  FractionalPool layer{.kernel_size = sizes_in(kernel, kernel)};
  OptionWords options(words, 2);
  options.sizes("out=", &layer.output_size);
  if (!layer.output_size.is_set()) bad_text("'fractional_max' needs out=, the output size");
  options.finish();
  return layer;
}

}  // namespace

std::optional<Layer> parse_windows(const Words& words, const Dims& input) {
  const std::string_view kind = words.front();
  if (kind == "conv") return convolution<Conv>(words, input, [](OptionWords&, Conv&) {});
  if (kind == "convt")
    return convolution<ConvTranspose>(words, input, [](OptionWords& o, ConvTranspose& layer) { o.sizes("o", &layer.output_padding); });
  for (const Op op : {Op::max, Op::min, Op::avg, Op::sum, Op::lp}) {
    if (kind == op_name(op)) return pool(op, words);
    if (kind == "adaptive_" + std::string(op_name(op))) return adaptive(op, words);
  }
  if (kind == "gap") return global(Op::avg, words);
  if (kind == "gmp") return global(Op::max, words);
  if (kind == "fractional_max") return fractional(words);
  if (kind == "unpool") return unpool(words);
  return std::nullopt;
}

}  // namespace tidepool::inline v0_1::analyze
