// Pieces of SVG that both drawings use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tidepool::plot {

// Text of the user's inside XML.
std::string escaped(std::string_view text);
// As short as it gets: "12", "0.25", "1e-05".
std::string number(double value);
// Pixels, to a tenth.
std::string pixel(double value);

std::string opened(int width, int height, std::string_view title, std::string_view description, std::string_view style);

// Round numbers that span low … high, about `wanted` of them.
std::vector<double> ticks(double low, double high, int wanted);
// The same for a logarithmic axis: 1, 2 and 5 times powers of ten, or the powers alone where they are many.
std::vector<double> log_ticks(double low, double high);

}  // namespace tidepool::plot
