#include "svg_page.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tidepool/io/atomic_file.h"

namespace tidepool::cli {

namespace {

constexpr std::string_view style =
    "text{font:14px system-ui,\"Segoe UI\",Helvetica,Arial,sans-serif;fill:#1f2328;text-anchor:middle}"
    ".b{font-weight:600}.s{font-size:12px;fill:#59636e}.z{fill:#8c959f}.l{text-anchor:start}.e{text-anchor:end}"
    ".card{fill:#fff;stroke:#d1d9e0}.cell{fill:#eef1f4;stroke:#afb8c1}.pad{fill:none;stroke:#afb8c1;stroke-dasharray:3 3}"
    ".lost{fill:#ffebe9;stroke:#cf222e}.won{fill:#fff8c5;stroke:#9a6700}"
    ".w0,.w1,.w2,.w3,.w4,.w5{fill:none;stroke-width:2}.w0{stroke:#0969da}.w1{stroke:#cf222e}.w2{stroke:#1a7f37}.w3{stroke:#8250df}"
    ".w4{stroke:#bc4c00}.w5{stroke:#0a7ea4}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.s{fill:#9198a1}.z{fill:#7d8590}.card{fill:#0d1117;stroke:#3d444d}"
    ".cell{fill:#1c2128;stroke:#3d444d}.pad{stroke:#656c76}.lost{fill:#3c1618;stroke:#ff7b72}.won{fill:#3b2f0b;stroke:#d29922}"
    ".w0{stroke:#58a6ff}.w1{stroke:#ff7b72}.w2{stroke:#56d364}.w3{stroke:#d2a8ff}.w4{stroke:#ffa657}.w5{stroke:#76e3ea}}";

std::string escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return safe;
}

std::string pixel(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  std::string shown = text;
  return shown.ends_with(".0") ? shown.substr(0, shown.size() - 2) : shown;
}

}  // namespace

void SvgPage::reach(double x, double y) {
  width_ = std::max(width_, x);
  height_ = std::max(height_, y);
}

void SvgPage::text(double x, double y, std::string_view classes, std::string_view text) {
  body_ += "<text x=\"" + pixel(x) + "\" y=\"" + pixel(y) + "\"" + (classes.empty() ? "" : " class=\"" + std::string(classes) + "\"") +
           ">" + escaped(text) + "</text>\n";
}

void SvgPage::rect(double x, double y, double width, double height, std::string_view classes) {
  body_ += "<rect x=\"" + pixel(x) + "\" y=\"" + pixel(y) + "\" width=\"" + pixel(width) + "\" height=\"" + pixel(height) + "\" class=\"" +
           std::string(classes) + "\"/>\n";
  reach(x + width, y + height);
}

std::string SvgPage::finish(std::string_view title, std::string_view description) const {
  const std::string w = pixel(std::ceil(width_)), h = pixel(std::ceil(height_));
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + w + "\" height=\"" + h + "\" viewBox=\"0 0 " + w + " " + h +
         "\" role=\"img\">\n<title>" + escaped(title) + "</title><desc>" + escaped(description) + "</desc>\n<style>" + std::string(style) +
         "</style>\n<rect class=\"card\" x=\".5\" y=\".5\" width=\"" + pixel(std::ceil(width_) - 1) + "\" height=\"" +
         pixel(std::ceil(height_) - 1) + "\" rx=\"6\"/>\n" + body_ + "</svg>\n";
}

void write_svg(const std::string& path, const std::string& svg) {
  io::AtomicFile file(path);
  file.write(svg.data(), svg.size());
  file.commit();
}

}  // namespace tidepool::cli
