#include "plot/svg_text.h"

#include <cmath>
#include <cstdio>

namespace tidepool::inline v0_1::plot {

namespace {

// The style of the drawings in docs/ops, with a second set of colours for dark pages. .t is the title, .s secondary text, .l and .e align
// text left and right, .card is the background, .g are grid lines.
constexpr std::string_view base =
    "text{font:13px system-ui,\"Segoe UI\",Helvetica,Arial,sans-serif;fill:#1f2328;text-anchor:middle}"
    ".t{font-weight:600;font-size:15px}.s{font-size:12px;fill:#59636e}.l{text-anchor:start}.e{text-anchor:end}"
    ".card{fill:#fff;stroke:#d1d9e0}.g{stroke:#d1d9e0;stroke-width:1;fill:none}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.s{fill:#9198a1}.card{fill:#0d1117;stroke:#3d444d}.g{stroke:#3d444d}}";

}  // namespace

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return safe;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value == 0 ? 0.0 : value);  // no -0
  return text;
}

std::string pixel(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  std::string shown = text;
  return shown.ends_with(".0") ? shown.substr(0, shown.size() - 2) : shown;
}

std::string svg_header(int width, int height, std::string_view title, std::string_view description, std::string_view style) {
  const std::string w = std::to_string(width), h = std::to_string(height);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + w + "\" height=\"" + h + "\" viewBox=\"0 0 " + w + " " + h +
         "\" role=\"img\">\n<title>" + escaped(title) + "</title><desc>" + escaped(description) + "</desc>\n<style>" + std::string(base) +
         std::string(style) + "</style>\n<rect class=\"card\" x=\".5\" y=\".5\" width=\"" + std::to_string(width - 1) + "\" height=\"" +
         std::to_string(height - 1) + "\" rx=\"6\"/>\n<text class=\"t l\" x=\"20\" y=\"28\">" + escaped(title) + "</text>\n";
}

std::vector<double> ticks(double low, double high, int wanted) {
  const double rough = (high - low) / wanted, power = std::pow(10, std::floor(std::log10(rough)));
  double step = power;
  for (const double nice : {1.0, 2.0, 5.0, 10.0})
    if (nice * power <= rough * 1.0001) step = nice * power;
  if (step < rough) step = step / power < 2 ? 2 * power : step / power < 5 ? 5 * power : 10 * power;
  std::vector<double> marks;
  for (double i = std::ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i) marks.push_back(i * step);
  return marks;
}

std::vector<double> log_ticks(double low, double high) {
  const bool few = high / low < 1e4;
  std::vector<double> marks;
  const int first = static_cast<int>(std::floor(std::log10(low))), last = static_cast<int>(std::ceil(std::log10(high)));
  for (int exponent = first; exponent <= last; ++exponent)
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double mark = digit * std::pow(10, exponent);
      if ((few || digit == 1) && mark >= low * 0.999 && mark <= high * 1.001) marks.push_back(mark);
    }
  return marks;
}

}  // namespace tidepool::inline v0_1::plot
