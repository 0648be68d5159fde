#include "tidepool/analyze/table.h"

#include <algorithm>
#include <map>
#include <vector>

#include "analyze/columns.h"
#include "analyze/layer_cells.h"
#include "analyze/numbers.h"
#include "analyze/totals.h"
#include "tidepool/analyze/findings.h"

namespace tidepool::inline v0_1::analyze {

namespace {

constexpr size_t label_width = 15;  // of the totals

constexpr const char* bold = "\033[1m";
constexpr const char* yellow = "\033[33m";
constexpr const char* red = "\033[31m";
constexpr const char* plain = "\033[0m";

class Table {
 public:
  Table(const Network& network, const Report& report, const TableOptions& options)
      : network_(network),
        report_(report),
        options_(options),
        width_(static_cast<size_t>(std::clamp(options.columns, 20, 1 << 20))),
        findings_(findings(network, report)) {
    for (const Finding& finding : findings_) {
      if (finding.node < 0) continue;
      const bool unknown = finding.kind == Finding::Kind::unknown;
      const char*& colour = colours_[static_cast<size_t>(finding.node)];
      if (unknown || colour == nullptr) colour = unknown ? red : yellow;
    }
  }

  std::string run() {
    layers();
    out_ += "\n";
    for (const Total& total : totals(report_)) {
      std::string label = total.name;
      label.resize(label_width, ' ');
      out_ += width_ < 2 * label_width ? paragraph(total.name + ": " + total.text, width_) : paragraph(total.text, width_, label);
    }
    out_ += "\n";
    if (findings_.empty()) out_ += paragraph("Nothing is lost: the outputs depend on every position of the inputs.", width_);
    for (const Finding& finding : findings_) {
      out_ += paragraph(finding.text, width_, "- ");
      if (!finding.remedies.empty()) out_ += paragraph(remedies_sentence(finding), width_, "  ");
    }
    return std::move(out_);
  }

 private:
  std::string coloured(const std::string& text, const char* colour) const {
    return options_.colour && colour != nullptr ? colour + text + plain : text;
  }
  const char* colour_of(size_t node) const {
    const auto at = colours_.find(node);
    return at == colours_.end() ? nullptr : at->second;
  }

  void layers() {
    std::vector<Column> columns{{.title = "name", .cells = {}, .cuttable = true, .keep_end = true},
                                {.title = "layer", .cells = {}, .cuttable = true},
                                {.title = "output", .cells = {}, .right = true},
                                {.title = "field", .cells = {}, .right = true},
                                {.title = "stride", .cells = {}, .right = true, .drop = 1},
                                {.title = "pad", .cells = {}, .right = true, .drop = 5},
                                {.title = "params", .cells = {}, .right = true, .drop = 2},
                                {.title = "mult-adds", .cells = {}, .right = true, .drop = 3},
                                {.title = "bytes", .cells = {}, .right = true, .drop = 4}};
    for (size_t node = 0; node < network_.nodes().size(); ++node) {
      LayerCells cells = cells_of(network_, report_, node);
      std::string* texts[] = {&cells.name,    &cells.layer,      &cells.output,        &cells.field, &cells.stride,
                              &cells.padding, &cells.parameters, &cells.multiply_adds, &cells.bytes};
      for (size_t i = 0; i < columns.size(); ++i) columns[i].cells.push_back(std::move(*texts[i]));
    }
    const auto rows = aligned_rows(columns, width_);
    if (!rows) return folded(columns);
    out_ += coloured(rows->header, bold) + "\n";
    for (size_t node = 0; node < rows->lines.size(); ++node) out_ += coloured(rows->lines[node], colour_of(node)) + "\n";
    if (rows->dropped.empty()) return;
    std::string names;
    for (const std::string& name : rows->dropped) names += (names.empty() ? "" : ", ") + name;
    out_ += paragraph("Too narrow for: " + names + ".", width_);
  }

  // The name and the layer on the first line of a paragraph, everything else below it.
  void folded(const std::vector<Column>& columns) {
    for (size_t node = 0; node < network_.nodes().size(); ++node) {
      std::string title = paragraph(columns[0].cells[node] + ": " + columns[1].cells[node], width_);
      title.pop_back();
      std::vector<std::string> numbers;
      for (size_t i = 2; i < columns.size(); ++i)
        if (!columns[i].cells[node].empty()) numbers.push_back(columns[i].title + " " + columns[i].cells[node]);
      out_ += coloured(title, colour_of(node)) + "\n" + folded_list(numbers, width_, "  ");
    }
  }

  const Network& network_;
  const Report& report_;
  const TableOptions& options_;
  size_t width_;
  std::vector<Finding> findings_;
  std::map<size_t, const char*> colours_;  // of nodes with findings
  std::string out_;
};

}  // namespace

std::string to_table(const Network& network, const Report& report, const TableOptions& options) {
  return Table(network, report, options).run();
}

}  // namespace tidepool::inline v0_1::analyze
