#include "tidepool/plan.h"

#include <algorithm>

#include "core/thread_state.h"
#include "plan/plan_impl.h"
#include "plan/run.h"
#include "plan/scratch.h"

namespace tidepool::inline v0_1 {
using detail::CallerName;
using detail::needs_starts;
using detail::to_ncdhw_strides;

Plan::Impl::WorkSplit Plan::Impl::work_split(int concurrency) const noexcept {
  constexpr int64_t least_channels = 32;  // two cache lines of f32 per channel group, so that threads do not share a line
  WorkSplit split{.units = units};
  if (concurrency <= 1) return split;
  if (may_group_channels && units < concurrency) {
    // Callers may give any concurrency. More groups than this make no run faster, and trying every number below it takes no time.
    constexpr int64_t most_groups = 4096;
    for (int64_t g = std::min<int64_t>({concurrency, args.channels / least_channels, most_groups}); g > 1 && split.channel_groups == 1; --g)
      if (args.channels % (g * least_channels) == 0) split.channel_groups = g;
    split.units = units * split.channel_groups;
  }
  if (split.units <= grain) return split;
  // Four pieces per thread balance uneven pieces. Below that, round down to a multiple of the thread count.
  split.pieces = std::clamp<int64_t>(split.units / grain, 1, int64_t{4} * concurrency);
  if (split.pieces > concurrency) split.pieces = split.pieces / concurrency * concurrency;
  return split;
}

// Treats one channels-last image as a batch of `groups` images, each with a part of the channels: more units of work for the threads. The
// result is the same, because every channel is pooled on its own.
static void group_channels(detail::KernelArgs& a, int64_t groups) noexcept {
  a.batch = groups, a.channels /= groups;
  for (detail::Strides5* s : {&a.input_strides, &a.output_strides, &a.index_strides, &a.saved_strides, &a.grad_strides})
    (*s)[detail::dim_n] = a.channels * (*s)[detail::dim_c];
}

const Problem& Plan::problem() const noexcept { return impl_->problem; }
std::string_view Plan::kernel() const noexcept { return impl_->kernel->name; }
std::string_view Plan::target() const noexcept { return impl_->target; }
int64_t Plan::scratch_bytes(int concurrency) const noexcept { return impl_->scratch_per_piece * impl_->work_split(concurrency).pieces; }
const std::vector<Refusal>& Plan::refusals() const noexcept { return impl_->refusals; }

// Runs the kernel on arrays that have been checked.
static Status run_checked(const CallerName& caller, const Plan::Impl& plan, const RunArrays& arrays, Executor& executor, int concurrency,
                          std::span<std::byte> scratch) {
  const Geometry& g = plan.problem.geometry;
  if (plan.units == 0) return Ok{};
  const auto [channel_groups, units, pieces] = plan.work_split(concurrency);
  const int64_t bytes = plan.scratch_per_piece * pieces;
  if (static_cast<int64_t>(scratch.size()) < bytes)
    return caller.error(ErrorCode::invalid_argument,
                        "scratch must have at least " + std::to_string(bytes) + " bytes, got " + std::to_string(scratch.size()));
  if (bytes > 0 && reinterpret_cast<uintptr_t>(scratch.data()) % 64 != 0)
    return caller.error(ErrorCode::invalid_argument, "scratch must be aligned to 64 bytes");
  detail::KernelArgs args = plan.args;
  args.input = arrays.input.data;
  args.output = arrays.output.data;
  args.input_strides = to_ncdhw_strides(arrays.input.strides, g);
  args.output_strides = to_ncdhw_strides(arrays.output.strides, g);
  if (plan.problem.indices) {
    const bool reads = reads_indices(plan.problem);
    // One pointer for both directions: kernels that read indices do not write through it.
    args.index = reads ? const_cast<std::byte*>(arrays.indices_in.data) : arrays.indices_out.data;
    args.index_strides = to_ncdhw_strides(reads ? arrays.indices_in.strides : arrays.indices_out.strides, g);
  }
  if (reads_saved(plan.problem)) {
    args.saved = arrays.saved.data;
    args.saved_strides = to_ncdhw_strides(arrays.saved.strides, g);
  }
  if (plan.problem.pass == Pass::double_backward_input) {
    args.grad = arrays.grad.data;
    args.grad_strides = to_ncdhw_strides(arrays.grad.strides, g);
  }
  if (needs_starts(plan.problem)) args.starts = arrays.starts.data_as<int64_t>();
  if (channel_groups > 1) group_channels(args, channel_groups);
  const auto run_pieces = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      plan.kernel->run(
          args, {.begin = units * i / pieces, .end = units * (i + 1) / pieces, .scratch = scratch.data() + i * plan.scratch_per_piece});
  };
  if (pieces == 1) {
    run_pieces(0, 1);
  } else {
    const detail::WaitScope wait;
    executor.parallel_for(pieces, 1, run_pieces);
  }
  return Ok{};
}

Status Plan::try_run(const RunArrays& arrays, Executor& executor, std::span<std::byte> scratch) const {
  const CallerName caller(problem());
  if (Status s = detail::check_arrays(caller, *impl_, arrays, executor); !s) return s;
  return run_checked(caller, *impl_, arrays, executor, executor.concurrency(), scratch);
}

void detail::run_as(std::string_view function, const Plan& plan, const RunArrays& arrays, Executor& executor) {
  const CallerName caller(plan.problem(), function);
  // Checked before scratch is allocated, so that a call with wrong arrays allocates none.
  (void)check_arrays(caller, *plan.impl_, arrays, executor).value();
  const int concurrency = executor.concurrency();  // once, because the size of a thread pool may change
  const int64_t bytes = plan.scratch_bytes(concurrency);
  const ScratchLease scratch(bytes);
  if (!scratch.ok()) throw caller.error(ErrorCode::out_of_memory, "no memory for " + std::to_string(bytes) + " bytes of scratch");
  (void)run_checked(caller, *plan.impl_, arrays, executor, concurrency, scratch.span()).value();
}

void Plan::run(const RunArrays& arrays, Executor& executor) const { detail::run_as({}, *this, arrays, executor); }

void Plan::run(TensorView input, TensorSpan output, Executor& executor) const {
  run(RunArrays{.input = input, .output = output}, executor);
}

}  // namespace tidepool::inline v0_1
