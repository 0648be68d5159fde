#include "analyze/chain_columns.h"

#include <algorithm>
#include <cmath>

#include "analyze/axis_words.h"
#include "analyze/explain.h"
#include "analyze/markup.h"
#include "analyze/numbers.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze {

namespace {

constexpr double tallest = 132;                 // the longest side of all blocks
constexpr double narrowest = 56, widest = 136;  // columns
constexpr double thinnest_icon = 0.12;

// Sides and channels differ by factors of a hundred. Roots keep small ones visible.
double side_length(int64_t size, int64_t largest) {
  return std::max(4.0, tallest * std::pow(static_cast<double>(size) / static_cast<double>(largest), 0.6));
}
double thickness(int64_t channels) { return std::clamp(1.2 * std::sqrt(static_cast<double>(channels)), 3.0, 64.0); }

int64_t largest_side(const Network& network, const std::vector<Block>& blocks) {
  int64_t largest = 1;
  for (const Block& block : blocks) {
    const Node& node = network.node(block.result);
    for (int dim = 2; node.is_known() && dim < node.shape.rank; ++dim) largest = std::max(largest, node.shape[dim]);
  }
  return largest;
}

std::string times(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : " × ") + part;
  return text;
}

Solid solid_of(const Dims& shape, int64_t largest) {
  Solid solid;
  solid.thickness = thickness(features_of(shape));
  if (shape.rank < 3) return solid.height = 4, solid;
  solid.height = side_length(shape[shape.rank > 3 ? -2 : -1], largest);
  if (shape.rank == 3) return solid;
  const double width = side_length(shape[-1], largest);
  solid.run = 0.36 * width;
  solid.rise = 0.26 * width;
  return solid;
}

// The fields along the axes of one input, the first that the layer depends on.
std::vector<size_t> axes_of(const Report& report, int node) {
  std::vector<size_t> axes;
  const std::vector<Field>& fields = report.layers[static_cast<size_t>(node)].fields;
  for (size_t axis = 0; axis < fields.size(); ++axis)
    if (fields[axis].depends && (axes.empty() || report.axes[axes[0]].input == report.axes[axis].input)) axes.push_back(axis);
  return axes;
}

void describe_field(const Report& report, int node, ChainColumn& column) {
  const std::vector<size_t> axes = axes_of(report, node);
  std::vector<std::string> sizes, strides;
  std::vector<double> side, seen;
  for (const size_t axis : axes) {
    const Field& field = report.layers[static_cast<size_t>(node)].fields[axis];
    const int64_t size = report.axes[axis].size;
    sizes.push_back(std::to_string(field.size));
    strides.push_back(field.stride == Rational(0) ? "–" : to_string(field.stride));
    side.push_back(static_cast<double>(size));
    seen.push_back(std::min(1.0, static_cast<double>(field.size) / static_cast<double>(size)));
  }
  if (axes.empty()) return;
  column.field = times(sizes);
  column.stride = joined_axes(strides);
  const double width = side.back(), height = side.size() > 1 ? side[side.size() - 2] : 0, longer = std::max(width, height);
  column.icon_width = std::max(thinnest_icon, width / longer);
  column.icon_height = std::max(thinnest_icon, height / longer);
  column.seen_width = seen.back();
  column.seen_height = side.size() > 1 ? seen[seen.size() - 2] : 1;
}

ChainColumn column_of(const Network& network, const Report& report, Block block, int64_t largest) {
  ChainColumn column;
  const int last = block.result;
  const Node& node = network.node(last);
  const std::string layers =
      block.groups ? std::to_string(block.nodes.size()) + " layers with the result " + shown(node.name) : shown(node.name);
  column.known = node.is_known();
  column.block = std::move(block);
  if (!column.known) {
    column.solid = {.thickness = 24, .height = 48};
    column.summary = column.size = "not known";
    column.description = layers + ": not known";
  } else {
    const Dims& shape = node.shape;
    column.solid = solid_of(shape, largest);
    column.channels = std::to_string(features_of(shape));
    std::vector<std::string> sides;
    for (int dim = 2; dim < shape.rank; ++dim) sides.push_back(std::to_string(shape[dim]));
    column.size = sides.empty() ? "–" : times(sides);
    column.summary = column.channels + (sides.empty() ? "" : " × " + column.size);
    describe_field(report, last, column);
    column.description = layers + ": " + column.summary + (column.field.empty() ? "" : ", field " + column.field);
  }
  double width = std::max(narrowest, column.solid.thickness + column.solid.run);
  for (const std::string& text : {column.channels, column.size, column.field, column.stride}) width = std::max(width, text_width(text));
  for (const std::string& text : column.block.labels) width = std::max(width, std::min(widest, text_width(text)));
  column.width = width;
  return column;
}

}  // namespace

std::vector<ChainColumn> chain_columns(const Network& network, const Report& report) {
  std::vector<Block> blocks = chain_blocks(network, report);
  if (blocks.empty()) detail::throw_error({ErrorCode::invalid_argument, "analyze: a network without inputs has no chain to draw"});
  const int64_t largest = largest_side(network, blocks);
  std::vector<ChainColumn> columns;
  columns.reserve(blocks.size());
  for (Block& block : blocks) columns.push_back(column_of(network, report, std::move(block), largest));
  return columns;
}

}  // namespace tidepool::inline v0_1::analyze
