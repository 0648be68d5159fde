#include "tidepool/analyze/markdown.h"

#include <algorithm>

#include "analyze/layer_cells.h"
#include "analyze/totals.h"
#include "tidepool/analyze/findings.h"

namespace tidepool::inline v0_1::analyze {

namespace {

// Text without meaning in Markdown, in a cell of a table or as an item of a list.
std::string escaped(std::string_view text) {
  std::string out;
  // "# a", "+ a", "- a" and "1. a" begin headings and lists.
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const bool begins_block =
      digits < text.size() && std::string_view(digits == 0 ? "#+-" : ".)").find(text[digits]) != std::string_view::npos;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool special = std::string_view("\\`*_[]|~>").find(c) != std::string_view::npos || (begins_block && i == digits);
    out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : (special ? "\\" : "") + std::string(1, c);
  }
  return out;
}

}  // namespace

std::string to_markdown(const Network& network, const Report& report) {
  std::string out =
      "| name | layer | output | field | stride | padding | parameters | multiply-adds | bytes |\n"
      "|:---|:---|---:|---:|---:|---:|---:|---:|---:|\n";
  for (size_t node = 0; node < network.nodes().size(); ++node) {
    const LayerCells cells = cells_of(network, report, node);
    for (const std::string* cell : {&cells.name, &cells.layer, &cells.output, &cells.field, &cells.stride, &cells.padding,
                                    &cells.parameters, &cells.multiply_adds, &cells.bytes})
      out += "| " + escaped(*cell) + (cell->empty() ? "" : " ");
    out += "|\n";
  }
  out += "\n";
  for (const Total& total : totals(report)) out += "- " + total.name + ": " + total.text + "\n";
  const std::vector<Finding> found = findings(network, report);
  if (!found.empty()) out += "\n";
  for (const Finding& finding : found)
    out += "- " + escaped(finding.text) + (finding.remedies.empty() ? "" : " " + escaped(remedies_sentence(finding))) + "\n";
  return out;
}

}  // namespace tidepool::inline v0_1::analyze
