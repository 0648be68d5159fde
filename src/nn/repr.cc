#include "nn/repr.h"

#include <array>
#include <charconv>

#include "tidepool/geometry.h"

namespace tidepool::inline v0_1::nn::detail {
namespace {

std::string one(int64_t value) { return value == keep_size ? "None" : std::to_string(value); }

Sizes before_of(const Pads& padding) {
  Sizes sizes;
  sizes.count = padding.count;
  for (size_t a = 0; a < sizes.values.size(); ++a) sizes.values[a] = padding.sides[a].before;
  return sizes;
}

}  // namespace

std::string repr(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  std::string result(text.data(), end);
  return result.find_first_of(".en") == std::string::npos ? result + ".0" : result;
}

std::string repr_tuple(const Sizes& sizes, int rank) {
  std::string text = "(";
  for (int a = 0; a < rank; ++a) text += (a > 0 ? ", " : "") + one(sizes[a]);
  return text + (rank == 1 ? ",)" : ")");
}

std::string repr_given(const Sizes& sizes, int rank) { return sizes.count == 1 ? one(sizes[0]) : repr_tuple(sizes, rank); }

std::string repr_tuple(const Pads& padding, int rank) {
  if (padding.mode == PaddingMode::valid) return "valid";
  if (padding.mode != PaddingMode::explicit_sides) return "same";
  return repr_tuple(before_of(padding), rank);
}

std::string repr_given(const Pads& padding, int rank) {
  if (padding.mode != PaddingMode::explicit_sides) return repr_tuple(padding, rank);
  return repr_given(before_of(padding), rank);
}

}  // namespace tidepool::inline v0_1::nn::detail
