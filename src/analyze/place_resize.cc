// Interpolation: the coordinate of every output in the input, as an exact fraction.
#include <cmath>
#include <string>

#include "analyze/placement.h"

namespace tidepool::inline v0_1::analyze {

namespace {

ResizeReads::Cells cells_of(const Resize& resize) {
  if (resize.mode == Resize::Mode::linear) return ResizeReads::Cells::linear;
  if (resize.mode == Resize::Mode::cubic) return ResizeReads::Cells::cubic;
  switch (resize.rounding) {
    case Resize::Rounding::ceil:
      return ResizeReads::Cells::ceil;
    case Resize::Rounding::round_down:
      return ResizeReads::Cells::round_down;
    case Resize::Rounding::round_up:
      return ResizeReads::Cells::round_up;
    default:
      return ResizeReads::Cells::floor;
  }
}

ResizeReads reads_of(const Resize& resize, int64_t input, int64_t output) {
  ResizeReads reads{.cells = cells_of(resize)};
  switch (resize.coordinates) {
    case Resize::Coordinates::asymmetric:  // o * input / output
      reads.scale = input;
      reads.unit = output;
      break;
    case Resize::Coordinates::align_corners:  // o * (input - 1) / (output - 1)
      reads.scale = output > 1 ? input - 1 : 0;
      reads.unit = output > 1 ? output - 1 : 1;
      break;
    case Resize::Coordinates::half_pixel:  // (o + 1/2) * input / output - 1/2
      reads.scale = 2 * input;
      reads.shift = input - output;
      reads.unit = 2 * output;
      break;
  }
  return reads;
}

}  // namespace

Result<Placement> place_resize(const Resize& resize, const Dims& input) {
  if (input.rank < 3 || input.rank > 2 + max_spatial)
    return Error(ErrorCode::shape_mismatch, "the input must have 3 to 5 dimensions (N, C, and 1 to 3 spatial), got " + to_string(input));
  const int rank = input.rank - 2;
  if (resize.output_size.is_set() == resize.scale.is_set()) return invalid("either output_size or scale must be set");
  const int64_t count = resize.output_size.is_set() ? resize.output_size.count : resize.scale.count;
  if (count != 1 && count != rank) return invalid("output_size and scale must have 1 or " + std::to_string(rank) + " values");
  Placement placed = unchanged(input);
  for (int i = 0; i < rank; ++i) {
    const int64_t size = input[2 + i];
    int64_t output = 0;
    if (resize.output_size.is_set()) {
      output = resize.output_size[i];
    } else {
      const double exact = std::floor(static_cast<double>(size) * resize.scale[i]);
      if (!(exact >= 1 && exact <= static_cast<double>(largest_size)))
        return invalid("scale must give a size between 1 and " + std::to_string(largest_size) + ", got " + std::to_string(resize.scale[i]));
      output = static_cast<int64_t>(exact);
    }
    if (output < 1 || output > largest_size)
      return invalid("output_size must be between 1 and " + std::to_string(largest_size) + ", got " + std::to_string(output));
    if (output == size) continue;
    placed.shape[2 + i] = output;
    placed.reads[0][static_cast<size_t>(2 + i)].map = AxisMap(size, output, reads_of(resize, size, output));
    placed.window_dims.push_back(2 + i);
  }
  return placed;
}

}  // namespace tidepool::inline v0_1::analyze
