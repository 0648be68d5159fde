#include "tidepool/analyze/cell.h"

#include <algorithm>

#include "analyze/axis_words.h"
#include "analyze/columns.h"
#include "analyze/numbers.h"
#include "analyze/report_json.h"
#include "tidepool/analyze/dependence.h"

namespace tidepool::inline v0_1::analyze {

namespace {

constexpr size_t label_width = 11;

// What a cell sees along one axis of an input.
struct Seen {
  InputAxis axis;
  RangeSet inside, unclipped;
};

struct SeenInput {
  Dependence on;
  std::vector<Seen> axes;
};

std::vector<SeenInput> seen_by(const Network& network, const Report& report, int node, const std::vector<int64_t>& cell) {
  const auto unclipped = unclipped_field(network, node, cell);
  std::vector<SeenInput> inputs;
  for (Dependence& on : dependence(network, node, one_cell(network.node(node).shape, cell))) {
    SeenInput& input = inputs.emplace_back(SeenInput{std::move(on), {}});
    for (size_t axis = 0; axis < report.axes.size(); ++axis)
      if (const InputAxis& of = report.axes[axis]; of.input == input.on.input)
        input.axes.push_back({of, input.on.along(of.dim), unclipped[axis]});
  }
  return inputs;
}

std::string rows_word(const std::string& axis) {
  return axis == "h" ? "rows" : axis == "w" ? "columns" : axis == "d" ? "slices" : axis == "l" ? "positions" : "along " + shown(axis);
}

// "33-63 (31 of 64), holes at 35; with padding 33 to 78 (46)"
std::string seen_text(const Seen& seen) {
  std::string text = to_string(seen.inside, 8) + " (" + grouped(seen.inside.count()) + " of " + grouped(seen.axis.size) + ")";
  if (const RangeSet holes = seen.inside.holes(); !holes.empty()) text += ", holes at " + to_string(holes, 8);
  if (seen.unclipped == seen.inside) return text + "; none of it is padding";
  const Range all = seen.unclipped.hull();
  return text + "; with padding " + std::to_string(all.begin) + " to " + std::to_string(all.end - 1) + " (" +
         grouped(seen.unclipped.count()) + ")";
}

std::string cell_name(const Node& layer, const std::vector<int64_t>& cell) {
  std::string at;
  for (const int64_t position : cell) at += (at.empty() ? "" : ",") + std::to_string(position);
  return (at.empty() ? "Every element" : "Cell " + at) + " of " + shown(layer.name) + " (" + shown(to_string(layer.layer)) + ", output " +
         to_string(layer.shape) + ")";
}

void write_ranges(JsonWriter& json, const RangeSet& set) {
  json.begin_row();
  for (const Range& range : set.ranges()) json.integers(std::vector<int64_t>{range.begin, range.end});
  json.end_array();
}

void write_axis(JsonWriter& json, const Seen& seen) {
  json.begin_row('{');
  json.key("dim").integer(seen.axis.dim);
  json.key("name").string(seen.axis.name);
  json.key("size").integer(seen.axis.size);
  json.key("positions");
  write_ranges(json, seen.inside);
  json.key("holes");
  write_ranges(json, seen.inside.holes());
  json.key("unclipped");
  write_ranges(json, seen.unclipped);
  json.end_object();
}

void write_input(JsonWriter& json, const Network& network, const SeenInput& input) {
  json.begin_object();
  json.key("input").integer(input.on.input);
  json.key("name").string(network.node(input.on.input).name);
  json.key("exact").boolean(input.on.exact);
  json.key("axes").begin_array();
  for (const Seen& seen : input.axes) write_axis(json, seen);
  json.end_array();
  json.key("boxes").begin_array();
  for (const Box& box : input.on.boxes) {
    json.begin_row();
    for (const RangeSet& dim : box.dims) write_ranges(json, dim);
    json.end_array();
  }
  json.end_array();
  json.end_object();
}

}  // namespace

std::string cell_text(const Network& network, const Report& report, int node, const std::vector<int64_t>& cell, int columns) {
  const auto width = static_cast<size_t>(std::clamp(columns, 20, 1 << 20));
  const std::vector<SeenInput> inputs = seen_by(network, report, node, cell);
  const std::string what = cell_name(network.node(node), cell);
  if (inputs.empty()) return paragraph(what + " depends on no input.", width);
  std::string text;
  for (const SeenInput& input : inputs) {
    const Node& source = network.node(input.on.input);
    text += paragraph(what + (input.on.exact ? " depends on" : " depends on no more than") + " these positions of " + shown(source.name) +
                          " (" + to_string(source.shape) + "):",
                      width);
    if (input.axes.empty()) text += "  all of them\n";
    for (const Seen& seen : input.axes) {
      std::string label = "  " + rows_word(seen.axis.name);
      label.resize(std::max(label_width, label.size() + 1), ' ');
      text +=
          width < 3 * label_width ? paragraph(label.substr(2) + seen_text(seen), width, "  ") : paragraph(seen_text(seen), width, label);
    }
    if (input.on.boxes.size() > 1)
      text += paragraph("The field is the union of " + std::to_string(input.on.boxes.size()) + " boxes, which the JSON form lists.", width,
                        "  ");
  }
  return text;
}

std::string cell_json(const Network& network, const Report& report, int node, const std::vector<int64_t>& cell) {
  JsonWriter json;
  json.begin_object();
  json.key("schema_version").integer(schema_version);
  json.key("node").integer(node);
  json.key("name").string(network.node(node).name);
  json.key("cell").integers(cell);
  json.key("inputs").begin_array();
  for (const SeenInput& input : seen_by(network, report, node, cell)) write_input(json, network, input);
  json.end_array();
  json.end_object();
  return json.take();
}

}  // namespace tidepool::inline v0_1::analyze
