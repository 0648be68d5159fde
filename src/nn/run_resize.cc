// Runs interpolation: along each axis, a product with the matrix of its weights. Coordinates are exact fractions, computed here by the
// definition and not by the code of the analysis, so that one checks the other.
#include <algorithm>
#include <cmath>

#include "core/checked.h"
#include "nn/run_layer.h"

namespace tidepool::inline v0_1::nn::detail {
namespace {

using analyze::Resize;

// Where the middle of output o lies in the input: low + part, with 0 <= part < 1.
struct Coordinate {
  int64_t low = 0;
  double part = 0;  // exactly 0 and 0.5 if the fraction is
};

Coordinate coordinate(const Resize& resize, int64_t o, int64_t in, int64_t out) {
  int64_t above = 0, below = 1;  // a fraction
  switch (resize.coordinates) {
    case Resize::Coordinates::asymmetric:
      above = o * in;
      below = out;
      break;
    case Resize::Coordinates::align_corners:
      above = out > 1 ? o * (in - 1) : 0;
      below = out > 1 ? out - 1 : 1;
      break;
    case Resize::Coordinates::half_pixel:
      above = (2 * o + 1) * in - out;
      below = 2 * out;
      break;
  }
  const int64_t low = tidepool::detail::floor_div(above, below);
  return {low, static_cast<double>(above - low * below) / static_cast<double>(below)};
}

int64_t nearest(const Coordinate& at, Resize::Rounding rounding) {
  switch (rounding) {
    case Resize::Rounding::ceil:
      return at.low + (at.part > 0 ? 1 : 0);
    case Resize::Rounding::round_down:
      return at.low + (at.part > 0.5 ? 1 : 0);
    case Resize::Rounding::round_up:
      return at.low + (at.part >= 0.5 ? 1 : 0);
    default:
      return at.low;
  }
}

// The kernel of cubic convolution (Keys 1981) with PyTorch's parameter.
double cubic(double distance) {
  constexpr double a = -0.75;
  const double x = std::fabs(distance);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

Tensor weights_along(const LayerRun& run, const Resize& resize, int64_t in, int64_t out) {
  Tensor matrix = matrix_of(run, out, in);
  for (int64_t o = 0; o < out; ++o) {
    const auto add = [&](int64_t position, double weight) {
      const int64_t inside = std::clamp<int64_t>(position, 0, in - 1);
      matrix.data<float>()[o * in + inside] += static_cast<float>(run.structural ? std::fabs(weight) : weight);
    };
    const Coordinate at = coordinate(resize, o, in, out);
    if (resize.mode == Resize::Mode::nearest) {
      add(nearest(at, resize.rounding), 1);
    } else if (at.part == 0) {
      add(at.low, 1);
    } else if (resize.mode == Resize::Mode::linear) {
      add(at.low, 1 - at.part);
      add(at.low + 1, at.part);
    } else {
      for (int64_t tap = -1; tap <= 2; ++tap) add(at.low + tap, cubic(at.part - static_cast<double>(tap)));
    }
  }
  return matrix;
}

}  // namespace

Tensor run(const LayerRun& run, const analyze::Resize& resize) {
  Tensor x = run.x[0];
  for (int dim = 2; dim < x.rank(); ++dim) {
    const int64_t in = x.size(dim), out = run.node.shape[dim];
    if (in != out) x = along(x, dim, weights_along(run, resize, in, out));
  }
  return x;
}

}  // namespace tidepool::inline v0_1::nn::detail
