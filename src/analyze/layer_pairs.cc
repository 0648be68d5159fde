#include <algorithm>
#include <cstdint>

#include "tidepool/analyze/diff.h"

namespace tidepool::inline v0_1::analyze {

namespace {

constexpr size_t most_compared = 16'000'000;  // pairs of layers: a byte each, and a moment

struct Description {
  std::string text, kind;
  Dims shape;
  bool is_known;
};

std::vector<Description> descriptions(const Network& network) {
  std::vector<Description> found;
  for (const Node& node : network.nodes()) found.push_back({to_string(node.layer), kind_of(node.layer), node.shape, node.is_known()});
  return found;
}

bool same_shape(const Description& a, const Description& b) { return a.is_known && b.is_known && a.shape == b.shape; }
bool same_layer(const Description& a, const Description& b) { return a.text == b.text && same_shape(a, b); }

// How well two layers go together; 0: not at all.
int64_t score(const Description& a, const Description& b) {
  const int shape = same_shape(a, b) ? 2 : 0;
  return shape + (a.text == b.text ? 8 : a.kind == b.kind ? 4 : 0);
}

enum Step : uint8_t { both, only_a, only_b };

// The steps of the best alignment of two ranges of layers, by dynamic programming from their ends.
std::vector<uint8_t> best_steps(const std::vector<Description>& a, const std::vector<Description>& b, size_t first, size_t end_a,
                                size_t end_b) {
  const size_t rows = end_a - first, columns = end_b - first;
  std::vector<uint8_t> step((rows + 1) * (columns + 1));
  std::vector<int64_t> below(columns + 1), here(columns + 1);  // the best sums from a row on
  for (size_t i = rows + 1; i-- > 0;) {
    for (size_t j = columns + 1; j-- > 0;) {
      if (i == rows && j == columns) continue;
      uint8_t& taken = step[i * (columns + 1) + j];
      int64_t best = -1;
      const auto offer = [&](int64_t sum, Step how) {
        if (sum > best) {
          best = sum;
          taken = how;
        }
      };
      if (i < rows && j < columns)
        if (const int64_t pair = score(a[first + i], b[first + j]); pair > 0) offer(pair + below[j + 1], both);
      if (i < rows) offer(below[j], only_a);
      if (j < columns) offer(here[j + 1], only_b);
      here[j] = best;
    }
    std::swap(below, here);
  }
  return step;
}

}  // namespace

std::vector<LayerPair> paired_layers(const Network& net_a, const Network& net_b) {
  const std::vector<Description> a = descriptions(net_a), b = descriptions(net_b);
  std::vector<LayerPair> pairs;
  const auto pair = [&](size_t i, size_t j) { pairs.push_back({static_cast<int>(i), static_cast<int>(j), same_layer(a[i], b[j])}); };
  size_t first = 0, end_a = a.size(), end_b = b.size();
  for (; first < end_a && first < end_b && same_layer(a[first], b[first]); ++first) pair(first, first);
  while (end_a > first && end_b > first && same_layer(a[end_a - 1], b[end_b - 1])) --end_a, --end_b;
  size_t i = first, j = first;
  if (end_a - first < most_compared / (end_b - first + 1)) {
    const std::vector<uint8_t> steps = best_steps(a, b, first, end_a, end_b);
    while (i < end_a || j < end_b) {
      switch (steps[(i - first) * (end_b - first + 1) + (j - first)]) {
        case both:
          pair(i++, j++);
          break;
        case only_a:
          pairs.push_back({.a = static_cast<int>(i++)});
          break;
        default:
          pairs.push_back({.b = static_cast<int>(j++)});
      }
    }
  }
  for (; i < end_a && j < end_b; ++i, ++j) pair(i, j);
  for (; i < end_a; ++i) pairs.push_back({.a = static_cast<int>(i)});
  for (; j < end_b; ++j) pairs.push_back({.b = static_cast<int>(j)});
  for (; i < a.size(); ++i, ++j) pair(i, j);
  return pairs;
}

}  // namespace tidepool::inline v0_1::analyze
