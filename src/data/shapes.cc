#include <algorithm>
#include <cmath>

#include "tidepool/data/image_set.h"
#include "tidepool/data/rng.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::data {

namespace {

struct Shape {
  int64_t kind;  // 1 disc, 2 square, 3 triangle
  float x, y, radius, brightness;

  bool covers(float px, float py) const {
    const float dx = px - x, dy = py - y;
    if (kind == 1) return dx * dx + dy * dy <= radius * radius;
    if (kind == 2) return std::max(std::abs(dx), std::abs(dy)) <= radius * .85F;
    return dy <= radius * .8F && dy >= -radius && std::abs(dx) <= (dy + radius) * .55F;
  }
};

}  // namespace

ShapeSet make_shapes(int64_t count, int64_t side, uint64_t seed) {
  if (count < 0 || side < 8)
    throw Error(ErrorCode::invalid_argument,
                "make_shapes: count must be at least 0 and side at least 8, got " + std::to_string(count) + " and " + std::to_string(side));
  ShapeSet set{.images = Tensor({count, 1, side, side}), .masks = Tensor({count, side, side}, DType::i64)};
  const auto length = static_cast<float>(side);
  for (int64_t i = 0; i < count; ++i) {
    Rng rng = Rng::of(seed, i);
    float* pixels = set.images.data<float>() + i * side * side;
    int64_t* mask = set.masks.data<int64_t>() + i * side * side;
    std::vector<Shape> shapes(static_cast<size_t>(1 + rng.below(3)));
    for (Shape& shape : shapes)
      shape = {1 + rng.below(3), rng.between(.2F, .8F) * length, rng.between(.2F, .8F) * length, rng.between(.14F, .26F) * length,
               rng.between(.55F, 1)};
    for (int64_t p = 0; p < side * side; ++p) {
      const int64_t row = p / side, column = p % side;
      const float x = static_cast<float>(column) + .5F, y = static_cast<float>(row) + .5F;
      pixels[p] = 0, mask[p] = 0;
      for (const Shape& shape : shapes)
        if (shape.covers(x, y)) pixels[p] = shape.brightness, mask[p] = shape.kind;
      pixels[p] += rng.between(-.15F, .15F);
    }
  }
  return set;
}

}  // namespace tidepool::inline v0_1::data
