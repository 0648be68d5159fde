#include "analyze/origins.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "analyze/placement.h"

namespace tidepool::inline v0_1::analyze {

namespace {

using Origin = std::pair<int, int>;                         // input, dimension
using Origins = std::array<std::vector<Origin>, max_rank>;  // of each dimension of a value

void unite(std::vector<Origin>& into, const std::vector<Origin>& more) {
  for (const Origin& origin : more)
    if (std::find(into.begin(), into.end(), origin) == into.end()) into.push_back(origin);
}

std::string name_of(int position, int count) {
  return count > max_spatial ? std::to_string(position) : std::string(axis_name(count, position));
}

}  // namespace

std::vector<InputAxis> spatial_axes(const Network& network) {
  std::vector<Origins> origins(network.nodes().size());
  std::set<Origin> spatial;
  for (size_t at = 0; at < network.nodes().size(); ++at) {
    const Node& node = network.nodes()[at];
    if (!node.is_known()) continue;
    if (std::holds_alternative<Input>(node.layer))
      for (int dim = 1; dim < node.shape.rank; ++dim) origins[at][static_cast<size_t>(dim)] = {{static_cast<int>(at), dim}};
    if (node.inputs.empty()) continue;
    const Placement placed = placement_of(network, node);
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const Origins& from = origins[static_cast<size_t>(node.inputs[i])];
      for (size_t dim = 0; dim < placed.reads[i].size(); ++dim) {
        const int to = placed.reads[i][dim].dim;
        if (to >= 0 && !placed.reads[i][dim].map.is<MergedReads>()) unite(origins[at][static_cast<size_t>(to)], from[dim]);
      }
    }
    std::vector<int> moved_along = placed.window_dims;
    // Interpolation along an axis that keeps its size is no window, but the axis is a spatial one.
    if (std::holds_alternative<Resize>(node.layer))
      for (int dim = 2; dim < placed.shape.rank; ++dim) moved_along.push_back(dim);
    for (const int dim : moved_along)
      for (const Origin& origin : origins[static_cast<size_t>(node.inputs[0])][static_cast<size_t>(dim)]) spatial.insert(origin);
  }
  std::vector<InputAxis> axes;
  for (const int input : network.inputs()) {
    std::vector<int> dims;
    for (const Origin& origin : spatial)
      if (origin.first == input) dims.push_back(origin.second);
    const Dims& shape = network.node(input).shape;
    if (dims.empty())
      for (int dim = 2; dim < shape.rank; ++dim) dims.push_back(dim);
    for (size_t i = 0; i < dims.size(); ++i)
      axes.push_back({input, dims[i], name_of(static_cast<int>(i), static_cast<int>(dims.size())), shape[dims[i]]});
  }
  return axes;
}

}  // namespace tidepool::inline v0_1::analyze
