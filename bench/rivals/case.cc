#include "case.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "tidepool/c.h"
#include "tidepool/error.h"
#include "tidepool/ops/fractional_max_pool.h"
#include "tidepool/problem.h"

namespace tidepool::bench {

namespace {

MemoryFormat format_of(const Problem& problem) {
  return problem.layout == Layout::channels_last ? MemoryFormat::channels_last : MemoryFormat::contiguous;
}

// Fills the input indices by pooling `pooled_input`. A rival that pools the same array gets the same indices.
void write_indices(Case& c, uint64_t seed) {
  const Problem& problem = c.problem();
  const Geometry& g = problem.geometry;
  c.pooled_input = Tensor(g.input_shape(), problem.dtype, format_of(problem));
  cli::fill_random(c.pooled_input.span(), seed, true);
  Problem forward = problem;
  forward.op = problem.op == Op::unpool ? Op::max : problem.op;
  forward.pass = Pass::forward;
  Tensor values(g.output_shape(), problem.dtype, format_of(problem));
  const TensorView& indices = c.data.arrays.indices_in;
  const auto offset = indices.data - c.data.read_block.data<std::byte>();
  TensorSpan writable{{c.data.read_block.data<std::byte>() + offset, indices.dtype, indices.shape, indices.strides}};
  make_plan(forward).run({.input = c.pooled_input, .output = values.span(), .indices_out = writable, .starts = c.data.arrays.starts},
                         *c.executor);
}

// Fills the window starts from the same samples that PyTorch gets, so that both use the same windows.
void write_starts(Case& c, uint64_t seed) {
  const Problem& problem = c.problem();
  const Dims shape = problem.geometry.input_shape();
  c.samples = problem.geometry.rank() == 2 ? fractional_max_pool2d_samples(shape, problem.dtype, seed)
                                           : fractional_max_pool3d_samples(shape, problem.dtype, seed);
  tp_plan* plan = nullptr;
  tp_array starts;
  const std::string text = to_string(problem);
  tp_status status = tp_plan_parse(text.c_str(), &plan);
  if (status == TP_OK) status = tp_plan_describe(plan, TP_ROLE_STARTS, &starts);
  if (status == TP_OK) {
    starts.data = c.data.starts.data<int64_t>();
    status = tp_fractional_starts(plan, nullptr, seed, &starts);
  }
  tp_plan_free(plan);
  if (status != TP_OK) throw std::runtime_error(tp_last_error());
}

}  // namespace

std::unique_ptr<Case> make_case(const std::string& text, int threads, uint64_t seed) {
  Plan plan = make_plan(parse(text));
  auto executor = make_executor(threads);
  cli::RunData data = cli::make_run_data(plan.problem(), seed, *executor);
  auto c = std::make_unique<Case>(Case{.plan = std::move(plan),
                                       .executor = std::move(executor),
                                       .threads = threads,
                                       .data = std::move(data),
                                       .pooled_input = {},
                                       .samples = {}});
  if (c->problem().geometry.width().is_fractional() && c->problem().pass == Pass::forward) write_starts(*c, seed);
  if (c->data.arrays.indices_in.data != nullptr) write_indices(*c, seed + 100);
  return c;
}

std::optional<RegularWindows> regular_windows(const Geometry& g) {
  RegularWindows w{};
  for (int i = 0; i < 3; ++i) {
    const auto at = static_cast<size_t>(i);
    const Axis& a = g.axis(i);
    if (a.is_fractional()) return std::nullopt;
    if (a.is_adaptive()) {
      if (a.output() == 0 || a.input() % a.output() != 0) return std::nullopt;
      w.kernel[at] = w.stride[at] = a.input() / a.output();
      w.dilation[at] = 1;
      continue;
    }
    w.kernel[at] = a.kernel();
    w.stride[at] = a.stride();
    w.dilation[at] = a.dilation();
    w.pad_before[at] = a.pad_before();
    const int64_t reach = (a.output() - 1) * a.stride() + a.dilation() * (a.kernel() - 1) + 1;
    w.pad_after[at] = std::max<int64_t>(0, reach - a.input() - a.pad_before());
    w.overhang = w.overhang || w.pad_after[at] > a.pad_after();
  }
  return w;
}

}  // namespace tidepool::bench
