#include "analyze/input_sizes.h"

#include <optional>

#include "analyze/losses.h"
#include "analyze/placement.h"
#include "analyze/remedies.h"
#include "tidepool/analyze/dependence.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze {

namespace {

using Tried = std::vector<int64_t>;  // a size for each of Report::axes

constexpr int64_t farthest = 64;                   // cells that the sizes may change by
constexpr int64_t most_layers = int64_t{1} << 17;  // that are placed for all tried sizes together: a few tenths of a second
constexpr int64_t layers_of_a_walk = 4;            // following a layer's cells costs as much as placing so many

class Search {
 public:
  Search(const Network& network, const Report& report) : network_(network), report_(report) {}

  std::optional<Tried> nearest(int step) {
    // All axes by the same number of cells: most inputs are square, and stay so.
    Tried sizes = given();
    for (int64_t moved = 1; moved <= farthest; ++moved) {
      for (int64_t& size : sizes) size += step;
      if (!are_near(sizes)) break;
      if (loses_nothing(sizes)) return sizes;
    }
    // The axes of an input of another form, one by one.
    if (network_.inputs().size() != 1) return std::nullopt;
    sizes = given();
    for (size_t axis = 0; axis < sizes.size(); ++axis) {
      bool found = false;
      for (int64_t moved = 0; !found && moved <= farthest && are_near(sizes); ++moved) {
        found = layers_keep_all(sizes, report_.axes[axis].dim);
        if (!found) sizes[axis] += step;
      }
      if (!found) return std::nullopt;
    }
    if (!loses_nothing(sizes)) return std::nullopt;
    return sizes;
  }

 private:
  Tried given() const {
    Tried sizes;
    sizes.reserve(report_.axes.size());
    for (const InputAxis& axis : report_.axes) sizes.push_back(axis.size);
    return sizes;
  }

  // Half the size and less is not near: it may only keep everything because a single window is left.
  bool are_near(const Tried& sizes) const {
    for (size_t axis = 0; axis < sizes.size(); ++axis)
      if (sizes[axis] <= report_.axes[axis].size / 2) return false;
    return true;
  }

  Dims input_shape(size_t node, const Tried& sizes) const {
    Dims shape = network_.nodes()[node].shape;
    for (size_t axis = 0; axis < report_.axes.size(); ++axis)
      if (report_.axes[axis].input == static_cast<int>(node)) shape[report_.axes[axis].dim] = sizes[axis];
    return shape;
  }

  bool loses_nothing(const Tried& sizes) { return layers_keep_all(sizes, -1) && outputs_see_all(sizes); }

  // Whether all layers take inputs of their sizes and read all of their cells, along one dimension or with -1 along all.
  bool layers_keep_all(const Tried& sizes, int only) {
    std::vector<Dims> shapes(network_.nodes().size());
    for (size_t at = 0; at < network_.nodes().size(); ++at) {
      const Node& node = network_.nodes()[at];
      if (!node.is_known()) continue;
      if (--layers_left_ < 0) return false;
      if (node.inputs.empty()) {
        shapes[at] = std::holds_alternative<Input>(node.layer) ? input_shape(at, sizes) : node.shape;
        continue;
      }
      std::vector<Dims> inputs;
      inputs.reserve(node.inputs.size());
      for (const int input : node.inputs) inputs.push_back(shapes[static_cast<size_t>(input)]);
      const Result<Placement> placed = place(node.layer, inputs);
      if (!placed || (may_lose_cells(node.layer) && !keeps_all(*placed, only))) return false;
      shapes[at] = placed->shape;
    }
    return true;
  }

  static bool keeps_all(const Placement& placed, int only) {
    for (size_t dim = 2; dim < placed.reads[0].size(); ++dim) {
      if (only >= 0 && static_cast<int>(dim) != only) continue;
      const DimReads& reads = placed.reads[0][dim];
      if (reads.dim >= 0 && !reads.map.is_same() && !analyze::keeps_all(reads.map)) return false;
    }
    return true;
  }

  // Slices and crops leave cells out as well.
  bool outputs_see_all(const Tried& sizes) {
    if (!report_.unknown.empty()) return true;  // what is behind an unknown layer may see everything
    layers_left_ -= layers_of_a_walk * static_cast<int64_t>(network_.nodes().size());
    if (layers_left_ < 0) return false;
    const Network other = resized(sizes);
    for (const RangeSet& unseen : unseen_positions(other, report_.axes))
      if (!unseen.empty()) return false;
    return true;
  }

  Network resized(const Tried& sizes) const {
    Network copy;
    for (size_t at = 0; at < network_.nodes().size(); ++at) {
      const Node& node = network_.nodes()[at];
      if (std::holds_alternative<Input>(node.layer))
        copy.input(node.name, input_shape(at, sizes));
      else if (std::holds_alternative<Constant>(node.layer))
        copy.constant(node.shape, node.parameters, node.name, node.weights);
      else
        copy.add(node.layer, node.inputs, node.name, node.weights);
    }
    for (const int output : network_.outputs()) copy.output(output);
    return copy;
  }

  const Network& network_;
  const Report& report_;
  int64_t layers_left_ = most_layers;
};

}  // namespace

std::vector<std::string> lossless_input_sizes(const Network& network, const Report& report) {
  Search search(network, report);
  std::string text;
  for (const int step : {-1, 1}) {
    std::optional<Tried> sizes;
    try {
      sizes = search.nearest(step);
    } catch (const Error&) {  // cells that cannot be listed
    }
    if (!sizes) continue;
    text += text.empty() ? "" : " or ";
    for (size_t axis = 0; axis < sizes->size(); ++axis) text += (axis > 0 ? "x" : "") + std::to_string((*sizes)[axis]);
  }
  return text.empty() ? std::vector<std::string>() : std::vector{text};
}

}  // namespace tidepool::inline v0_1::analyze
