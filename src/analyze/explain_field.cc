#include <algorithm>
#include <optional>
#include <vector>

#include "analyze/axis_words.h"
#include "analyze/explain.h"
#include "analyze/numbers.h"
#include "analyze/placement.h"

namespace tidepool::inline v0_1::analyze {

namespace {

const std::vector<Field>& fields_of(const Report& report, int node) { return report.layers[static_cast<size_t>(node)].fields; }

// The axes that the layer depends on, one after the other with "; " between inputs.
template <class F>
std::string along_axes(const Report& report, int node, F&& part) {
  std::string text;
  int input = -1;
  for (size_t axis = 0; axis < report.axes.size(); ++axis) {
    const Field& field = fields_of(report, node)[axis];
    if (!field.depends) continue;
    if (!text.empty()) text += input == report.axes[axis].input ? " × " : "; ";
    input = report.axes[axis].input;
    text += part(field);
  }
  return text.empty() ? "–" : text;
}

// The windows of a layer with one input along the dimension of an axis, if that dimension has not been moved or merged.
std::optional<Axis> windows_along(const Network& network, const Report& report, int node, size_t axis) {
  const Node& layer = network.node(node);
  if (layer.inputs.size() != 1) return std::nullopt;
  const Dims& input = network.node(layer.inputs[0]).shape;
  const Placement placed = placement_of(network, layer);
  const int dim = report.axes[axis].dim;
  if (dim >= input.rank) return std::nullopt;
  const DimReads& reads = placed.reads[0][static_cast<size_t>(dim)];
  if (!reads.map.is<WindowReads>()) return std::nullopt;
  const Axis& windows = std::get<WindowReads>(reads.map.reads()).axis;
  return windows.is_adaptive() || windows.is_fractional() ? std::nullopt : std::optional(windows);
}

// "67 before + (3 - 1) * 16 = 99", if that is how this field came about.
std::string field_sum(const Network& network, const Report& report, int node, size_t axis) {
  const std::optional<Axis> windows = windows_along(network, report, node, axis);
  if (!windows || windows->kernel() == 1) return "";
  const Field &mine = fields_of(report, node)[axis], &before = fields_of(report, network.node(node).inputs[0])[axis];
  const int64_t reach = (windows->kernel() - 1) * windows->dilation();
  if (!(Rational(before.size) + Rational(reach) * before.stride == Rational(mine.size))) return "";
  const std::string taps = "(" + std::to_string(windows->kernel()) + " − 1)";
  return "A cell of the layer before sees " + std::to_string(before.size) + ", and those cells are " + to_string(before.stride) +
         " apart on the input: " + std::to_string(before.size) + " + " + taps +
         (windows->dilation() > 1 ? " × dilation " + std::to_string(windows->dilation()) : "") + " × " + to_string(before.stride) + " = " +
         std::to_string(mine.size) + ".";
}

std::string stride_product(const Network& network, const Report& report, int node, size_t axis) {
  const std::optional<Axis> windows = windows_along(network, report, node, axis);
  if (!windows || windows->stride() == 1) return "";
  const Field &mine = fields_of(report, node)[axis], &before = fields_of(report, network.node(node).inputs[0])[axis];
  if (!(before.stride * Rational(windows->stride()) == mine.stride)) return "";
  return "It was " + to_string(before.stride) + " before, and the windows of this layer are " + std::to_string(windows->stride()) +
         " apart: " + to_string(before.stride) + " × " + std::to_string(windows->stride()) + " = " + to_string(mine.stride) + ".";
}

// Appends a sentence once, followed by the axis it holds for if not all have the same.
class Sentences {
 public:
  void add(const std::string& sentence) {
    if (!sentence.empty() && std::find(said_.begin(), said_.end(), sentence) == said_.end()) said_.push_back(sentence);
  }
  std::string text() const {
    std::string all;
    for (const std::string& sentence : said_) all += (all.empty() ? "" : " ") + sentence;
    return all;
  }

 private:
  std::vector<std::string> said_;
};

std::string notes(const Report& report, size_t axis, const Field& field) {
  const std::string& name = report.axes[axis].name;
  const std::string size = std::to_string(report.axes[axis].size);
  if (field.at_most) return "This is an upper bound: not every step could be followed exactly.";
  if (field.saturated)
    return "Before this layer the field was already larger than the input (" + size + " along " + shown(name) +
           "), and so it sees nothing new.";
  if (field.oversized) return "On some path the field was already larger than the input (" + size + " along " + shown(name) + ").";
  if (field.size > report.axes[axis].size) return "That is more than the input has (" + size + "); the rest is padding.";
  return "";
}

}  // namespace

std::string field_text(const Report& report, int node) {
  return along_axes(report, node, [](const Field& field) { return (field.at_most ? "≤ " : "") + grouped(field.size); });
}

std::string stride_text(const Report& report, int node) {
  std::vector<std::string> strides;
  for (const Field& field : fields_of(report, node))
    if (field.depends) strides.push_back(field.stride == Rational(0) ? "–" : to_string(field.stride));
  return strides.empty() ? "–" : joined_axes(strides);
}

std::string explain_field(const Network& network, const Report& report, int node) {
  if (std::holds_alternative<Input>(network.node(node).layer)) return "A cell of the input is one cell of the input.";
  Sentences sentences;
  const std::string field = field_text(report, node);
  if (field == "–") return "No input with spatial dimensions reaches this layer.";
  sentences.add("One cell of this layer sees " + field + " cells of the input, from the first to the last.");
  for (size_t axis = 0; axis < report.axes.size(); ++axis)
    if (fields_of(report, node)[axis].depends) sentences.add(field_sum(network, report, node, axis));
  if (network.node(node).inputs.size() > 1) sentences.add("Where paths meet, the cell sees what any of them sees.");
  for (size_t axis = 0; axis < report.axes.size(); ++axis) {
    const Field& along = fields_of(report, node)[axis];
    if (!along.depends) continue;
    if (!along.holes.empty()) sentences.add("Between them are holes: " + grouped(along.holes.count()) + " positions that it does not see.");
    sentences.add(notes(report, axis, along));
  }
  return sentences.text();
}

std::string explain_stride(const Network& network, const Report& report, int node) {
  Sentences sentences;
  for (size_t axis = 0; axis < report.axes.size(); ++axis) {
    const Field& field = fields_of(report, node)[axis];
    if (!field.depends) continue;
    if (field.stride == Rational(0)) {
      sentences.add("All cells of this layer see the same part of the input.");
      continue;
    }
    sentences.add("The fields of neighbouring cells are " + to_string(field.stride) + (field.stride == Rational(1) ? " cell" : " cells") +
                  " of the input apart.");
    sentences.add(stride_product(network, report, node, axis));
    if (field.begin < 0)
      sentences.add("The field of the first cell begins " + grouped(-field.begin) + (field.begin == -1 ? " cell" : " cells") +
                    " before the input: that is the effective padding.");
    else if (field.begin > 0)
      sentences.add("The field of the first cell begins at position " + grouped(field.begin) + ".");
  }
  const std::string text = sentences.text();
  return text.empty() ? "No input with spatial dimensions reaches this layer." : text;
}

}  // namespace tidepool::inline v0_1::analyze
