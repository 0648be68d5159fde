#include "support/kernel_runs.h"

#include "support/compare.h"

namespace tidepool::test {
namespace {

constexpr Op all_ops[] = {Op::max, Op::min, Op::avg, Op::sum, Op::lp, Op::unpool};
constexpr Pass all_passes[] = {Pass::forward, Pass::backward, Pass::double_backward, Pass::double_backward_input};

// "adaptive_max_pool2d", as docs/conformance.md lists it.
std::string counted_op(const Problem& problem) {
  const Axis& axis = problem.geometry.width();
  const char* windows = axis.is_adaptive() ? "adaptive_" : axis.is_fractional() ? "fractional_" : "";
  return windows + function_name(problem.op, problem.geometry.rank());
}

std::string counted_pass(Pass pass) {
  switch (pass) {
    case Pass::forward:
      return "forward";
    case Pass::backward:
      return "backward";
    case Pass::double_backward:
      return "double_backward";
    default:
      return "double_backward_input";
  }
}

bool stores_indices(const Problem& p) { return p.indices && p.pass == Pass::forward && (p.op == Op::max || p.op == Op::min); }

}  // namespace

std::string to_string(const KernelId& id) {
  std::string text;
  for (std::string_view word : {op_name(id.op), pass_name(id.pass), dtype_name(id.dtype)}) text.append(word).append(" ");
  return text + (id.stores_indices ? "idx " : "") + id.kernel;
}

std::vector<KernelId> registered_kernels() {
  std::vector<KernelId> all;
  for (Op op : all_ops)
    for (Pass pass : all_passes)
      for (DType dtype : all_dtypes)
        for (bool indices : {false, true}) {
          Problem problem{.op = op, .pass = pass, .dtype = dtype};
          if (indices) problem.indices = IndexBase::window;
          if (indices && !stores_indices(problem)) continue;
          for (std::string_view kernel : kernel_names(problem)) all.push_back({op, pass, dtype, indices, std::string(kernel)});
        }
  return all;
}

int64_t KernelRuns::runs(const KernelId& id) const {
  const auto found = runs_.find(id);
  return found == runs_.end() ? 0 : found->second;
}

::testing::AssertionResult kernel_right(const Job& job, std::string_view kernel, Executor& executor, uint64_t seed, KernelRuns* runs,
                                        Counts* counts) {
  const Problem& problem = job.problem;
  const std::string op = counted_op(problem), dtype(dtype_name(problem.dtype)), pass = counted_pass(problem.pass);
  const Result<Plan> plan = try_make_plan(problem, kernel);
  if (!plan) {
    if (runs != nullptr) runs->add_refusal();
    if (counts != nullptr) counts->add_refusal(op, dtype, pass);
    return ::testing::AssertionSuccess();
  }
  const auto right = runs_right(*plan, job, executor, seed);
  if (runs != nullptr) runs->add_run({problem.op, problem.pass, problem.dtype, stores_indices(problem), std::string(plan->kernel())});
  if (counts != nullptr) counts->add(op, dtype, pass, static_cast<bool>(right));
  return right;
}

::testing::AssertionResult every_kernel_right(const Job& job, Executor& executor, uint64_t seed, KernelRuns* runs, Counts* counts) {
  const std::vector<std::string_view> kernels = kernel_names(job.problem);
  KernelRuns local;
  KernelRuns& recorded = runs != nullptr ? *runs : local;
  const int64_t before = recorded.runs();
  for (std::string_view kernel : kernels)
    if (const auto right = kernel_right(job, kernel, executor, seed, &recorded, counts); !right) return right;
  if (recorded.runs() == before) return ::testing::AssertionFailure() << "no kernel fits " << to_string(job.problem);
  return ::testing::AssertionSuccess();
}

}  // namespace tidepool::test
