#include "tidepool/analyze/html.h"

#include <array>
#include <vector>

#include "analyze/axis_words.h"
#include "analyze/chain_drawing.h"
#include "analyze/explain.h"
#include "analyze/html_text.h"
#include "analyze/markup.h"
#include "analyze/numbers.h"
#include "analyze/page_fields.h"
#include "analyze/page_table.h"
#include "tidepool/analyze/findings.h"

namespace tidepool::inline v0_1::analyze {

namespace {

struct Tile {
  const char* title;
  std::string value, tip;
};

std::string shapes_of(const Network& network, const std::vector<int>& nodes) {
  std::vector<std::string> shapes;
  for (const int node : nodes) {
    if (shapes.size() == 3 && nodes.size() > 4) {
      shapes.push_back(std::to_string(nodes.size() - 3) + " more");
      break;
    }
    shapes.push_back(network.node(node).is_known() ? shape_text(network.node(node).shape) : "not known");
  }
  return listed(shapes);
}

// The field of the first output that has one.
std::string output_field(const Network& network, const Report& report) {
  for (const int output : network.outputs())
    if (network.node(output).is_known())
      if (const std::string field = field_text(report, output); field != "–") return field;
  return "–";
}

std::vector<Tile> tiles(const Network& network, const Report& report) {
  return {
      {"Parameters", short_count(report.parameters), grouped(report.parameters) + " trained values. Weights that layers share count once."},
      {"Multiply-adds", short_count(report.multiply_adds),
       grouped(report.multiply_adds) + " multiplications, each with an addition, for one pass over the input."},
      {"Field of the output", output_field(network, report),
       "The cells of the input, along each axis, that one cell of the output sees. Padding counts, so it can be more than the input has."},
      {"Inference peak", short_bytes(report.inference_bytes),
       grouped(report.inference_bytes) +
           " bytes are the most that outputs of layers need at one time, if each is freed after its last use. "
           "Parameters come on top."},
      {"Training peak", short_bytes(report.training_bytes),
       grouped(report.training_bytes) + " bytes are the most that outputs, what the backward pass reads again, and gradients of outputs "
                                        "need at one time. Parameters come on "
                                        "top."},
      {"All outputs", short_bytes(report.activation_bytes),
       grouped(report.activation_bytes) + " bytes: the outputs of all layers together."},
      {"Bytes moved", short_bytes(report.moved_bytes),
       grouped(report.moved_bytes) + " bytes, if every layer reads its inputs and parameters and writes its output once."},
      {"Time, at least", short_seconds(report.seconds),
       "How long moving these bytes takes at the speed of memory. No computation that stores the output of every layer is faster."},
  };
}

std::string tiles_html(const Network& network, const Report& report) {
  std::string html = "<dl class=\"tiles\">\n";
  for (const Tile& tile : tiles(network, report))
    html += "<div tabindex=\"0\" data-tip=\"" + escaped(tile.tip) + "\"><dt>" + tile.title + "</dt><dd>" + escaped(tile.value) +
            "</dd></div>\n";
  return html + "</dl>\n";
}

std::string finding_html(const Network& network, const Finding& finding) {
  const std::string kind = to_string(finding.kind);
  std::string html = "<li class=\"" + kind + "\"><span class=\"badge\">" + kind + "</span><p>";
  std::string_view text = finding.text;
  if (finding.node >= 0) {
    // The name of the layer leads to its row, where the sentence begins with it.
    const std::string name = shown(network.node(finding.node).name),
                      link = "<a href=\"#l" + std::to_string(finding.node) + "\">" + escaped(name) + "</a>";
    if (text.starts_with(name))
      html += link + escaped(text.substr(name.size()));
    else
      html += escaped(text) + " " + link;
  } else {
    html += escaped(text);
  }
  html += "</p>";
  if (!finding.remedies.empty()) {
    html += "<p class=\"remedies\">One of these changes it:";
    for (size_t i = 0; i < finding.remedies.size(); ++i)
      html += (i == 0 ? " <code>" : ", <code>") + escaped(finding.remedies[i]) + "</code>";
    html += "</p>";
  }
  return html + "</li>\n";
}

std::string findings_html(const Network& network, const Report& report) {
  const std::vector<Finding> found = findings(network, report);
  std::string html = "<section aria-labelledby=\"findings\">\n<h2 id=\"findings\">Findings</h2>\n";
  if (found.empty()) return html + "<p>Nothing is lost, all branches are aligned, and every layer sees something new.</p>\n</section>\n";
  html += "<ul class=\"findings\">\n";
  for (const Finding& finding : found) html += finding_html(network, finding);
  return html + "</ul>\n</section>\n";
}

std::string chain_html(const Network& network, const Report& report) {
  return "<section aria-labelledby=\"chain\">\n<h2 id=\"chain\">The chain</h2>\n<figure>\n<div class=\"scroll\" tabindex=\"0\" "
         "role=\"region\" "
         "aria-label=\"The chain, which scrolls sideways\">\n" +
         chain_drawing(network, report, true) +
         "</div>\n<figcaption>Height is the spatial side, thickness the channels, neither to a linear scale. The squares are the input, "
         "and in "
         "them the part that one cell sees.</figcaption>\n</figure>\n</section>\n";
}

constexpr std::string_view toolbar =
    "<div class=\"toolbar\" role=\"search\">\n<label for=\"filter\">Filter</label><input id=\"filter\" type=\"search\" "
    "placeholder=\"name or kind of layer\" autocomplete=\"off\" spellcheck=\"false\">\n<label class=\"check\"><input id=\"pointwise\" "
    "type=\"checkbox\" checked> activations and normalisation</label>\n<output id=\"count\" for=\"filter pointwise\"></output>\n</div>\n";

constexpr std::string_view panel =
    "<aside id=\"panel\" aria-labelledby=\"panel-name\">\n<div class=\"panel-head\"><h3 id=\"panel-name\" tabindex=\"-1\">No layer is "
    "selected</h3>"
    "<button type=\"button\" id=\"close\" aria-label=\"Close\">×</button></div>\n<p id=\"panel-text\">Select a layer to see its field over "
    "the "
    "input. This needs JavaScript.</p>\n<div id=\"cells\" role=\"group\" aria-label=\"Cell of the output\"></div>\n<div "
    "id=\"planes\"></div>\n<p id=\"words\" aria-live=\"polite\"></p>\n<dl id=\"numbers\"></dl>\n</aside>\n";

std::string head(const std::string& title) {
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" "
         "content=\"default-src 'none'; style-src '" +
         std::string(page_css_hash()) + "'; script-src '" + std::string(page_script_hash()) +
         "'; img-src data:; base-uri 'none'; form-action 'none'\">\n<meta name=\"viewport\" content=\"width=device-width, "
         "initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n<title>" +
         escaped(title) + "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>" + std::string(page_css()) + "</style>\n</head>\n";
}

}  // namespace

std::string to_html(const Network& network, const Report& report, const HtmlOptions& options) {
  check_picture("to_html", options.picture_href, false);
  const size_t count = network.nodes().size();
  const std::string title = options.title.empty() ? "A network of " + std::to_string(count) + " layers" : options.title;
  const PageFields fields = page_fields(network, report, options.picture_href);
  return head(title) + "<body>\n<a class=\"skip\" href=\"#layers\">Skip to the layers</a>\n<header>\n<h1>" + escaped(title) + "</h1>\n<p>" +
         shapes_of(network, network.inputs()) + " <span aria-label=\"to\">→</span> " + shapes_of(network, network.outputs()) + " · " +
         grouped(static_cast<int64_t>(count)) + " layers</p>\n</header>\n<main>\n<section aria-label=\"Totals\">\n" +
         tiles_html(network, report) + "</section>\n" + findings_html(network, report) + chain_html(network, report) +
         "<section aria-labelledby=\"layers\">\n<h2 id=\"layers\" tabindex=\"-1\">Layers</h2>\n<p class=\"hint\">Point at a number, or "
         "move to it "
         "with the arrow keys, to see where it comes from. Select a layer to see its field.</p>\n" +
         std::string(toolbar) + "<div class=\"columns\">\n<div class=\"table\">\n" + page_table(network, report, fields.entry) +
         "</div>\n" + std::string(panel) +
         "</div>\n</section>\n</main>\n<footer><p>Made by tidepool. Fields are exact: they are computed, not estimated from "
         "kernel sizes.</p></footer>\n<div id=\"tip\" role=\"tooltip\" hidden></div>\n<script type=\"application/json\" id=\"data\">" +
         fields.json + "</script>\n<script>" + std::string(page_script()) + "</script>\n</body>\n</html>\n";
}

}  // namespace tidepool::inline v0_1::analyze
