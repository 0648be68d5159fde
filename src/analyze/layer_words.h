// One layer of the short text form, split into its words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tidepool/analyze/layers.h"

namespace tidepool::inline v0_1::analyze {

// The words of elementwise layers: "relu", "bn", ….
bool is_elementwise_word(std::string_view word);

// The layer that `words` describe; its first word is the kind. `input` is the shape that it is applied to. Throws Error(parse).
Layer parse_layer(const std::vector<std::string_view>& words, const Dims& input);

// "3", "3x3". Throws Error(parse) that names `word`.
Sizes parse_sizes_word(std::string_view word, std::string_view digits);

}  // namespace tidepool::inline v0_1::analyze
