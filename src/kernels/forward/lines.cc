#include "kernels/forward/lines.h"

#include <cmath>

#include "core/cache_sizes.h"
#include "kernels/reduce/index_store.h"

namespace tidepool::inline v0_1::detail {
namespace {

// Together in the nearest cache, with the rows of the input that are merged. A line is read shortly after it was written, at other
// offsets; processors wait for such stores if there are not several lines in between.
constexpr int64_t most_line_bytes = 1 << 14, most_group_bytes = 1 << 12;
constexpr int64_t most_lines = 64, most_group_rows = 1024, most_window_rows = 64;

// Phases a multiple of 4 KiB apart would be in each other's way in the nearest cache.
int64_t phase_cells(int64_t cells, int64_t cell_bytes) noexcept { return (cells * cell_bytes / 1024 * 1024 + 1024 + 320) / cell_bytes; }

}  // namespace

LineShape::LineShape(const Axis& width, int64_t window_rows, int64_t cell_bytes) noexcept
    : stride(width.stride()), reach((width.kernel() - 1) * width.dilation()) {
  const int64_t extra = reach / stride;
  outputs = std::clamp<int64_t>(most_line_bytes / cell_bytes / stride - extra, 32, std::max<int64_t>(width.output(), 32));
  outputs = std::min(outputs, width.output());
  pitch = outputs + extra;
  lines = std::clamp<int64_t>(most_group_bytes / cell_bytes / (stride * pitch), 1, std::min(most_lines, most_group_rows / window_rows));
  phase = phase_cells(lines * pitch, cell_bytes) + (stride > 2 ? 64 : 0);  // sorting writes whole vectors
}

void find_line_rows(const KernelArgs& a, const TapSteps& steps, RowPosition* p, int64_t lines, int64_t* inputs, int64_t* numbers,
                    LineOutput* outputs) noexcept {
  const int64_t window_rows = a.depth.kernel * a.height.kernel;
  const Strides5& s = a.input_strides;
  const int64_t row_step = a.height.dilation * s[dim_h], slice_step = a.depth.dilation * s[dim_d];
  while (lines > 0) {
    // Rows of one slice of windows.
    const int64_t count = std::min(lines, a.height.output - p->oh);
    const Window wd = a.depth.window(p->od);
    const int64_t slice = p->n * s[dim_n] + p->c * s[dim_c] + wd.begin * s[dim_d];
    LineOutput output{p->offset(a.output_strides), 0, 0};
    if (numbers != nullptr) {
      output.index = p->offset(a.index_strides);
      output.plane_start = index_origin(a, p->n, p->c) + plane_start(a, p->od, p->oh, 0);
    }
    for (int64_t i = 0; i < count; ++i) {
      const Window wh = a.height.window(p->oh + i);
      const int64_t first = slice + wh.begin * s[dim_h];
      const int64_t* const end = inputs + window_rows;
      for (int64_t td = 0; td < wd.count; ++td)
        for (int64_t th = 0; th < wh.count; ++th) *inputs++ = first + td * slice_step + th * row_step;
      for (; inputs < end; ++inputs) inputs[0] = inputs[-1];
      if (numbers != nullptr) {
        const int64_t* const numbers_end = numbers + window_rows;
        for (int64_t td = wd.first_tap; td < wd.first_tap + wd.count; ++td)
          for (int64_t th = wh.first_tap; th < wh.first_tap + wh.count; ++th) *numbers++ = td * steps.depth + th * steps.height;
        for (; numbers < numbers_end; ++numbers) numbers[0] = numbers[-1];
      }
      *outputs++ = output;
      output.output += a.output_strides[dim_h];
      output.index += a.index_strides[dim_h];
      output.plane_start += a.height.stride * a.width.input;
    }
    lines -= count;
    p->oh += count - 1;
    p->advance(a);
  }
}

Fit fits_lines(const Problem& p, int64_t cell_bytes) {
  const Geometry& g = p.geometry;
  if (p.layout != Layout::channels_first) return {"columns are not adjacent in memory"};
  if (const Fit fit = fits_steps(p); !fit.ok()) return fit;
  if (g.depth().kernel() > most_window_rows || g.height().kernel() > most_window_rows ||
      g.depth().kernel() * g.height().kernel() > most_window_rows)
    return {"window has more than 64 rows"};
  const Axis& w = g.width();
  if (!w.is_even()) return {"windows differ in size"};
  if ((w.kernel() - 1) * w.dilation() + w.stride() > 2 * most_line_bytes / cell_bytes) return {"windows are too wide, or too far apart"};
  for (int i = 0; i < 3; ++i) {
    const Axis& x = g.axis(i);
    if (!x.is_even() || x.is_fractional() || x.output() < 1 || x.has_empty_window()) return {"windows differ in size, or have no cells"};
  }
  return {};
}

}  // namespace tidepool::inline v0_1::detail
