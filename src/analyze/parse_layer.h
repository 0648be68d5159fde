// One layer of the text form, split into its words.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "analyze/option_words.h"
#include "tidepool/analyze/layers.h"

namespace tidepool::inline v0_1::analyze {

// The layer that `words` describe; its first word is the kind. `input` is the shape that it is applied to. Throws Error(parse).
Layer parse_layer(const OptionWords::Words& words, const Dims& input);

// A layer of several inputs: add, mul, concat, matmul, …; nothing if the first word is none of them.
std::optional<Layer> parse_join(const OptionWords::Words& words);

// Layers with windows: convolution, pooling and their inverses; nothing if the first word is none of them.
std::optional<Layer> parse_windows(const OptionWords::Words& words, const Dims& input);

}  // namespace tidepool::inline v0_1::analyze
