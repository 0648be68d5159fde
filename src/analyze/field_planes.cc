#include "analyze/field_planes.h"

#include <algorithm>
#include <map>
#include <utility>

#include "analyze/axis_words.h"
#include "analyze/explain.h"
#include "analyze/unclipped_reach.h"
#include "tidepool/analyze/dependence.h"

namespace tidepool::inline v0_1::analyze {

namespace {

constexpr size_t most_rectangles = 64;  // of one box, before stripes are shorter
constexpr size_t most_pieces = 2048;    // of one plane

RangeSet without_small_holes(const RangeSet& set, int64_t hole) {
  std::vector<Range> ranges;
  for (const Range& range : set.ranges()) {
    if (!ranges.empty() && range.begin - ranges.back().end <= hole)
      ranges.back().end = range.end;
    else
      ranges.push_back(range);
  }
  return RangeSet::of(std::move(ranges));
}

struct Cut {
  RangeSet rows, cols;
};

size_t pieces(const Cut& cut) {
  const size_t rows = cut.rows.ranges().size(), cols = cut.cols.ranges().size();
  return rows * cols <= most_rectangles ? rows * cols : rows + cols;
}

void add_rectangle(std::string& path, Range rows, Range cols) {
  const std::string width = std::to_string(cols.size());
  path += "M" + std::to_string(cols.begin) + " " + std::to_string(rows.begin) + "h" + width + "v" + std::to_string(rows.size()) + "h-" +
          width + "z";
}

void draw(Plane& plane, const std::vector<Cut>& cuts) {
  Shape simple;
  for (const Cut& cut : cuts) {
    if (cut.rows.ranges().size() * cut.cols.ranges().size() <= most_rectangles) {
      for (const Range& rows : cut.rows.ranges())
        for (const Range& cols : cut.cols.ranges()) add_rectangle(simple.path, rows, cols);
      continue;
    }
    Shape stripes;
    for (const Range& rows : cut.rows.ranges()) add_rectangle(stripes.path, rows, cut.cols.hull());
    for (const Range& cols : cut.cols.ranges()) add_rectangle(stripes.clip, cut.rows.hull(), cols);
    plane.field.push_back(std::move(stripes));
  }
  if (!simple.path.empty()) plane.field.insert(plane.field.begin(), std::move(simple));
}

// Fills more and more holes until what is left can be drawn with few pieces.
void draw_bounded(Plane& plane, std::vector<Cut> cuts) {
  const auto total = [&] {
    size_t sum = 0;
    for (const Cut& cut : cuts) sum += pieces(cut);
    return sum;
  };
  for (; total() > most_pieces && plane.coarse < INT64_MAX / 2; plane.coarse = std::max<int64_t>(1, plane.coarse * 2))
    for (Cut& cut : cuts) {
      cut.rows = without_small_holes(cut.rows, std::max<int64_t>(1, plane.coarse * 2));
      cut.cols = without_small_holes(cut.cols, std::max<int64_t>(1, plane.coarse * 2));
    }
  draw(plane, cuts);
}

// Where the reach is much larger than the input, it is enough to see that it leaves the picture.
Range view_along(int64_t size, Range reach) {
  const int64_t margin = std::max<int64_t>(1, size / 40), most = std::max<int64_t>(2, size);
  return {std::max(std::min<int64_t>(0, reach.begin) - margin, -most), std::min(std::max(size, reach.end) + margin, size + most)};
}

class Planes {
 public:
  Planes(const Network& network, const Report& report, int node, const std::vector<int64_t>& cell)
      : network_(network), report_(report), node_(node), cell_(cell) {}

  CellField run() {
    const Node& node = network_.node(node_);
    const std::vector<Dependence> found = dependence(network_, node_, node.is_known() ? one_cell(node.shape, cell_) : Box());
    reach_ = unclipped_reach(network_, node_, cell_);
    for (const Dependence& on : found) {
      result_.exact = result_.exact && on.exact;
      describe(on);
      if (network_.node(on.input).shape.rank >= 3) add(on);
    }
    if (result_.words.empty()) result_.words = "nothing of any input";
    return std::move(result_);
  }

