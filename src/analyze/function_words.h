// The functions that the text form knows by name, with what the analysis has to know of them.
#pragma once

#include <array>
#include <string_view>

#include "tidepool/analyze/layers.h"

namespace tidepool::inline v0_1::analyze {

struct ElementwiseWord {
  std::string_view word;
  Elementwise::Kind kind;
  int64_t parameters_per_channel;
  bool saves_output;
};

struct MergeWord {
  std::string_view word;
  Merge::Kind kind;
};

struct NormWord {
  std::string_view word, short_word;
  int64_t parameters_per_channel;
};

// The entry of this name, or null.
const ElementwiseWord* find_elementwise(std::string_view word);
const MergeWord* find_merge(std::string_view word);
const NormWord* find_norm(std::string_view word);

// The words of kinds, for functions that are not listed.
inline constexpr std::array<std::string_view, 4> elementwise_kinds = {"activation", "normalisation", "dropout", "identity"};
inline constexpr std::array<std::string_view, 3> merge_kinds = {"add", "multiply", "other"};

}  // namespace tidepool::inline v0_1::analyze
