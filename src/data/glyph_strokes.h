// The pen strokes of the ten digits, in a unit square with y downwards. Some digits have two ways to be written.
#pragma once

#include <vector>

namespace tidepool::data {

struct Point {
  float x, y;
};
using Stroke = std::vector<Point>;
using Glyph = std::vector<Stroke>;

// All ways to write a digit, 0 to 9.
const std::vector<Glyph>& glyphs_of(int digit);

}  // namespace tidepool::data
