#include <algorithm>
#include <cmath>

#include "analyze/axis_words.h"
#include "analyze/field_planes.h"
#include "analyze/heat_map.h"
#include "analyze/html_text.h"
#include "analyze/markup.h"
#include "tidepool/analyze/svg.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze {

namespace {

constexpr double margin = 16, least_width = 420, line = 18;

std::string cell_text(const std::vector<int64_t>& cell) {
  std::string text;
  for (const int64_t at : cell) text += (text.empty() ? "" : ", ") + std::to_string(at);
  return "(" + text + ")";
}

std::string text(std::string_view classes, double x, double y, std::string_view content, double width) {
  return "<text" + attribute("class", classes) + attribute("x", x) + attribute("y", y) + ">" + escaped(fitted(content, width)) +
         "</text>\n";
}

std::string reach_text(const Plane& plane) {
  const std::string width = std::to_string(plane.reach.width);
  const std::string size = plane.rows == 1 ? width : std::to_string(plane.reach.height) + "x" + width;
  return std::string(plane.shows_reach() ? "dashed: " : "larger than the picture: ") + size +
         (plane.reaches_out() ? ", padding included" : "");
}

}  // namespace

std::string field_svg(const Network& network, int node, const std::vector<int64_t>& cell, const FieldPicture& picture) {
  check_picture("field_svg", picture.picture_href, true);
  const Report report = analyze(network);
  const CellField field = field_of(network, report, node, cell);
  const bool heat = !picture.effective.empty() || picture.effective_rows != 0 || picture.effective_cols != 0;
  if (heat && field.planes.empty())
    detail::throw_error(
        {ErrorCode::unsupported, "field_svg: no input has spatial dimensions, so there is no plane for the effective field"});

  double width = least_width;
  for (const Plane& plane : field.planes) width = std::max(width, plane.drawn_width() + 2 * margin);
  const double inner = width - 2 * margin;
  std::string body;
  double y = 70;
  for (size_t i = 0; i < field.planes.size(); ++i) {
    const Plane& plane = field.planes[i];
    const bool weighted = heat && plane.input == field.planes[0].input;
    const std::string weights =
        weighted ? heat_map(picture.effective, picture.effective_rows, picture.effective_cols, plane.rows, plane.cols) : std::string();
    const Rectangle& v = plane.view;
    body += "<svg" + attribute("class", weighted ? "tp-weighted" : "tp-exact") + attribute("x", (width - plane.drawn_width()) / 2) +
            attribute("y", y) + attribute("width", plane.drawn_width()) + attribute("height", plane.drawn_height()) + " viewBox=\"" +
            std::to_string(v.x) + " " + std::to_string(v.y) + " " + std::to_string(v.width) + " " + std::to_string(v.height) +
            "\" preserveAspectRatio=\"none\">\n" + plane_drawing(plane, picture.picture_href, "tp-cut" + std::to_string(i), weights) +
            "</svg>\n";
    y += plane.drawn_height() + line;
    body += text("tp-soft tp-middle", width / 2, y, plane.label + "; " + reach_text(plane), inner);
    y += line + 6;
  }
  if (field.planes.empty()) y += line;
  const Node& layer = network.node(node);
  const std::string title = "What " + (cell.empty() ? "" : "cell " + cell_text(cell) + " of ") + shown(layer.name) + " sees";
  const std::string words = "It depends on " + field.words + (field.exact ? "." : " at most.");
  const std::string w = pixel(std::ceil(width)), h = pixel(std::ceil(y + 2));
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"tp\"" + attribute("width", w) + attribute("height", h) + " viewBox=\"0 0 " + w +
         " " + h + "\" role=\"img\">\n<title>" + escaped(title) + "</title><desc>" + escaped(shown(to_string(layer.layer)) + ". " + words) +
         "</desc>\n<style>" + std::string(picture_css()) + "</style>\n<rect class=\"tp-card\" x=\".5\" y=\".5\"" +
         attribute("width", std::ceil(width) - 1) + attribute("height", std::ceil(y + 2) - 1) + " rx=\"6\"/>\n" +
         text("tp-title", margin, 30, title, inner / 1.2) + text("tp-soft", margin, 52, words, inner) + body + "</svg>\n";
}

}  // namespace tidepool::inline v0_1::analyze
