#include <nlohmann/json.hpp>

#include "case.h"
#include "tidepool/problem.h"

namespace tidepool::bench {

namespace {

using nlohmann::json;

json array_json(const TensorView& view) {
  json shape = json::array(), strides = json::array();
  for (int i = 0; i < view.shape.rank; ++i) {
    shape.push_back(view.shape[i]);
    strides.push_back(view.strides[i]);
  }
  return {{"address", reinterpret_cast<uintptr_t>(view.data)}, {"dtype", dtype_name(view.dtype)}, {"shape", shape}, {"strides", strides}};
}

json axes_json(const Geometry& g) {
  json axes = json::array();
  for (int i = 3 - g.rank(); i < 3; ++i) {
    const Axis& a = g.axis(i);
    axes.push_back({{"input", a.input()},
                    {"output", a.output()},
                    {"kernel", a.kernel()},
                    {"stride", a.stride()},
                    {"dilation", a.dilation()},
                    {"pad_before", a.pad_before()},
                    {"pad_after", a.pad_after()}});
  }
  return axes;
}

json regular_json(const Geometry& g) {
  const auto windows = regular_windows(g);
  if (!windows) return nullptr;
  const auto used = [&](const std::array<int64_t, 3>& all) { return std::vector<int64_t>(all.begin() + (3 - g.rank()), all.end()); };
  return {{"kernel", used(windows->kernel)},         {"stride", used(windows->stride)},       {"dilation", used(windows->dilation)},
          {"pad_before", used(windows->pad_before)}, {"pad_after", used(windows->pad_after)}, {"overhang", windows->overhang}};
}

std::string_view divisor_name(Divisor divisor) {
  switch (divisor) {
    case Divisor::window_in_padded:
      return "window_in_padded";
    case Divisor::full_kernel:
      return "full_kernel";
    case Divisor::valid_only:
      return "valid_only";
    case Divisor::fixed:
      return "fixed";
  }
  return "";
}

}  // namespace

std::string describe(const Case& c) {
  const Problem& p = c.problem();
  const Geometry& g = p.geometry;
  json arrays;
  const auto add = [&](const char* name, const TensorView& view) {
    if (view.data != nullptr) arrays[name] = array_json(view);
  };
  add("input", c.data.arrays.input);
  add("output", c.data.arrays.output);
  add("indices_in", c.data.arrays.indices_in);
  add("indices_out", c.data.arrays.indices_out);
  if (c.pooled_input.numel() > 0) add("pooled_input", c.pooled_input);
  if (c.samples.numel() > 0) add("samples", c.samples);
  return json{{"problem", to_string(p)},
              {"op", op_name(p.op)},
              {"pass", pass_name(p.pass)},
              {"dtype", dtype_name(p.dtype)},
              {"layout", layout_name(p.layout, g.rank())},
              {"channels_last", p.layout == Layout::channels_last},
              {"rank", g.rank()},
              {"batch", g.batch()},
              {"channels", g.channels()},
              {"windows", g.width().is_adaptive()     ? "adaptive"
                          : g.width().is_fractional() ? "fractional"
                                                      : "regular"},
              {"axes", axes_json(g)},
              {"regular", regular_json(g)},
              {"ceil", g.width().rounding() != Rounding::floor},
              {"divisor", divisor_name(p.reduction.divisor)},
              {"norm", p.reduction.norm},
              {"indices", p.indices ? json(index_base_name(*p.indices)) : json()},
              {"index_bytes", p.indices ? json(dtype_size(index_dtype(*p.indices, g, p.nan))) : json()},
              {"taps", g.window_taps()},
              {"kernel", c.plan.kernel()},
              {"target", c.plan.target()},
              {"scratch_bytes", c.plan.scratch_bytes(c.threads)},
              {"read_bytes", c.data.read_bytes},
              {"written_bytes", c.data.write_bytes},
              {"elements", c.data.arrays.input.numel() + c.data.arrays.output.numel()},
              {"outputs", g.output_numel()},
              {"arrays", arrays}}
      .dump();
}

}  // namespace tidepool::bench
