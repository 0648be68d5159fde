// Pieces of XML, HTML and SVG text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tidepool::inline v0_1::analyze {

// A text that someone else wrote. What is not UTF-8, not allowed in XML, or changes the direction of the text around it becomes U+FFFD;
// line ends and tabs become spaces.
std::string printable(std::string_view text);
// The same, for XML, HTML and attributes in quotes.
std::string escaped(std::string_view text);

// A coordinate, rounded to a tenth of a pixel.
std::string pixel(double value);

// ` name="value"`, for values that need no escaping.
std::string attribute(std::string_view name, std::string_view value);
std::string attribute(std::string_view name, double value);

// About how wide a text is with the font size of the pictures, in pixels, rounded up rather than down.
double text_width(std::string_view text);
// No wider than that: an ellipsis replaces the end.
std::string fitted(std::string_view text, double width);

// Throws Error unless the address is a data: URI of an image or, with `files`, the name of a file beside the document.
void check_picture(std::string_view function, std::string_view href, bool files);

}  // namespace tidepool::inline v0_1::analyze
