#include <cmath>
#include <vector>

#include "tidepool/data/loader.h"

namespace tidepool::inline v0_1::data {

namespace {

// Bilinear interpolation. Pixels outside the picture have the value `background`.
float sample(const float* plane, int64_t height, int64_t width, float y, float x, float background) {
  const float top = std::floor(y), left = std::floor(x);
  const float down = y - top, right = x - left;
  const auto cell = [&](float row, float column) {
    const auto r = static_cast<int64_t>(row), c = static_cast<int64_t>(column);
    return r < 0 || c < 0 || r >= height || c >= width ? background : plane[r * width + c];
  };
  return (cell(top, left) * (1 - right) + cell(top, left + 1) * right) * (1 - down) +
         (cell(top + 1, left) * (1 - right) + cell(top + 1, left + 1) * right) * down;
}

}  // namespace

Augment jitter(float pixels, float degrees, float scale, float background) {
  return [=](TensorSpan picture, Rng& rng) {
    const float turn = rng.between(-degrees, degrees) * 3.14159265F / 180, size = 1 + rng.between(-scale, scale);
    const float dy = rng.between(-pixels, pixels), dx = rng.between(-pixels, pixels);
    const float c = std::cos(turn) / size, s = std::sin(turn) / size;
    const int64_t height = picture.size(1), width = picture.size(2);
    const float middle_y = static_cast<float>(height - 1) / 2, middle_x = static_cast<float>(width - 1) / 2;
    std::vector<float> before(static_cast<size_t>(height * width));
    for (int64_t channel = 0; channel < picture.size(0); ++channel) {
      float* plane = picture.data_as<float>() + channel * height * width;
      before.assign(plane, plane + height * width);
      for (int64_t row = 0; row < height; ++row)
        for (int64_t column = 0; column < width; ++column) {
          const float y = static_cast<float>(row) - middle_y - dy, x = static_cast<float>(column) - middle_x - dx;
          plane[row * width + column] =
              sample(before.data(), height, width, middle_y + c * y + s * x, middle_x + c * x - s * y, background);
        }
    }
  };
}

}  // namespace tidepool::inline v0_1::data
