#include "tidepool/plan.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

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
// For arrays larger than any memory a number that no allocation can satisfy.
static int64_t scratch_of(const Plan::Impl& plan, const Plan::Impl::WorkSplit& split) noexcept {
  constexpr int64_t most = INT64_MAX / 2;
  return plan.scratch_per_piece > most / std::max<int64_t>(split.pieces, 1) ? most : plan.scratch_per_piece * split.pieces;
}

int64_t Plan::scratch_bytes(int concurrency) const noexcept {
  const int64_t bytes = scratch_of(*impl_, impl_->work_split(concurrency));
  return impl_->any_columns ? std::max(bytes, impl_->any_columns->scratch_bytes(concurrency)) : bytes;
}
const std::vector<Refusal>& Plan::refusals() const noexcept { return impl_->refusals; }

// Runs the kernel, on scratch of the plan's size, with arguments that are complete.
static void run_kernel(const Plan::Impl& plan, const Plan::Impl::WorkSplit& split, const detail::KernelArgs& args, Executor& executor,
                       std::byte* scratch) {
  const auto run_pieces = [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      plan.kernel->run(args, {.begin = split.units * i / split.pieces,
                              .end = split.units * (i + 1) / split.pieces,
                              .scratch = scratch + i * plan.scratch_per_piece});
  };
  if (split.pieces == 1) {
    plan.kernel->run(args, {.begin = 0, .end = split.units, .scratch = scratch});
  } else {
    const detail::WaitScope wait;
    executor.parallel_for(split.pieces, 1, run_pieces);
  }
}

// The arguments of a run on arrays that have been checked.
static void set_arrays(const Plan::Impl& plan, const RunArrays& arrays, detail::KernelArgs* args) {
  const Geometry& g = plan.problem.geometry;
  args->input = arrays.input.data;
  args->output = arrays.output.data;
  args->input_strides = to_ncdhw_strides(arrays.input.strides, g);
  args->output_strides = to_ncdhw_strides(arrays.output.strides, g);
  if (plan.problem.indices) {
    const bool reads = reads_indices(plan.problem);
    // One pointer for both directions: kernels that read indices do not write through it.
    args->index = reads ? const_cast<std::byte*>(arrays.indices_in.data) : arrays.indices_out.data;
    args->index_strides = to_ncdhw_strides(reads ? arrays.indices_in.strides : arrays.indices_out.strides, g);
  }
  if (reads_saved(plan.problem)) {
    args->saved = arrays.saved.data;
    args->saved_strides = to_ncdhw_strides(arrays.saved.strides, g);
  }
  if (plan.problem.pass == Pass::double_backward_input) {
    args->grad = arrays.grad.data;
    args->grad_strides = to_ncdhw_strides(arrays.grad.strides, g);
  }
  if (needs_starts(plan.problem)) args->starts = arrays.starts.data_as<int64_t>();
}

Status Plan::try_run(const RunArrays& arrays, Executor& executor, std::span<std::byte> scratch) const {
  const CallerName caller(problem());
  if (Status s = detail::check_arrays(caller, *impl_, arrays, executor); !s) return s;
  if (impl_->units == 0) return Ok{};
  if (detail::needs_any_columns(*impl_, arrays)) return impl_->any_columns->try_run(arrays, executor, scratch);
  const Impl::WorkSplit split = impl_->work_split(executor.concurrency());
  const int64_t bytes = scratch_of(*impl_, split);
  if (static_cast<int64_t>(scratch.size()) < bytes)
    return caller.error(ErrorCode::invalid_argument,
                        "scratch must have at least " + std::to_string(bytes) + " bytes, got " + std::to_string(scratch.size()));
  if (bytes > 0 && reinterpret_cast<uintptr_t>(scratch.data()) % 64 != 0)
    return caller.error(ErrorCode::invalid_argument, "scratch must be aligned to 64 bytes");
  detail::KernelArgs args = impl_->args;
  set_arrays(*impl_, arrays, &args);
  if (split.channel_groups > 1) group_channels(args, split.channel_groups);
  run_kernel(*impl_, split, args, executor, scratch.data());
  return Ok{};
}

// Runs the kernel on the thread's own scratch.
static void run_on_lease(const CallerName& caller, const Plan::Impl& plan, detail::KernelArgs& args, Executor& executor) {
  if (plan.units == 0) return;
  const Plan::Impl::WorkSplit split = plan.work_split(executor.concurrency());
  if (split.channel_groups > 1) group_channels(args, split.channel_groups);
  if (plan.scratch_per_piece == 0) return run_kernel(plan, split, args, executor, nullptr);
  const int64_t bytes = scratch_of(plan, split);
  const detail::ScratchLease scratch(bytes);
  if (!scratch.ok()) throw caller.error(ErrorCode::out_of_memory, "no memory for " + std::to_string(bytes) + " bytes of scratch");
  run_kernel(plan, split, args, executor, scratch.span().data());
}

// A run on arrays as the fast path expects them: their strides are in the plan's arguments.
static void run_fast_path(const CallerName& caller, const Plan::Impl& plan, const std::byte* input, std::byte* output, std::byte* indices,
                          Executor& executor) {
  // Compilers copy a struct of this size by `rep movs`, which starts slowly: memcpy is faster, if they do not know the size.
  alignas(detail::KernelArgs) std::byte memory[sizeof(detail::KernelArgs)];
  const volatile size_t size = sizeof memory;
  static_assert(std::is_trivially_copyable_v<detail::KernelArgs>);
  auto* args = static_cast<detail::KernelArgs*>(std::memcpy(memory, &plan.args, size));
  args->input = input, args->output = output, args->index = indices;
  run_on_lease(caller, plan, *args, executor);
}

void detail::run_as(std::string_view function, const Plan& plan, const RunArrays& arrays, Executor& executor) {
  const Plan::Impl& impl = *plan.impl_;
  const CallerName caller(impl.problem, function);
  if (matches_fast_path(impl, arrays.input, arrays.output, &arrays.indices_out))
    return run_fast_path(caller, impl, arrays.input.data, arrays.output.data, impl.problem.indices ? arrays.indices_out.data : nullptr,
                         executor);
  // Checked before scratch is allocated, so that a call with wrong arrays allocates none.
  (void)check_arrays(caller, impl, arrays, executor).value();
  if (needs_any_columns(impl, arrays)) return run_as(function, *impl.any_columns, arrays, executor);
  KernelArgs args = impl.args;
  set_arrays(impl, arrays, &args);
  run_on_lease(caller, impl, args, executor);
}

void Plan::run(const RunArrays& arrays, Executor& executor) const { detail::run_as({}, *this, arrays, executor); }

// Most runs have no other arrays: without them, RunArrays need not be made.
void Plan::run(TensorView input, TensorSpan output, Executor& executor) const {
  if (!impl_->problem.indices && detail::matches_fast_path(*impl_, input, output, nullptr))
    return run_fast_path(CallerName(problem()), *impl_, input.data, output.data, nullptr, executor);
  run(RunArrays{.input = input, .output = output}, executor);
}

}  // namespace tidepool::inline v0_1
