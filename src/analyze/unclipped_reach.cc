#include "analyze/unclipped_reach.h"

#include <algorithm>

#include "analyze/placement.h"

namespace tidepool::inline v0_1::analyze {

namespace {

// Strides are at most 2^30, so positions up to here can be multiplied by them. Fields of this size are not drawn to the end.
constexpr int64_t farthest = int64_t{1} << 32;

Range around(Range a, Range b) {
  if (a.size() == 0) return b;
  if (b.size() == 0) return a;
  return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

// What the first of the positions that reads anything reads; step -1 searches from the end. With transposed windows, positions between the
// windows read nothing.
Range first_read(const AxisMap& map, Range positions, int64_t step) {
  int64_t tries = 1;
  if (const auto* transposed = std::get_if<TransposedReads>(&map.reads())) tries = transposed->stride;
  int64_t at = step > 0 ? positions.begin : positions.end - 1;
  for (; tries > 0 && at >= positions.begin && at < positions.end; --tries, at += step)
    if (const RangeSet read = map.unclipped(at); !read.empty()) return read.hull();
  return {};
}

Range read_along(const AxisMap& map, Range positions) {
  if (map.is<WholeReads>()) return {0, map.input()};
  if (map.is<BroadcastReads>()) return {0, 1};
  if (map.is_same()) return positions;
  if (map.is<MergedReads>() && positions.size() > 1) return {0, map.input()};
  // Reading positions rise or fall with those that read them, so the ends decide.
  const Range all = around(first_read(map, positions, 1), first_read(map, positions, -1));
  return {std::clamp(all.begin, -farthest, farthest), std::clamp(all.end, -farthest, farthest)};
}

}  // namespace

std::map<int, std::vector<Range>> unclipped_reach(const Network& network, int node, const std::vector<int64_t>& cell) {
  std::vector<std::vector<Range>> wanted(static_cast<size_t>(node) + 1);
  const Dims& shape = network.node(node).shape;
  for (int dim = 0; dim < shape.rank; ++dim) {
    const auto spatial = static_cast<size_t>(dim - 2);
    wanted.back().push_back(dim < 2 || spatial >= cell.size() ? Range{0, shape[dim]} : Range{cell[spatial], cell[spatial] + 1});
  }
  std::map<int, std::vector<Range>> found;
  for (int at = node; at >= 0; --at) {
    const std::vector<Range> mine = std::move(wanted[static_cast<size_t>(at)]);
    if (mine.empty()) continue;
    const Node& layer = network.node(at);
    if (std::holds_alternative<Input>(layer.layer)) found[at] = mine;
    if (layer.inputs.empty()) continue;
    const Placement placed = placement_of(network, layer);
    for (size_t i = 0; i < layer.inputs.size(); ++i) {
      std::vector<Range> read;
      for (const DimReads& reads : placed.reads[i])
        read.push_back(read_along(reads.map, reads.dim < 0 ? Range{0, 1} : mine[static_cast<size_t>(reads.dim)]));
      if (std::any_of(read.begin(), read.end(), [](Range range) { return range.size() == 0; })) continue;
      std::vector<Range>& theirs = wanted[static_cast<size_t>(layer.inputs[i])];
      if (theirs.empty()) theirs = read;
      for (size_t dim = 0; dim < read.size(); ++dim) theirs[dim] = around(theirs[dim], read[dim]);
    }
  }
  return found;
}

}  // namespace tidepool::inline v0_1::analyze
