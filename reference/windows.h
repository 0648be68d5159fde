// Windows by their definition: where each tap of each output lies in the input.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "tidepool/geometry.h"
#include "tidepool/tensor.h"

namespace tidepool::reference {

struct Output {
  int64_t n, c, d, h, w;
  int64_t offset;  // in a contiguous array of outputs
};

struct Cell {
  int64_t d = -1, h = -1, w = -1;
};

// One axis in plain numbers. The lists of windows that Axis makes are not used: they are what is tested.
struct AxisNumbers {
  int64_t input, output, kernel, stride, dilation, pad_before, pad_after;
  bool adaptive, fractional;
  int64_t starts_at = 0;  // fractional: where this axis begins in a plane's row of starts

  explicit AxisNumbers(const Axis& a)
      : input(a.input()),
        output(a.output()),
        kernel(a.kernel()),
        stride(a.stride()),
        dilation(a.dilation()),
        pad_before(a.pad_before()),
        pad_after(a.pad_after()),
        adaptive(a.is_adaptive()),
        fractional(a.is_fractional()) {}

  bool contains(int64_t position) const { return position >= 0 && position < input; }
};

struct Windows {
  int64_t batch, channels;
  AxisNumbers depth, height, width;
  const int64_t* starts = nullptr;  // fractional: one row per plane
  int64_t starts_per_plane = 0;
  std::atomic<int64_t>* done = nullptr;  // counts the visited outputs

  Windows(const Geometry& g, TensorView start_rows, std::atomic<int64_t>* counter)
      : batch(g.batch()), channels(g.channels()), depth(g.depth()), height(g.height()), width(g.width()), done(counter) {
    for (AxisNumbers* axis : {&depth, &height, &width}) {
      if (!axis->fractional) continue;
      axis->starts_at = starts_per_plane;
      starts_per_plane += axis->output;
    }
    if (starts_per_plane > 0) starts = start_rows.data_as<int64_t>();
  }

  int64_t taps() const { return depth.kernel * height.kernel * width.kernel; }
  int64_t input_plane() const { return depth.input * height.input * width.input; }

  // The position of tap t of output o along an axis, in the plane (n, c). It may lie outside the input; -1 when there is no such tap.
  int64_t position(const AxisNumbers& axis, int64_t n, int64_t c, int64_t o, int64_t t) const {
    if (axis.fractional) return starts[(n * channels + c) * starts_per_plane + axis.starts_at + o] + t;
    if (!axis.adaptive) return o * axis.stride - axis.pad_before + t * axis.dilation;
    // Cell i belongs to bin o when the intervals [i, i + 1) and [o, o + 1) * input / output overlap.
    const int64_t cell = o * axis.input / axis.output + t;
    return cell * axis.output < (o + 1) * axis.input ? cell : -1;
  }

  // The cell under a tap of an output, or d = -1 when the tap lies in the padding.
  Cell cell(const Output& o, int64_t td, int64_t th, int64_t tw) const {
    const Cell cell{position(depth, o.n, o.c, o.d, td), position(height, o.n, o.c, o.h, th), position(width, o.n, o.c, o.w, tw)};
    return depth.contains(cell.d) && height.contains(cell.h) && width.contains(cell.w) ? cell : Cell{};
  }

  // The offset of a cell in its plane, and in a contiguous array of inputs.
  int64_t plane_offset(const Cell& cell) const { return (cell.d * height.input + cell.h) * width.input + cell.w; }
  int64_t input_offset(const Output& o, const Cell& cell) const { return (o.n * channels + o.c) * input_plane() + plane_offset(cell); }
};

// Calls f(output) for every output in row-major order.
template <class F>
void for_each_output(const Windows& windows, F f) {
  int64_t offset = 0;
  for (int64_t n = 0; n < windows.batch; ++n)
    for (int64_t c = 0; c < windows.channels; ++c)
      for (int64_t d = 0; d < windows.depth.output; ++d)
        for (int64_t h = 0; h < windows.height.output; ++h)
          for (int64_t w = 0; w < windows.width.output; ++w) {
            f(Output{n, c, d, h, w, offset++});
            if (windows.done != nullptr) windows.done->store(offset, std::memory_order_relaxed);
          }
}

// Calls f(cell, tap) for every tap of an output's window that lies inside the input, in row-major order.
template <class F>
void for_each_cell(const Windows& windows, const Output& output, F f) {
  int64_t tap = 0;
  for (int64_t td = 0; td < windows.depth.kernel; ++td)
    for (int64_t th = 0; th < windows.height.kernel; ++th)
      for (int64_t tw = 0; tw < windows.width.kernel; ++tw, ++tap)
        if (const Cell cell = windows.cell(output, td, th, tw); cell.d >= 0) f(cell, tap);
}

// The number of taps that an average of this output is divided by. Divisor::fixed is not counted from taps.
inline int64_t count_taps(const Windows& windows, Divisor divisor, const Output& output) {
  const auto counts = [&](const AxisNumbers& axis, int64_t o, int64_t t) {
    if (divisor == Divisor::full_kernel) return true;
    const int64_t position = windows.position(axis, output.n, output.c, o, t);
    if (divisor == Divisor::valid_only || axis.adaptive) return axis.contains(position);
    return position < axis.input + axis.pad_after;
  };
  int64_t count = 0;
  for (int64_t td = 0; td < windows.depth.kernel; ++td)
    for (int64_t th = 0; th < windows.height.kernel; ++th)
      for (int64_t tw = 0; tw < windows.width.kernel; ++tw)
        if (counts(windows.depth, output.d, td) && counts(windows.height, output.h, th) && counts(windows.width, output.w, tw)) ++count;
  return count;
}

}  // namespace tidepool::reference
