#include "analyze/layer_cells.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "analyze/axis_words.h"
#include "analyze/numbers.h"

namespace tidepool::inline v0_1::analyze {

namespace {

// A number of every axis as one text. Inputs that the layer does not depend on are left out.
std::string of_axes(const Report& report, const std::vector<Field>& fields, const std::function<std::string(const Field&)>& number) {
  std::vector<std::string> inputs;
  for (size_t axis = 0; axis < fields.size();) {
    std::vector<std::string> texts;
    const int input = report.axes[axis].input;
    for (; axis < fields.size() && report.axes[axis].input == input; ++axis)
      if (fields[axis].depends) texts.push_back(number(fields[axis]));
    std::string joined = joined_axes(texts);
    if (!joined.empty() && std::ranges::find(inputs, joined) == inputs.end()) inputs.push_back(std::move(joined));
  }
  std::string text;
  for (const std::string& input : inputs) text += (text.empty() ? "" : ", ") + input;
  return text;
}

std::string unless_zero(int64_t number, std::string (*text)(int64_t)) { return number == 0 ? "" : text(number); }

}  // namespace

LayerCells cells_of(const Network& network, const Report& report, size_t node) {
  const Node& layer = network.nodes()[node];
  const LayerReport& about = report.layers[node];
  LayerCells cells;
  cells.name = shown(layer.name);
  cells.layer = shown(to_string(layer.layer));
  cells.output = layer.is_known() ? to_string(layer.shape) : "?";
  if (!layer.is_known()) return cells;
  cells.field = of_axes(report, about.fields, [](const Field& f) { return (f.at_most ? "≤" : "") + std::to_string(f.size); });
  cells.stride = of_axes(report, about.fields, [](const Field& f) { return to_string(f.stride); });
  cells.padding = of_axes(report, about.fields, [](const Field& f) { return to_string(Rational(-1) * Rational(f.begin)); });
  cells.parameters = unless_zero(layer.parameters, short_count);
  cells.multiply_adds = unless_zero(layer.multiply_adds, short_count);
  cells.bytes = unless_zero(about.output_bytes, short_bytes);
  return cells;
}

}  // namespace tidepool::inline v0_1::analyze
