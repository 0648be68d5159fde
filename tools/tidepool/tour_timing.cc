#include <array>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>

#include "progress.h"
#include "reference/compare.h"
#include "run_data.h"
#include "timing.h"
#include "tour.h"

namespace tidepool::cli {

namespace {

constexpr const char* stem = "max2d fwd f32 nchw 8x64x112x112 k3 s2 p1";

// The straightforward implementation, as a baseline.
void plain_loops(const float* x, float* y, int64_t planes, int64_t height, int64_t width, int64_t out_height, int64_t out_width) {
  for (int64_t p = 0; p < planes; ++p)
    for (int64_t oh = 0; oh < out_height; ++oh)
      for (int64_t ow = 0; ow < out_width; ++ow) {
        float best = -std::numeric_limits<float>::infinity();
        for (int64_t h = oh * 2 - 1; h < oh * 2 + 2; ++h)
          for (int64_t w = ow * 2 - 1; w < ow * 2 + 2; ++w) {
            if (h < 0 || h >= height || w < 0 || w >= width) continue;
            const float value = x[(p * height + h) * width + w];
            if (value > best || std::isnan(value)) best = value;
          }
        y[(p * out_height + oh) * out_width + ow] = best;
      }
}

std::string row(const std::string& what, double seconds, double bytes, double loops) {
  std::string line = "  " + what;
  const auto column = [&](const std::string& text, size_t end) {
    line.append(end - std::min(end, line.size() + text.size()), ' ').append(text);
  };
  column(show_seconds(seconds), 40);
  column(show_fixed(bytes / seconds / 1e9, 1), 52);
  column(show_fixed(loops / seconds, 1) + " x", 66);
  return line + "\n";
}

}  // namespace

void Tour::timing() {
  const Plan plan = make_plan(parse(stem));
  const Geometry& g = plan.problem().geometry;
  Executor& executor = serial_executor();
  RunData data = make_run_data(plan.problem(), 0, executor);
  const RunArrays& arrays = data.arrays;
  Tensor by_loops(arrays.output.shape);
  out_ << "7. Speed: the stem of a ResNet, one thread\n\n"
          "3x3 windows with stride 2 and padding 1 over 8x64x112x112 floats. The memory\n"
          "limit is the time to read the input once and write the output once.\n\n"
       << std::flush;

  const std::function<void()> jobs[] = {
      [&] {
        plain_loops(arrays.input.data_as<float>(), by_loops.data<float>(), g.batch() * g.channels(), g.height().input(), g.width().input(),
                    g.height().output(), g.width().output());
      },
      [&] { stream_limit(data, executor); },
      [&] { plan.run(arrays, executor); },
  };
  std::atomic<double> share{0};
  const Timings timings = [&] {
    const Progress progress("measuring", [&] { return share.load(); });
    return take_turns(jobs, 1.5, [&](double part) { share = part; });
  }();
  const double loops = timings.best[0], limit = timings.best[1], ours = timings.best[2];
  const double bytes = static_cast<double>(data.read_bytes + data.write_bytes);
  out_ << "                                    time        GB/s    speed-up\n"
       << row("plain loops", loops, bytes, loops)
       << row("tidepool, " + std::string(plan.kernel()) + " on " + std::string(plan.target()), ours, bytes, loops)
       << row("memory limit", limit, bytes, loops) << "\n  That is " << show_fixed(limit / ours, 2) << " of the memory limit.\n\n";
  // The plan ran last, so the output holds its result.
  if (const auto mismatch = reference::compare_bits(arrays.output, by_loops))
    wrong("the stem differs from plain loops: got " + mismatch->got + ", expected " + mismatch->expected);
  facts_["timing"] = {{"problem", stem}, {"kernel", plan.kernel()},      {"target", plan.target()},
                      {"threads", 1},    {"plain_loops_seconds", loops}, {"limit_seconds", limit},
                      {"seconds", ours}, {"limit_share", limit / ours},  {"speed_up", loops / ours}};
}

}  // namespace tidepool::cli
