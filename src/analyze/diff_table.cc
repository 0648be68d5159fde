#include <algorithm>

#include "analyze/columns.h"
#include "analyze/diff_totals.h"
#include "analyze/layer_cells.h"
#include "analyze/numbers.h"
#include "tidepool/analyze/diff.h"

namespace tidepool::inline v0_1::analyze {

namespace {

constexpr const char* bold = "\033[1m";
constexpr const char* yellow = "\033[33m";
constexpr const char* plain = "\033[0m";

class DiffTable {
 public:
  DiffTable(const Compared& a, const Compared& b, const DiffOptions& options)
      : a_(a), b_(b), options_(options), width_(static_cast<size_t>(std::clamp(options.columns, 20, 1 << 20))) {}

  std::string run() {
    layers();
    out_ += "\n";
    totals();
    out_ += "\n" + paragraph(diff_summary(a_, b_), width_);
    return std::move(out_);
  }

 private:
  void coloured(const std::string& text, const char* colour) {
    out_ += options_.colour && colour != nullptr ? colour + text + plain + "\n" : text + "\n";
  }

  // "=" stands between equal layers, "<" behind those that only the first network has, ">" before those that only the second has.
  void layers() {
    const std::vector<LayerPair> pairs = paired_layers(a_.network, b_.network);
    std::vector<Column> columns = side_columns(a_.name);
    columns.push_back({.title = "", .cells = {}});
    for (Column& column : side_columns(b_.name)) columns.push_back(std::move(column));
    const size_t side = columns.size() / 2;
    for (const LayerPair& pair : pairs) {
      add_cells(columns, 0, a_, pair.a);
      columns[side].cells.emplace_back(pair.same ? "=" : pair.b < 0 ? "<" : pair.a < 0 ? ">" : "~");
      add_cells(columns, side + 1, b_, pair.b);
    }
    const auto rows = aligned_rows(columns, width_);
    if (!rows) return folded(pairs);
    coloured(rows->header, bold);
    for (size_t i = 0; i < pairs.size(); ++i) coloured(rows->lines[i], pairs[i].same ? nullptr : yellow);
    if (rows->dropped.empty()) return;
    std::string names;
    for (const std::string& name : rows->dropped) names += (names.empty() ? "" : ", ") + name;
    out_ += paragraph("Too narrow for: " + names + ".", width_);
  }

  static std::vector<Column> side_columns(const std::string& name) {
    return {{.title = cut(name, 24), .cells = {}, .cuttable = true},       {.title = "output", .cells = {}, .right = true},
            {.title = "field", .cells = {}, .right = true, .drop = 1},     {.title = "params", .cells = {}, .right = true, .drop = 2},
            {.title = "mult-adds", .cells = {}, .right = true, .drop = 4}, {.title = "bytes", .cells = {}, .right = true, .drop = 3}};
  }

  static void add_cells(std::vector<Column>& columns, size_t first, const Compared& of, int node) {
    const LayerCells cells = node < 0 ? LayerCells() : cells_of(of.network, of.report, static_cast<size_t>(node));
    for (const std::string* text : {&cells.layer, &cells.output, &cells.field, &cells.parameters, &cells.multiply_adds, &cells.bytes})
      columns[first++].cells.push_back(*text);
  }

  void folded(const std::vector<LayerPair>& pairs) {
    for (const LayerPair& pair : pairs) {
      const auto in_a = listed_cells(a_, pair.a), in_b = listed_cells(b_, pair.b);
      if (in_a == in_b) {
        out_ += folded_list(in_a, width_, "= ");
        continue;
      }
      if (pair.a >= 0) out_ += folded_list(in_a, width_, cut(a_.name, 8) + " ");
      if (pair.b >= 0) out_ += folded_list(in_b, width_, cut(b_.name, 8) + " ");
    }
  }

  static std::vector<std::string> listed_cells(const Compared& of, int node) {
    if (node < 0) return {};
    const LayerCells cells = cells_of(of.network, of.report, static_cast<size_t>(node));
    std::vector<std::string> items{cells.layer, "output " + cells.output};
    if (!cells.field.empty()) items.push_back("field " + cells.field);
    if (!cells.parameters.empty()) items.push_back("params " + cells.parameters);
    if (!cells.multiply_adds.empty()) items.push_back("mult-adds " + cells.multiply_adds);
    if (!cells.bytes.empty()) items.push_back("bytes " + cells.bytes);
    return items;
  }

  void totals() {
    std::vector<Column> columns{{.title = "", .cells = {}},
                                {.title = cut(a_.name, 12), .cells = {}, .right = true},
                                {.title = cut(b_.name, 12), .cells = {}, .right = true},
                                {.title = "ratio", .cells = {}, .right = true}};
    for (const TotalPair& total : paired_totals(a_.report, b_.report)) {
      columns[0].cells.push_back(total.name);
      columns[1].cells.push_back(total.a_text);
      columns[2].cells.push_back(total.b_text);
      columns[3].cells.push_back(total.ratio ? short_ratio(*total.ratio) : "");
    }
    const auto rows = aligned_rows(columns, width_);
    if (!rows) {
      for (size_t i = 0; i < columns[0].cells.size(); ++i)
        out_ += paragraph(
            columns[0].cells[i] + ": " + columns[1].title + " " + columns[1].cells[i] + ", " + columns[2].title + " " + columns[2].cells[i],
            width_);
      return;
    }
    coloured(rows->header, bold);
    for (const std::string& line : rows->lines) coloured(line, nullptr);
  }

  const Compared &a_, &b_;
  const DiffOptions& options_;
  size_t width_;
  std::string out_;
};

}  // namespace

std::string diff_table(const Compared& a, const Compared& b, const DiffOptions& options) { return DiffTable(a, b, options).run(); }

}  // namespace tidepool::inline v0_1::analyze
