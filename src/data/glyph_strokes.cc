#include "data/glyph_strokes.h"

#include <array>
#include <cmath>

namespace tidepool::inline v0_1::data {

namespace {

// An arc of an ellipse. Angles are in degrees, clockwise from the positive x axis because y points down.
Stroke arc(float x, float y, float rx, float ry, float from, float to) {
  constexpr int pieces = 14;
  Stroke points;
  for (int i = 0; i <= pieces; ++i) {
    const float angle = (from + (to - from) * static_cast<float>(i) / pieces) * 3.14159265F / 180;
    points.push_back({x + rx * std::cos(angle), y + ry * std::sin(angle)});
  }
  return points;
}

Stroke joined(Stroke a, const Stroke& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::array<std::vector<Glyph>, 10> all_glyphs() {
  return {{
      {{arc(.5F, .5F, .28F, .38F, 0, 360)}},
      {{{{.5F, .12F}, {.5F, .88F}}}, {{{.34F, .28F}, {.52F, .12F}, {.52F, .88F}}, {{.34F, .88F}, {.7F, .88F}}}},
      {{joined(arc(.5F, .34F, .24F, .22F, 190, 400), {{.26F, .88F}, {.76F, .88F}})}},
      {{arc(.48F, .31F, .24F, .19F, 200, 450), arc(.48F, .69F, .27F, .2F, 270, 520)},
       {{{.26F, .12F}, {.72F, .12F}, {.48F, .44F}}, arc(.48F, .66F, .26F, .22F, 270, 520)}},
      {{{{.62F, .88F}, {.62F, .12F}, {.22F, .62F}, {.8F, .62F}}},
       {{{.3F, .14F}, {.26F, .54F}, {.76F, .54F}}, {{.68F, .14F}, {.64F, .88F}}}},
      {{{{.72F, .13F}, {.32F, .13F}, {.29F, .45F}}, arc(.48F, .64F, .25F, .23F, 225, 510)}},
      {{joined({{.66F, .12F}, {.42F, .3F}, {.28F, .56F}}, arc(.5F, .66F, .23F, .21F, 180, 540))}},
      {{{{.24F, .13F}, {.76F, .13F}, {.42F, .88F}}}, {{{.24F, .13F}, {.76F, .13F}, {.42F, .88F}}, {{.34F, .5F}, {.7F, .5F}}}},
      {{arc(.5F, .31F, .2F, .18F, 90, 450), arc(.5F, .69F, .25F, .2F, -90, 270)}},
      {{joined(arc(.5F, .34F, .22F, .2F, 360, 0), {{.7F, .5F}, {.6F, .88F}})}},
  }};
}

}  // namespace

const std::vector<Glyph>& glyphs_of(int digit) {
  static const auto& glyphs = *new auto(all_glyphs());  // never destroyed, because static destructors may still draw
  return glyphs[static_cast<size_t>(digit)];
}

}  // namespace tidepool::inline v0_1::data
