#include <algorithm>
#include <cmath>

#include "data/glyph_strokes.h"
#include "tidepool/data/image_set.h"
#include "tidepool/data/rng.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::data {

namespace {

constexpr int64_t side = 28;

// The handwriting of one picture: a random linear map, a shift, and noise on every point.
struct Handwriting {
  float xx, xy, yx, yy;  // the linear map, about the centre
  float dx, dy;
  float wobble;

  explicit Handwriting(Rng& rng) {
    const float turn = rng.between(-.28F, .28F), slant = rng.between(-.3F, .3F);
    const float width = rng.between(16, 25), height = rng.between(18, 25);
    const float c = std::cos(turn), s = std::sin(turn);
    xx = width * c, xy = height * (slant * c - s);
    yx = width * s, yy = height * (slant * s + c);
    dx = rng.between(-2, 2), dy = rng.between(-2, 2);
    wobble = rng.between(0, .05F);
  }
  Point place(Point p, Rng& rng) const {
    const float x = p.x - .5F + rng.between(-wobble, wobble), y = p.y - .5F + rng.between(-wobble, wobble);
    return {side / 2.F + dx + xx * x + xy * y, side / 2.F + dy + yx * x + yy * y};
  }
};

float squared_distance(Point p, Point a, Point b) {
  const float abx = b.x - a.x, aby = b.y - a.y, apx = p.x - a.x, apy = p.y - a.y;
  const float length = abx * abx + aby * aby;
  const float t = length > 0 ? std::clamp((apx * abx + apy * aby) / length, 0.F, 1.F) : 0.F;
  const float x = apx - t * abx, y = apy - t * aby;
  return x * x + y * y;
}

// Draws with a round pen. The edge of a stroke fades over one pixel.
void draw(const Glyph& glyph, float radius, uint8_t* pixels) {
  for (int64_t row = 0; row < side; ++row)
    for (int64_t column = 0; column < side; ++column) {
      const Point centre{static_cast<float>(column) + .5F, static_cast<float>(row) + .5F};
      float nearest = 1e9F;
      for (const Stroke& stroke : glyph)
        for (size_t i = 1; i < stroke.size(); ++i) nearest = std::min(nearest, squared_distance(centre, stroke[i - 1], stroke[i]));
      const float ink = std::clamp(radius - std::sqrt(nearest) + .5F, 0.F, 1.F);
      pixels[row * side + column] = static_cast<uint8_t>(ink * 255);
    }
}

}  // namespace

ImageSet make_glyphs(int64_t count, uint64_t seed) {
  if (count < 0) throw Error(ErrorCode::invalid_argument, "make_glyphs: count must be at least 0, got " + std::to_string(count));
  ImageSet set;
  set.name = "generated glyphs, " + std::to_string(count) + " digits";
  set.images = Tensor({count, 1, side, side}, DType::u8);
  set.labels = Tensor({count}, DType::i64);
  for (char digit = '0'; digit <= '9'; ++digit) set.classes.emplace_back(1, digit);
  for (int64_t i = 0; i < count; ++i) {
    Rng rng = Rng::of(seed, i);
    const auto digit = static_cast<int>(rng.below(10));
    const auto& ways = glyphs_of(digit);
    Glyph glyph = ways[static_cast<size_t>(rng.below(static_cast<int64_t>(ways.size())))];
    const Handwriting hand(rng);
    for (Stroke& stroke : glyph)
      for (Point& point : stroke) point = hand.place(point, rng);
    uint8_t* pixels = set.images.data<uint8_t>() + i * side * side;
    draw(glyph, rng.between(.8F, 1.9F), pixels);
    const auto specks = rng.below(12);
    for (int64_t speck = 0; speck < specks; ++speck) pixels[rng.below(side * side)] = static_cast<uint8_t>(rng.below(200));
    set.labels.data<int64_t>()[i] = digit;
  }
  return set;
}

}  // namespace tidepool::inline v0_1::data
