#include "analyze/function_words.h"

#include <span>

namespace tidepool::inline v0_1::analyze {

namespace {

using Kind = Elementwise::Kind;

// The last column: the derivative is computed from the output, which PyTorch keeps too.
constexpr ElementwiseWord elementwise_words[] = {
    {"relu", Kind::activation, 0, true},       {"relu6", Kind::activation, 0, true},      {"leaky_relu", Kind::activation, 0, true},
    {"prelu", Kind::activation, 1, false},     {"elu", Kind::activation, 0, true},        {"selu", Kind::activation, 0, true},
    {"celu", Kind::activation, 0, true},       {"gelu", Kind::activation, 0, false},      {"silu", Kind::activation, 0, false},
    {"mish", Kind::activation, 0, false},      {"sigmoid", Kind::activation, 0, true},    {"tanh", Kind::activation, 0, true},
    {"hardswish", Kind::activation, 0, false}, {"hardtanh", Kind::activation, 0, false},  {"hardsigmoid", Kind::activation, 0, true},
    {"softplus", Kind::activation, 0, false},  {"softsign", Kind::activation, 0, false},  {"clip", Kind::activation, 0, false},
    {"exp", Kind::activation, 0, true},        {"log", Kind::activation, 0, false},       {"sqrt", Kind::activation, 0, true},
    {"abs", Kind::activation, 0, false},       {"erf", Kind::activation, 0, false},       {"sin", Kind::activation, 0, false},
    {"cos", Kind::activation, 0, false},       {"reciprocal", Kind::activation, 0, true}, {"bn", Kind::normalisation, 2, false},
    {"dropout", Kind::dropout, 0, false},      {"identity", Kind::identity, 0, false},
};

constexpr MergeWord merge_words[] = {
    {"add", Merge::Kind::add}, {"sub", Merge::Kind::add}, {"mul", Merge::Kind::multiply}, {"div", Merge::Kind::other}};

constexpr NormWord norm_words[] = {
    {"layer_norm", "ln", 2}, {"group_norm", "gn", 2}, {"instance_norm", "in", 2}, {"rms_norm", "rms", 1}, {"lrn", "lrn", 0}};

template <class Entry>
const Entry* find(std::span<const Entry> entries, std::string_view word) {
  for (const Entry& entry : entries)
    if (entry.word == word) return &entry;
  return nullptr;
}

}  // namespace

const ElementwiseWord* find_elementwise(std::string_view word) { return find<ElementwiseWord>(elementwise_words, word); }
const MergeWord* find_merge(std::string_view word) { return find<MergeWord>(merge_words, word); }
const NormWord* find_norm(std::string_view word) {
  for (const NormWord& norm : norm_words)
    if (norm.word == word || norm.short_word == word) return &norm;
  return nullptr;
}

}  // namespace tidepool::inline v0_1::analyze
