// The pen strokes of the ten digits in a unit square, with y pointing down. Some digits have two variants.
#pragma once

#include <vector>

namespace tidepool::inline v0_1::data {

struct Point {
  float x, y;
};
using Stroke = std::vector<Point>;
using Glyph = std::vector<Stroke>;

// The variants of a digit from 0 to 9.
const std::vector<Glyph>& glyphs_of(int digit);

}  // namespace tidepool::inline v0_1::data
