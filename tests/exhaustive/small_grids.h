// Every axis with small numbers, and pooling calls over such axes.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "support/rng.h"
#include "tidepool/geometry.h"
#include "tidepool/ops/max_pool.h"

namespace tidepool::test {

// Length up to 7, kernel up to 4, stride and dilation up to 3, padding up to PyTorch's limit on either side.
struct SmallAxis {
  int64_t length, kernel, stride, dilation;
  Sides padding;
};

inline std::vector<SmallAxis> all_small_axes() {
  std::vector<SmallAxis> axes;
  for (int64_t length = 1; length <= 7; ++length)
    for (int64_t kernel = 1; kernel <= 4; ++kernel)
      for (int64_t stride = 1; stride <= 3; ++stride)
        for (int64_t dilation = 1; dilation <= 3; ++dilation) {
          const int64_t limit = (dilation * (kernel - 1) + 1) / 2;
          for (int64_t before = 0; before <= limit; ++before)
            for (int64_t after = 0; after <= limit; ++after) axes.push_back({length, kernel, stride, dilation, {before, after}});
        }
  return axes;
}

// The number of outputs by the formulas of the documentation; below 1 the call must be refused.
inline int64_t outputs(const SmallAxis& a, bool ceil) {
  const int64_t room = a.length + a.padding.before + a.padding.after - (a.dilation * (a.kernel - 1) + 1);
  int64_t steps = 0;  // floor(room / stride), for negative room too
  while (steps * a.stride > room) --steps;
  while ((steps + 1) * a.stride <= room) ++steps;
  if (ceil && steps * a.stride < room) ++steps;
  if (ceil && steps * a.stride >= a.length + a.padding.before) --steps;
  return steps + 1;
}

// The input and the windows of one call.
template <int N>
struct SmallGrid {
  std::array<SmallAxis, N> axes;
  bool ceil;

  Dims input_shape() const {
    Dims shape{1, 2};
    for (const SmallAxis& a : axes) shape.push_back(a.length);
    return shape;
  }
  Dims output_shape() const {
    Dims shape{1, 2};
    for (const SmallAxis& a : axes) shape.push_back(outputs(a, ceil));
    return shape;
  }
  bool is_valid() const {
    for (const SmallAxis& a : axes)
      if (outputs(a, ceil) < 1) return false;
    return true;
  }
  template <class Options>
  Options options() const {
    std::array<int64_t, N> kernel, stride, dilation;
    std::array<Sides, N> padding;
    for (size_t i = 0; i < N; ++i) {
      kernel[i] = axes[i].kernel, stride[i] = axes[i].stride, dilation[i] = axes[i].dilation;
      padding[i] = axes[i].padding;
    }
    Options o;
    o.kernel_size = std::span<const int64_t>(kernel);
    o.stride = std::span<const int64_t>(stride);
    o.padding = std::span<const Sides>(padding);
    o.dilation = std::span<const int64_t>(dilation);
    o.ceil_mode = ceil;
    return o;
  }
  // For the reference implementation.
  Geometry geometry() const {
    const auto o = options<MaxPoolOptions<N>>();
    return Geometry::windowed("small grid", N, input_shape(), {o.kernel_size, o.stride, o.padding, o.dilation, o.ceil_mode, o.preset})
        .value();
  }
};

}  // namespace tidepool::test
