#include "analyze/page_table.h"

#include <algorithm>

#include "analyze/axis_words.h"
#include "analyze/explain.h"
#include "analyze/markup.h"
#include "analyze/numbers.h"

namespace tidepool::inline v0_1::analyze {

namespace {

size_t index(int node) { return static_cast<size_t>(node); }

struct Heading {
  const char* key;
  const char* title;
  const char* tip;
};

constexpr Heading headings[] = {
    {"layer", "Layer", "In the order of execution. The second line is the layer in tidepool's text form."},
    {"shape", "Output", "The shape of what the layer computes for one sample: channels first, then the spatial sides."},
    {"field", "Field", "The receptive field: how many cells of the input one cell of the layer sees, along each axis."},
    {"stride", "Stride", "How many cells of the input the fields of neighbouring cells are apart, also called jump or effective stride."},
    {"parameters", "Parameters", "The trained values of the layer. The bars compare the layers."},
    {"adds", "Multiply-adds", "The multiplications of the layer, each with an addition, for one pass over the input."},
    {"memory", "Memory", "The bytes of the output, if its elements are 32-bit floats or what the analysis was asked for."},
};

// The largest of each column, which the bars are measured by.
struct Largest {
  int64_t parameters = 1, adds = 1, memory = 1;
};

Largest largest_of(const Network& network, const Report& report) {
  Largest largest;
  for (size_t at = 0; at < network.nodes().size(); ++at) {
    largest.parameters = std::max(largest.parameters, network.nodes()[at].parameters);
    largest.adds = std::max(largest.adds, network.nodes()[at].multiply_adds);
    largest.memory = std::max(largest.memory, report.layers[at].output_bytes);
  }
  return largest;
}

std::string cell(std::string_view key, const std::string& tip, const std::string& content, const std::string& value = {}) {
  return "<td class=\"" + std::string(key) + "\"" + (value.empty() ? "" : " data-v=\"" + value + "\"") + " data-tip=\"" + escaped(tip) +
         "\">" + content + "</td>";
}

std::string amount(std::string_view key, const std::string& tip, const std::string& shown_text, int64_t number, int64_t largest) {
  std::string content = number == 0 ? "<span class=\"none\">–</span>" : escaped(shown_text);
  if (number > 0)
    content += "<svg class=\"bar\" viewBox=\"0 0 100 3\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect width=\"" +
               pixel(std::max(0.5, 100 * static_cast<double>(number) / static_cast<double>(largest))) + "\" height=\"3\"/></svg>";
  return cell(key, tip, content, std::to_string(number));
}

std::string badges(const Report& report, int node) {
  bool saturated = false, oversized = false, holes = false;
  for (const Field& field : report.layers[index(node)].fields) {
    if (!field.depends) continue;
    saturated = saturated || (field.saturated && field.stride != Rational(0));
    oversized = oversized || (field.oversized && field.stride != Rational(0));
    holes = holes || !field.holes.empty();
  }
  std::string text;
  if (saturated)
    text += " <span class=\"badge warn\">nothing new</span>";
  else if (oversized)
    text += " <span class=\"badge\">&gt; input</span>";
  if (holes) text += " <span class=\"badge\">holes</span>";
  return text;
}

int64_t largest_field(const Report& report, int node) {
  int64_t largest = 0;
  for (const Field& field : report.layers[index(node)].fields)
    if (field.depends) largest = std::max(largest, field.size);
  return largest;
}

double largest_stride(const Report& report, int node) {
  double largest = 0;
  for (const Field& field : report.layers[index(node)].fields)
    if (field.depends) largest = std::max(largest, field.stride.value());
  return largest;
}

// What a layer reads, if it is not simply the layer before.
std::string reads_text(const Network& network, int node) {
  const std::vector<int>& inputs = network.node(node).inputs;
  if (inputs.empty() || (inputs.size() == 1 && inputs[0] == node - 1)) return "";
  std::vector<std::string> names;
  for (const int input : inputs) {
    if (names.size() == 4 && inputs.size() > 5) {
      names.push_back(std::to_string(inputs.size() - 4) + " more");
      break;
    }
    names.push_back(shown(network.node(input).name));
  }
  return "from " + listed(names);
}

bool is_pointwise(const Layer& layer) {
  return std::holds_alternative<Elementwise>(layer) || std::holds_alternative<StatisticsNorm>(layer) ||
         std::holds_alternative<Softmax>(layer);
}

std::string known_cells(const Network& network, const Report& report, int node, const Largest& largest) {
  const Node& layer = network.node(node);
  const LayerReport& about = report.layers[index(node)];
  return cell("shape", explain_shape(network, node), shape_text(layer.shape), std::to_string(checked_numel(layer.shape).value())) +
         cell("field", explain_field(network, report, node), field_text(report, node) + badges(report, node),
              std::to_string(largest_field(report, node))) +
         cell("stride", explain_stride(network, report, node), stride_text(report, node), pixel(largest_stride(report, node))) +
         amount("parameters", explain_parameters(network, node), grouped(layer.parameters), layer.parameters, largest.parameters) +
         amount("adds", explain_multiply_adds(network, node), short_count(layer.multiply_adds), layer.multiply_adds, largest.adds) +
         amount("memory", explain_memory(network, report, node), short_bytes(about.output_bytes), about.output_bytes, largest.memory);
}

std::string row(const Network& network, const Report& report, int node, int entry, const Largest& largest) {
  const Node& layer = network.node(node);
  const std::string name = shown(layer.name), text = shown(to_string(layer.layer)), reads = reads_text(network, node);
  std::string classes = is_pointwise(layer.layer) ? "pointwise" : "";
  if (!layer.is_known()) classes += classes.empty() ? "unknown" : " unknown";
  std::string html = "<tr id=\"l" + std::to_string(node) + "\"" + (classes.empty() ? "" : " class=\"" + classes + "\"") +
                     (entry < 0 ? "" : " data-f=\"" + std::to_string(entry) + "\"") + "><th scope=\"row\" data-v=\"" +
                     std::to_string(node) + "\"><a href=\"#l" + std::to_string(node) + "\">" + escaped(name) + "</a><code>" +
                     escaped(text) + "</code>" + (reads.empty() ? "" : "<span class=\"reads\">" + escaped(reads) + "</span>") + "</th>";
  if (layer.is_known()) return html + known_cells(network, report, node, largest) + "</tr>\n";
  const std::string why = layer.blocked_by == node
                              ? "This layer is not known, and is never treated as if it did nothing."
                              : "This depends on the unknown layer '" + shown(network.node(layer.blocked_by).name) + "'.";
  html += cell("shape", why, "not known");
  for (const char* key : {"field", "stride", "parameters", "adds", "memory"}) html += cell(key, why, "<span class=\"none\">?</span>", "-1");
  return html + "</tr>\n";
}

}  // namespace

std::string page_table(const Network& network, const Report& report, const std::vector<int>& entry) {
  std::string html = "<table>\n<caption class=\"hidden\">The layers in the order of execution</caption>\n<thead><tr>";
  for (const Heading& heading : headings)
    html += "<th scope=\"col\" class=\"" + std::string(heading.key) + "\"><button type=\"button\" data-tip=\"" + heading.tip + "\">" +
            heading.title + "</button></th>";
  html += "</tr></thead>\n<tbody>\n";
  const Largest largest = largest_of(network, report);
  for (size_t at = 0; at < network.nodes().size(); ++at) html += row(network, report, static_cast<int>(at), entry[at], largest);
  return html + "</tbody>\n</table>\n";
}

}  // namespace tidepool::inline v0_1::analyze
