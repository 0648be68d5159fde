#include "analyze/chain_drawing.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "analyze/axis_words.h"
#include "analyze/chain_blocks.h"
#include "analyze/chain_columns.h"
#include "analyze/html_text.h"
#include "analyze/markup.h"
#include "analyze/numbers.h"
#include "tidepool/analyze/svg.h"

namespace tidepool::inline v0_1::analyze {

namespace {

constexpr double names_width = 72;  // the names of the rows
constexpr double gap = 22;          // between columns, with an arrow
constexpr double line = 17;         // of text
constexpr double arc_step = 16;     // between connections that run above the blocks
constexpr size_t most_arcs = 24;
constexpr double icon = 44;

struct Arc {
  size_t from = 0, to = 0, level = 0;
};

// Connections that skip blocks. Each gets the lowest level at which it crosses no other that is below it.
std::vector<Arc> arcs_of(const std::vector<ChainColumn>& columns) {
  std::vector<Arc> arcs;
  for (size_t to = 0; to < columns.size(); ++to)
    for (const int from : columns[to].block.reads)
      if (static_cast<size_t>(from) + 1 < to) arcs.push_back({static_cast<size_t>(from), to});
  std::stable_sort(arcs.begin(), arcs.end(), [](const Arc& a, const Arc& b) { return a.to - a.from < b.to - b.from; });
  if (arcs.size() > most_arcs) arcs.resize(most_arcs);
  for (size_t i = 0; i < arcs.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (arcs[j].from < arcs[i].to && arcs[i].from < arcs[j].to) arcs[i].level = std::max(arcs[i].level, arcs[j].level + 1);
  return arcs;
}

std::string text(std::string_view classes, double x, double y, std::string_view content) {
  return "<text" + attribute("class", classes) + attribute("x", x) + attribute("y", y) + ">" + escaped(content) + "</text>";
}

class Drawing {
 public:
  Drawing(const Network& network, const Report& report, bool in_page)
      : in_page_(in_page), columns_(chain_columns(network, report)), arcs_(arcs_of(columns_)) {
    double x = (in_page ? 0 : 16) + names_width;
    for (ChainColumn& column : columns_) {
      column.x = x;
      x += column.width + gap;
      tallest_ = std::max(tallest_, column.solid.height + column.solid.rise);
      labels_ = std::max(labels_, column.block.labels.size());
      for (const Arc& arc : arcs_) levels_ = std::max(levels_, arc.level + 1);
    }
    width_ = x - gap + (in_page ? 2 : 16);
    floor_ = (in_page ? 6 : 44) + static_cast<double>(levels_) * arc_step + (levels_ > 0 ? 12 : 0) + tallest_;
  }

  std::string run() {
    std::string body;
    for (const auto& drawn : columns_) body += column(drawn);
    for (size_t i = 1; i < columns_.size(); ++i) body += arrow(i);
    for (const Arc& arc : arcs_) body += over(arc);
    return opening() + names() + body + "</svg>\n";
  }

 private:
  double row(double lines) const { return floor_ + 24 + lines * line; }
  double labels() const { return static_cast<double>(labels_); }
  double icon_top() const { return row(labels() + 2) - 2; }
  double height() const { return icon_top() + icon + 2 * line + (in_page_ ? 12 : 22); }

  std::string opening() const {
    const std::string title = "From " + columns_.front().summary + " to " + columns_.back().summary;
    std::string description;
    for (const ChainColumn& column : columns_) description += (description.empty() ? "" : "; ") + column.description;
    const std::string size = pixel(std::ceil(width_)), tall = pixel(std::ceil(height()));
    std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tp\"" + attribute("width", size) + attribute("height", tall) +
                      " viewBox=\"0 0 " + size + " " + tall + "\" role=\"" +
                      (in_page_ ? "group\" aria-label=\"The chain of the network\"" : "img\"") + ">\n";
    if (in_page_) return svg;
    svg += "<title>" + escaped(title) + "</title><desc>" + escaped(description) + ".</desc>\n<style>" + std::string(picture_css()) +
           "</style>\n";
    svg += "<rect class=\"tp-card\" x=\".5\" y=\".5\"" + attribute("width", std::ceil(width_) - 1) +
           attribute("height", std::ceil(height()) - 1) + " rx=\"6\"/>\n";
    return svg + text("tp-title", 16, 28, fitted(title, (width_ - 32) / 1.25)) + "\n";
  }

  std::string names() const {
    const double x = in_page_ ? 0 : 16;
    std::string svg;
    const std::vector<std::pair<double, const char*>> rows = {{row(0), "layers"},
                                                              {row(labels()), "channels"},
                                                              {row(labels() + 1), "size"},
                                                              {icon_top() + icon + line, "field"},
                                                              {icon_top() + icon + 2 * line, "stride"}};
    for (const auto& [y, name] : rows) svg += text("tp-soft", x, y, name);
    return svg + "\n";
  }

  std::string column(const ChainColumn& c) const {
    const double middle = c.x + c.width / 2;
    std::string svg = in_page_ ? "<a href=\"#l" + std::to_string(c.block.result) + "\" class=\"tp-block\">" : "<g>";
    svg += "<title>" + escaped(c.description) + "</title>";
    // Something to point at between the parts.
    if (in_page_)
      svg += "<rect class=\"tp-hit\"" + attribute("x", c.x - 6) + attribute("y", floor_ - tallest_) + attribute("width", c.width + 12) +
             attribute("height", height() - floor_ + tallest_) + " rx=\"6\"/>";
    svg += solid(c);
    for (size_t i = 0; i < c.block.labels.size(); ++i)
      svg += text(i == 0 ? "tp-middle tp-strong" : "tp-middle", middle, row(static_cast<double>(i)), fitted(c.block.labels[i], c.width));
    svg += text("tp-middle", middle, row(labels()), fitted(c.channels, c.width));
    svg += text("tp-middle", middle, row(labels() + 1), fitted(c.size, c.width));
    svg += field_icon(c, middle);
    svg += text("tp-middle tp-strong", middle, icon_top() + icon + line, fitted(c.field, c.width));
    svg += text("tp-middle", middle, icon_top() + icon + 2 * line, fitted(c.stride, c.width));
    return svg + (in_page_ ? "</a>\n" : "</g>\n");
  }

  // A solid whose right side is the plane of the layer, and whose thickness is its channels.
  std::string solid(const ChainColumn& c) const {
    const Solid& s = c.solid;
    const double left = c.x + (c.width - s.thickness - s.run) / 2, top = floor_ - s.height, right = left + s.thickness;
    const std::string front = attribute("x", left) + attribute("y", top) + attribute("width", s.thickness) + attribute("height", s.height);
    if (!c.known) return "<rect class=\"tp-unknown\"" + front + "/>";
    std::string svg = "<rect class=\"tp-front\"" + front + "/>";
    if (s.run <= 0) return svg;
    const std::string back = "l" + pixel(s.run) + " " + pixel(-s.rise), forth = "l" + pixel(-s.run) + " " + pixel(s.rise);
    svg += "<path class=\"tp-top\" d=\"M" + pixel(left) + " " + pixel(top) + back + "h" + pixel(s.thickness) + forth + "z\"/>";
    return svg + "<path class=\"tp-side\" d=\"M" + pixel(right) + " " + pixel(top) + back + "v" + pixel(s.height) + forth + "z\"/>";
  }

  // The input, and how much of it a cell sees.
  std::string field_icon(const ChainColumn& c, double middle) const {
    if (c.icon_height <= 0) return "";
    const double w = icon * c.icon_width, h = icon * c.icon_height;
    const double left = middle - w / 2, top = icon_top() + (icon - h) / 2;
    std::string svg =
        "<rect class=\"tp-plane\"" + attribute("x", left) + attribute("y", top) + attribute("width", w) + attribute("height", h) + "/>";
    const double seen_w = std::max(1.5, w * c.seen_width), seen_h = std::max(1.5, h * c.seen_height);
    return svg + "<rect class=\"tp-field\"" + attribute("x", middle - seen_w / 2) + attribute("y", top + h / 2 - seen_h / 2) +
           attribute("width", seen_w) + attribute("height", seen_h) + "/>";
  }

  std::string arrow(size_t to) const {
    const std::vector<int>& reads = columns_[to].block.reads;
    if (std::find(reads.begin(), reads.end(), static_cast<int>(to) - 1) == reads.end()) return "";
    const double x = columns_[to].x - gap + 4, y = row(0) - 4;
    return "<path class=\"tp-edge\" d=\"M" + pixel(x) + " " + pixel(y) + "h8\"/><path class=\"tp-head\" d=\"M" + pixel(x + 7) + " " +
           pixel(y - 4) + "l7 4l-7 4z\"/>\n";
  }

  std::string over(const Arc& arc) const {
    const auto top = [&](const ChainColumn& c) { return floor_ - c.solid.height - c.solid.rise - 4; };
    const ChainColumn &from = columns_[arc.from], &to = columns_[arc.to];
    const double y = floor_ - tallest_ - 10 - static_cast<double>(arc.level) * arc_step;
    const double x = from.x + from.width / 2 + 5, end = to.x + to.width / 2 - 5;
    return "<path class=\"tp-edge\" d=\"M" + pixel(x) + " " + pixel(top(from)) + "V" + pixel(y + 6) + "q0 -6 6 -6H" + pixel(end - 6) +
           "q6 0 6 6V" + pixel(top(to) - 5) + "\"/><path class=\"tp-head\" d=\"M" + pixel(end - 4) + " " + pixel(top(to) - 6) +
           "h8l-4 7z\"/>\n";
  }

  bool in_page_;
  std::vector<ChainColumn> columns_;
  std::vector<Arc> arcs_;
  double width_ = 0, floor_ = 0, tallest_ = 0;
  size_t labels_ = 0, levels_ = 0;
};

}  // namespace

std::string chain_drawing(const Network& network, const Report& report, bool in_page) { return Drawing(network, report, in_page).run(); }

std::string chain_svg(const Network& network, const Report& report) { return chain_drawing(network, report, false); }

}  // namespace tidepool::inline v0_1::analyze
