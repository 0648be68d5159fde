#include "data/glyph_strokes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tidepool::data {
namespace {

bool is_closed(const Stroke& stroke) {
  return std::abs(stroke.front().x - stroke.back().x) < 1e-5F && std::abs(stroke.front().y - stroke.back().y) < 1e-5F;
}

TEST(GlyphStrokes, StayInTheUnitSquare) {
  for (int digit = 0; digit < 10; ++digit) {
    ASSERT_FALSE(glyphs_of(digit).empty()) << digit;
    for (const Glyph& glyph : glyphs_of(digit))
      for (const Stroke& stroke : glyph) {
        EXPECT_GE(stroke.size(), 2u) << digit;
        for (const Point& p : stroke) EXPECT_TRUE(p.x > 0 && p.x < 1 && p.y > 0 && p.y < 1) << digit << ": " << p.x << ", " << p.y;
      }
  }
}

TEST(GlyphStrokes, RingsAreClosed) {
  for (int digit : {0, 8})
    for (const Glyph& glyph : glyphs_of(digit))
      for (const Stroke& stroke : glyph) EXPECT_TRUE(is_closed(stroke)) << digit;
}

}  // namespace
}  // namespace tidepool::data
