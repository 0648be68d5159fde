// Pieces of SVG text that all charts use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tidepool::inline v0_1::plot {

// Escapes a text for use in XML.
std::string escaped(std::string_view text);
// A number with up to 6 significant digits: "12", "0.25", "1e-05".
std::string number(double value);
// A coordinate, rounded to a tenth of a pixel.
std::string pixel(double value);

// The opening tag, title, style and background of a chart.
std::string svg_header(int width, int height, std::string_view title, std::string_view description, std::string_view style);

// About `wanted` round numbers between low and high, for the marks of an axis.
std::vector<double> ticks(double low, double high, int wanted);
// The same for a logarithmic axis: 1, 2 and 5 times the powers of ten, or only the powers if the range is wide.
std::vector<double> log_ticks(double low, double high);

}  // namespace tidepool::inline v0_1::plot