 private:
  void describe(const Dependence& on) {
    const Dims& shape = network_.node(on.input).shape;
    std::vector<std::string> parts;
    for (int dim = 2; dim < shape.rank; ++dim) parts.push_back(positions(name_of(on.input, dim), on.along(dim)));
    std::string words = parts.empty() ? "all " + std::to_string(features_of(shape)) + " values" : listed(parts);
    if (network_.inputs().size() > 1) words += " of '" + shown(network_.node(on.input).name) + "'";
    result_.words += (result_.words.empty() ? "" : "; ") + words;
  }

  std::string name_of(int input, int dim) const {
    for (const InputAxis& axis : report_.axes)
      if (axis.input == input && axis.dim == dim) return axis.name;
    return "";
  }

  // The first, the middle and the last slice that the cell sees.
  static std::vector<int64_t> slices(const RangeSet& seen) {
    std::vector<int64_t> some = {seen.hull().begin};
    int64_t middle = seen.count() / 2;
    for (const Range& range : seen.ranges()) {
      if (middle >= 0 && middle < range.size()) some.push_back(range.begin + middle);
      middle -= range.size();
    }
    some.push_back(seen.hull().end - 1);
    some.erase(std::unique(some.begin(), some.end()), some.end());
    return some;
  }

  void add(const Dependence& on) {
    const Dims& shape = network_.node(on.input).shape;
    const std::string name = shown(network_.node(on.input).name);
    if (shape.rank < 5) {
      add_plane(on, name + " " + (shape.rank == 3 ? std::to_string(shape[2]) : std::to_string(shape[2]) + "x" + std::to_string(shape[3])),
                {});
      return;
    }
    // Of further dimensions, the first position that matters is shown.
    std::vector<int64_t> at;
    for (int dim = 2; dim + 2 < shape.rank; ++dim) at.push_back(on.boxes.front().dims[static_cast<size_t>(dim)].hull().begin);
    for (const int64_t slice : slices(on.boxes.size() > 1 && shape.rank > 5 ? on.boxes.front().dims[2] : on.along(2))) {
      at[0] = slice;
      std::string where;
      for (const int64_t position : at) where += (where.empty() ? "" : ", ") + std::to_string(position);
      add_plane(on, name + ", slice " + where, at);
    }
  }

  void add_plane(const Dependence& on, std::string label, const std::vector<int64_t>& at) {
    const Dims& shape = network_.node(on.input).shape;
    const int last = shape.rank - 1;
    Plane plane;
    plane.input = on.input;
    plane.label = std::move(label);
    plane.cols = shape[last];
    plane.rows = last > 2 ? shape[last - 1] : 1;
    std::vector<Cut> cuts;
    for (const Box& box : on.boxes) {
      bool here = true;
      for (size_t i = 0; i < at.size(); ++i) here = here && box.dims[2 + i].contains(at[i]);
      if (here)
        cuts.push_back({last > 2 ? box.dims[static_cast<size_t>(last - 1)] : RangeSet(Range{0, 1}), box.dims[static_cast<size_t>(last)]});
    }
    draw_bounded(plane, std::move(cuts));
    const Range cols = reach(on, last), rows = last > 2 ? reach(on, last - 1) : Range{0, 1};
    plane.reach = {cols.begin, rows.begin, cols.size(), rows.size()};
    const Range wide = view_along(plane.cols, cols), high = last > 2 ? view_along(plane.rows, rows) : Range{0, 1};
    plane.view = {wide.begin, high.begin, wide.size(), high.size()};
    result_.planes.push_back(std::move(plane));
  }

  // Around what is inside in any case: reflected padding reads cells that are far from where it lies.
  Range reach(const Dependence& on, int dim) const {
    const Range inside = on.along(dim).hull();
    const auto found = reach_.find(on.input);
    if (found == reach_.end()) return inside;
    const Range all = found->second[static_cast<size_t>(dim)];
    return {std::min(all.begin, inside.begin), std::max(all.end, inside.end)};
  }

  const Network& network_;
  const Report& report_;
  int node_;
  const std::vector<int64_t>& cell_;
  std::map<int, std::vector<Range>> reach_;
  CellField result_;
};

}  // namespace

CellField field_of(const Network& network, const Report& report, int node, const std::vector<int64_t>& cell) {
  return Planes(network, report, node, cell).run();
}

}  // namespace tidepool::inline v0_1::analyze
