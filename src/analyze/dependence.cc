#include "tidepool/analyze/dependence.h"

#include <algorithm>

#include "analyze/placement.h"
#include "analyze/range_budget.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze {

namespace {

constexpr size_t most_boxes = 1024;
constexpr int64_t most_merged = 4096;

// The boxes of a node's output that matter, without those that others contain.
struct Wanted {
  std::vector<Box> boxes;
  bool exact = true;

  void add(Box box) {
    if (box.empty()) return;
    for (const Box& kept : boxes)
      if (kept.contains(box)) return;
    std::erase_if(boxes, [&](const Box& kept) { return box.contains(kept); });
    boxes.push_back(std::move(box));
    if (boxes.size() <= most_boxes) return;
    // One box around all.
    for (size_t i = 1; i < boxes.size(); ++i)
      for (size_t dim = 0; dim < boxes[0].dims.size(); ++dim) boxes[0].dims[dim].add(boxes[i].dims[dim]);
    boxes.resize(1);
    exact = false;
  }
};

bool merges(const std::vector<DimReads>& reads) {
  return std::any_of(reads.begin(), reads.end(), [](const DimReads& r) { return r.map.is<MergedReads>(); });
}

Box read_by(const Box& box, const std::vector<DimReads>& reads, const Dims& shape) {
  Box read;
  for (const DimReads& r : reads) {
    const int64_t outputs = r.dim < 0 ? 1 : shape[r.dim];
    read.dims.push_back(r.map.inside(r.dim < 0 ? RangeSet(Range{0, outputs}) : box.dims[static_cast<size_t>(r.dim)]));
  }
  return read;
}

// The boxes of a layer's input that one box of its output depends on.
void follow(Wanted& into, const Box& box, const std::vector<DimReads>& reads, const Dims& shape) {
  for (const DimReads& r : reads)
    if (r.at_most && r.map.input() > 1) into.exact = false;
  if (!merges(reads)) return into.add(read_by(box, reads, shape));
  // Cells of a flattened dimension are boxes of their own, unless all of them matter.
  int merged = -1;
  for (const DimReads& r : reads)
    if (r.map.is<MergedReads>()) merged = r.dim;
  const RangeSet& set = box.dims[static_cast<size_t>(merged)];
  if (set.count() == shape[merged]) return into.add(read_by(box, reads, shape));
  if (set.count() > most_merged) {
    into.exact = false;
    Box all = box;
    all.dims[static_cast<size_t>(merged)] = RangeSet(Range{0, shape[merged]});
    return into.add(read_by(all, reads, shape));
  }
  for (const Range& range : set.ranges())
    for (int64_t at = range.begin; at < range.end; ++at) {
      Box single = box;
      single.dims[static_cast<size_t>(merged)] = RangeSet(Range{at, at + 1});
      into.add(read_by(single, reads, shape));
    }
}

}  // namespace

bool Box::empty() const noexcept {
  return std::any_of(dims.begin(), dims.end(), [](const RangeSet& set) { return set.empty(); });
}

bool Box::contains(const Box& other) const {
  for (size_t dim = 0; dim < dims.size(); ++dim)
    if (!dims[dim].contains(other.dims[dim])) return false;
  return true;
}

Box whole(const Dims& shape) {
  Box box;
  for (const int64_t size : shape) box.dims.emplace_back(Range{0, size});
  return box;
}

Box one_cell(const Dims& shape, const std::vector<int64_t>& cell) {
  const int spatial = std::max(0, shape.rank - 2);
  if (static_cast<int>(cell.size()) != spatial)
    detail::throw_error({ErrorCode::invalid_argument, "analyze: a cell of " + to_string(shape) + " has " + std::to_string(spatial) +
                                                          " positions, got " + std::to_string(cell.size())});
  Box box = whole(shape);
  for (int i = 0; i < spatial; ++i) {
    const int64_t at = cell[static_cast<size_t>(i)];
    if (at < 0 || at >= shape[2 + i])
      detail::throw_error({ErrorCode::out_of_range, "analyze: position must be between 0 and " + std::to_string(shape[2 + i] - 1) +
                                                        ", got " + std::to_string(at) + " (dimension " + std::to_string(2 + i) + ")"});
    box.dims[static_cast<size_t>(2 + i)] = RangeSet(Range{at, at + 1});
  }
  return box;
}

RangeSet Dependence::along(int dim) const {
  RangeSet all;
  for (const Box& box : boxes) all.add(box.dims.at(static_cast<size_t>(dim)));
  return all;
}

bool Dependence::contains(const std::vector<int64_t>& cell) const {
  return std::any_of(boxes.begin(), boxes.end(), [&](const Box& box) {
    for (size_t dim = 0; dim < cell.size(); ++dim)
      if (!box.dims.at(dim).contains(cell[dim])) return false;
    return true;
  });
}

std::vector<Dependence> dependence(const Network& network, int node, const Box& cells) { return dependence(network, {{node, cells}}); }

std::vector<Dependence> dependence(const Network& network, const std::vector<Cells>& cells) {
  const RangeBudget budget;
  std::vector<Wanted> wanted(network.nodes().size());
  for (const Cells& some : cells) {
    const Node& node = network.node(some.node);
    if (!node.is_known())
      detail::throw_error({ErrorCode::unsupported,
                           "analyze: '" + node.name + "' depends on the unknown layer '" + network.node(node.blocked_by).name + "'"});
    if (some.box.dims.size() != node.shape.size())
      detail::throw_error({ErrorCode::shape_mismatch, "analyze: cells of '" + node.name + "' have " + std::to_string(node.shape.rank) +
                                                          " dimensions, got " + std::to_string(some.box.dims.size())});
    wanted[static_cast<size_t>(some.node)].add(some.box);
  }
  std::vector<Dependence> found;
  for (int at = static_cast<int>(network.nodes().size()) - 1; at >= 0; --at) {
    const Node& node = network.node(at);
    Wanted& mine = wanted[static_cast<size_t>(at)];
    if (mine.boxes.empty()) continue;
    if (std::holds_alternative<Input>(node.layer)) {
      found.push_back({at, std::move(mine.boxes), mine.exact});
    } else if (!node.inputs.empty()) {
      const Placement placed = placement_of(network, node);
      for (size_t i = 0; i < node.inputs.size(); ++i) {
        Wanted& theirs = wanted[static_cast<size_t>(node.inputs[i])];
        theirs.exact = theirs.exact && mine.exact;
        for (const Box& box : mine.boxes) follow(theirs, box, placed.reads[i], placed.shape);
      }
    }
    mine = {};
  }
  std::reverse(found.begin(), found.end());
  return found;
}

}  // namespace tidepool::inline v0_1::analyze
