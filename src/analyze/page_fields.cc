#include "analyze/page_fields.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "analyze/field_planes.h"
#include "analyze/markup.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze {

namespace {

constexpr int64_t most_steps = 1'000'000;  // of walks from layers to inputs, one for each layer between

// A string of JSON. < is written as an escape, so that no text can end the script element.
std::string quoted(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string json = "\"";
  for (const char c : printable(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || c == '<' || c == '>' || c == '&' || c == '"' || c == '\\')
      json += std::string("\\u00") + digits[byte >> 4] + digits[byte & 15];
    else
      json += c;
  }
  return json + "\"";
}

std::string list(const std::vector<std::string>& items) {
  std::string json = "[";
  for (const std::string& item : items) json += (json.size() > 1 ? "," : "") + item;
  return json + "]";
}

std::string numbers(const Rectangle& r) {
  return list({std::to_string(r.x), std::to_string(r.y), std::to_string(r.width), std::to_string(r.height)});
}

std::string plane_json(const Plane& plane) {
  std::vector<std::string> shapes;
  shapes.reserve(plane.field.size());
  for (const Shape& shape : plane.field)
    shapes.push_back(shape.clip.empty() ? quoted(shape.path) : list({quoted(shape.path), quoted(shape.clip)}));
  return "{\"label\":" + quoted(plane.label) + ",\"size\":" + list({std::to_string(plane.cols), std::to_string(plane.rows)}) +
         ",\"view\":" + numbers(plane.view) + ",\"drawn\":" +
         list({std::to_string(static_cast<int>(plane.drawn_width())), std::to_string(static_cast<int>(plane.drawn_height()))}) +
         ",\"reach\":" + numbers(plane.reach) + (plane.coarse > 0 ? ",\"coarse\":" + std::to_string(plane.coarse) : "") +
         ",\"field\":" + list(shapes) + "}";
}

// First, middle and last, without those that are the same.
std::vector<std::pair<std::string, std::vector<int64_t>>> chosen_cells(const Dims& shape) {
  std::vector<int64_t> first, middle, last;
  for (int dim = 2; dim < shape.rank; ++dim) {
    first.push_back(0);
    middle.push_back(shape[dim] / 2);
    last.push_back(shape[dim] - 1);
  }
  std::vector<std::pair<std::string, std::vector<int64_t>>> cells;
  if (first == last) return {{"all", first}};
  cells.emplace_back("first", first);
  if (middle != last) cells.emplace_back("middle", middle);
  cells.emplace_back("last", last);
  return cells;
}

std::string cells_json(const Network& network, const Report& report, int node) {
  std::vector<std::string> cells;
  for (const auto& [name, cell] : chosen_cells(network.node(node).shape)) {
    const CellField field = field_of(network, report, node, cell);
    std::vector<std::string> planes, at;
    for (const Plane& plane : field.planes) planes.push_back(plane_json(plane));
    for (const int64_t position : cell) at.push_back(std::to_string(position));
    cells.push_back("{\"name\":" + quoted(name) + ",\"at\":" + list(at) + ",\"words\":" + quoted(field.words) +
                    ",\"exact\":" + (field.exact ? "true" : "false") + ",\"planes\":" + list(planes) + "}");
  }
  return list(cells);
}

// Nothing where the field has too many pieces to be listed.
std::optional<std::string> cells_json_if_listed(const Network& network, const Report& report, int node) {
  try {
    return cells_json(network, report, node);
  } catch (const Error&) {
    return std::nullopt;
  }
}

// Layers that see exactly what their input sees at the same place.
bool sees_the_same(const Node& node) {
  return node.inputs.size() == 1 && (std::holds_alternative<Elementwise>(node.layer) || std::holds_alternative<StatisticsNorm>(node.layer));
}

int64_t step_of(const Network& network) {
  int64_t steps = 0;
  for (size_t at = 0; at < network.nodes().size(); ++at)
    if (!sees_the_same(network.nodes()[at])) steps += 3 * static_cast<int64_t>(at);
  return 1 + steps / most_steps;
}

}  // namespace

PageFields page_fields(const Network& network, const Report& report, const std::string& picture_href) {
  PageFields result;
  std::vector<std::string> entries;
  std::map<std::string, int> known;
  const int64_t step = step_of(network);
  int64_t walked = 0;
  for (size_t at = 0; at < network.nodes().size(); ++at) {
    const Node& node = network.nodes()[at];
    int entry = -1;
    if (node.is_known() && sees_the_same(node)) {
      entry = result.entry[static_cast<size_t>(node.inputs[0])];
    } else if (node.is_known() && !std::holds_alternative<Constant>(node.layer) && walked++ % step == 0) {
      if (std::optional<std::string> json = cells_json_if_listed(network, report, static_cast<int>(at))) {
        const auto [found, is_new] = known.emplace(*json, static_cast<int>(entries.size()));
        if (is_new) entries.push_back(std::move(*json));
        entry = found->second;
      }
    }
    result.entry.push_back(entry);
  }
  result.json = "{\"picture\":" + quoted(picture_href) + ",\"fields\":[";
  for (size_t i = 0; i < entries.size(); ++i) result.json += (i == 0 ? "\n" : ",\n") + entries[i];
  result.json += "]}";
  return result;
}

}  // namespace tidepool::inline v0_1::analyze
