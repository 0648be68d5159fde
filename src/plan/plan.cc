#include "tidepool/plan.h"

#include <algorithm>

#include "plan/plan_impl.h"
#include "plan/run.h"

namespace tidepool {
using detail::CallerName;
using detail::five;
using detail::needs_starts;

Plan::Impl::Cut Plan::Impl::cut(int concurrency) const noexcept {
  constexpr int64_t least_channels = 32;  // two lines of floats, and nobody else's
  Cut cut{.units = units};
  if (concurrency <= 1) return cut;
  if (groups_channels && units < concurrency) {
    for (int64_t g = concurrency; g > 1 && cut.groups == 1; --g)
      if (args.channels % (g * least_channels) == 0) cut.groups = g;
    cut.units = units * cut.groups;
  }
  if (cut.units <= grain) return cut;
  // Four a thread evens out who gets the slow ones; fewer than that, the same number for all.
  cut.pieces = std::clamp<int64_t>(cut.units / grain, 1, int64_t{4} * concurrency);
  if (cut.pieces > concurrency) cut.pieces = cut.pieces / concurrency * concurrency;
  return cut;
}

// One image whose channels are adjacent, as several images of some channels each: kernels that go along channels cannot tell, and every
// channel is pooled on its own.
static void group_channels(detail::KernelArgs& a, int64_t groups) noexcept {
  a.batch = groups, a.channels /= groups;
  for (detail::Strides5* s : {&a.input_strides, &a.output_strides, &a.index_strides, &a.saved_strides, &a.grad_strides})
    (*s)[detail::dim_n] = a.channels * (*s)[detail::dim_c];
}

const Problem& Plan::problem() const noexcept { return impl_->problem; }
std::string_view Plan::kernel() const noexcept { return impl_->kernel->name; }
std::string_view Plan::target() const noexcept { return impl_->target; }
int64_t Plan::scratch_bytes(int concurrency) const noexcept { return impl_->scratch_per_piece * impl_->cut(concurrency).pieces; }
const std::vector<Refusal>& Plan::refusals() const noexcept { return impl_->refusals; }

// Arrays that have been checked.
static Status run_checked(const CallerName& caller, const Plan::Impl& plan, const RunArrays& arrays, Executor& executor,
                          std::span<std::byte> scratch) {
  const Geometry& g = plan.problem.geometry;
  if (plan.units == 0) return Ok{};
  const auto [groups, units, pieces] = plan.cut(executor.concurrency());
  if (static_cast<int64_t>(scratch.size()) < plan.scratch_per_piece * pieces)
    return caller.error(ErrorCode::invalid_argument, "scratch must have at least " + std::to_string(plan.scratch_per_piece * pieces) +
                                                         " bytes, got " + std::to_string(scratch.size()));
  detail::KernelArgs args = plan.args;
  args.input = arrays.input.data;
  args.output = arrays.output.data;
  args.input_strides = five(arrays.input.strides, g);
  args.output_strides = five(arrays.output.strides, g);
  if (plan.problem.indices) {
    const bool reads = reads_indices(plan.problem);
    // Kernels that read indices only read through this pointer.
    args.index = reads ? const_cast<std::byte*>(arrays.indices_in.data) : arrays.indices_out.data;
    args.index_strides = five(reads ? arrays.indices_in.strides : arrays.indices_out.strides, g);
  }
  if (reads_saved(plan.problem)) {
    args.saved = arrays.saved.data;
    args.saved_strides = five(arrays.saved.strides, g);
  }
  if (plan.problem.pass == Pass::double_backward_input) {
    args.grad = arrays.grad.data;
    args.grad_strides = five(arrays.grad.strides, g);
  }
  if (needs_starts(plan.problem)) args.starts = arrays.starts.data_as<int64_t>();
  if (groups > 1) group_channels(args, groups);
  const auto run_pieces = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      plan.kernel->run(
          args, {.begin = units * i / pieces, .end = units * (i + 1) / pieces, .scratch = scratch.data() + i * plan.scratch_per_piece});
  };
  if (pieces == 1)
    run_pieces(0, 1);
  else
    executor.parallel_for(pieces, 1, run_pieces);
  return Ok{};
}

Status Plan::try_run(const RunArrays& arrays, Executor& executor, std::span<std::byte> scratch) const {
  const CallerName caller(problem());
  if (Status s = detail::check_arrays(caller, *impl_, arrays, executor); !s) return s;
  return run_checked(caller, *impl_, arrays, executor, scratch);
}

void detail::run_as(std::string_view function, const Plan& plan, const RunArrays& arrays, Executor& executor) {
  const CallerName caller(plan.problem(), function);
  // Checked before scratch is allocated, so that a call with wrong arrays allocates none.
  (void)check_arrays(caller, *plan.impl_, arrays, executor).value();
  const int64_t bytes = plan.scratch_bytes(executor.concurrency());
  std::byte* scratch = thread_scratch(bytes);
  if (scratch == nullptr && bytes > 0)
    throw caller.error(ErrorCode::out_of_memory, "no memory for " + std::to_string(bytes) + " bytes of scratch");
  (void)run_checked(caller, *plan.impl_, arrays, executor, {scratch, static_cast<size_t>(bytes)}).value();
}

void Plan::run(const RunArrays& arrays, Executor& executor) const { detail::run_as({}, *this, arrays, executor); }

void Plan::run(TensorView input, TensorSpan output, Executor& executor) const {
  run(RunArrays{.input = input, .output = output}, executor);
}

}  // namespace tidepool
