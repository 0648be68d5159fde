#include "train/fit_picture.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tidepool/error.h"

namespace tidepool::cli {

namespace {

struct Plane {
  int64_t height, width;
  std::vector<float> cells;  // 0 to 1
  float at(int64_t row, int64_t column) const { return cells[static_cast<size_t>(row * width + column)]; }
};

Plane grey(const Tensor& pixels) {
  const int64_t channels = pixels.size(0);
  const bool alpha = channels == 2 || channels == 4;
  const int64_t colours = alpha ? channels - 1 : channels;
  const double top = pixels.dtype() == DType::i32 ? 65535 : 255;
  Plane plane{pixels.size(1), pixels.size(2), {}};
  for (int64_t row = 0; row < plane.height; ++row)
    for (int64_t column = 0; column < plane.width; ++column) {
      double sum = 0;
      for (int64_t c = 0; c < colours; ++c) sum += pixels.item({c, row, column});
      double value = sum / static_cast<double>(colours) / top;
      if (alpha) value = 1 - (1 - value) * pixels.item({colours, row, column}) / top;  // blend with a white background
      plane.cells.push_back(static_cast<float>(value));
    }
  return plane;
}

// Scales the values to 0 … 1 and inverts the picture if its border, which shows the background, is bright.
void make_bright_on_dark(Plane& plane) {
  double border = 0, count = 0;
  for (int64_t row = 0; row < plane.height; ++row)
    for (int64_t column = 0; column < plane.width; ++column)
      if (row == 0 || column == 0 || row == plane.height - 1 || column == plane.width - 1) border += plane.at(row, column), ++count;
  const auto [low, high] = std::minmax_element(plane.cells.begin(), plane.cells.end());
  const float bottom = *low, range = std::max(*high - *low, 1e-6F);
  const bool paper_is_bright = border / count > (*low + *high) / 2;
  for (float& cell : plane.cells) {
    cell = (cell - bottom) / range;
    if (paper_is_bright) cell = 1 - cell;
  }
}

struct Box {
  int64_t top, left, bottom, right;  // bottom and right are exclusive
};

// The smallest box around all pixels brighter than a quarter.
Box bounding_box(const Plane& plane) {
  Box box{plane.height, plane.width, 0, 0};
  for (int64_t row = 0; row < plane.height; ++row)
    for (int64_t column = 0; column < plane.width; ++column)
      if (plane.at(row, column) > 0.25F)
        box = {std::min(box.top, row), std::min(box.left, column), std::max(box.bottom, row + 1), std::max(box.right, column + 1)};
  return box;
}

// The mean over a rectangle with fractional borders. Averaging the area keeps thin strokes visible when a picture is scaled down.
float mean_of(const Plane& plane, double top, double left, double bottom, double right) {
  double sum = 0, area = 0;
  for (auto row = static_cast<int64_t>(std::floor(top)); static_cast<double>(row) < bottom; ++row)
    for (auto column = static_cast<int64_t>(std::floor(left)); static_cast<double>(column) < right; ++column) {
      const double high = std::min(bottom, static_cast<double>(row + 1)) - std::max(top, static_cast<double>(row));
      const double wide = std::min(right, static_cast<double>(column + 1)) - std::max(left, static_cast<double>(column));
      area += high * wide;
      if (row >= 0 && column >= 0 && row < plane.height && column < plane.width)
        sum += high * wide * static_cast<double>(plane.at(row, column));
    }
  return area > 0 ? static_cast<float>(sum / area) : 0;
}

}  // namespace

Tensor fit_picture(const Tensor& pixels, int64_t channels, int64_t height, int64_t width) {
  if (pixels.shape() == Dims{channels, height, width} && pixels.dtype() == DType::u8) return pixels.clone();
  if (channels != 1)
    throw Error(ErrorCode::shape_mismatch, "predict: the picture must be " + std::to_string(channels) + "x" + std::to_string(height) + "x" +
                                               std::to_string(width) + " like those of the training, got " + to_string(pixels.shape()));
  Plane plane = grey(pixels);
  make_bright_on_dark(plane);
  const Box box = bounding_box(plane);
  if (box.top >= box.bottom) throw Error(ErrorCode::invalid_argument, "predict: the picture is empty: all pixels are alike");
  // As in MNIST, the digit fills 20 of 28 pixels and its centre of mass is in the middle.
  const double scale = std::max(static_cast<double>(box.bottom - box.top) / static_cast<double>(height),
                                static_cast<double>(box.right - box.left) / static_cast<double>(width)) *
                       28 / 20;
  double mass = 0, middle_row = 0, middle_column = 0;
  for (int64_t row = box.top; row < box.bottom; ++row)
    for (int64_t column = box.left; column < box.right; ++column) {
      const double ink = plane.at(row, column);
      mass += ink;
      middle_row += ink * (static_cast<double>(row) + 0.5);
      middle_column += ink * (static_cast<double>(column) + 0.5);
    }
  const double top = middle_row / mass - scale * static_cast<double>(height) / 2,
               left = middle_column / mass - scale * static_cast<double>(width) / 2;
  Tensor fitted({1, height, width}, DType::u8);
  for (int64_t row = 0; row < height; ++row)
    for (int64_t column = 0; column < width; ++column) {
      const double r = top + scale * static_cast<double>(row), c = left + scale * static_cast<double>(column);
      fitted.data<uint8_t>()[row * width + column] =
          static_cast<uint8_t>(std::lround(255 * std::clamp(mean_of(plane, r, c, r + scale, c + scale), 0.F, 1.F)));
    }
  return fitted;
}

}  // namespace tidepool::cli
