#include "support/compare.h"

#include <cinttypes>
#include <cstdio>

#include "reference/compare.h"
#include "support/guarded.h"

namespace tidepool::test {
namespace {

std::string at_text(const Dims& at) {
  std::string text = "[";
  for (int i = 0; i < at.rank; ++i) text += (i ? ", " : "") + std::to_string(at[i]);
  return text + "]";
}

}  // namespace

std::string cell_text(const TensorArg& array_arg, const Dims& at) {
  const TensorView& array = array_arg.view();
  char text[64];
  std::snprintf(text, sizeof text, "%.17g (0x%" PRIx64 ")", reference::cell_value(array, at), reference::cell_bits(array, at));
  return text;
}

::testing::AssertionResult close_enough(const TensorArg& expected_arg, const TensorArg& tolerance_arg, const TensorArg& actual_arg) {
  const TensorView& expected = expected_arg.view();
  const TensorView& tolerance = tolerance_arg.view();
  const TensorView& actual = actual_arg.view();
  if (expected.dtype != actual.dtype)
    return ::testing::AssertionFailure() << "expected dtype " << dtype_name(expected.dtype) << ", got " << dtype_name(actual.dtype);
  if (!(expected.shape == actual.shape))
    return ::testing::AssertionFailure() << "expected shape " << to_string(expected.shape) << ", got " << to_string(actual.shape);
  const auto mismatch = reference::compare(actual, expected, tolerance);
  if (!mismatch) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "at " << at_text(mismatch->at) << " expected " << cell_text(expected, mismatch->at) << ", got "
                                       << cell_text(actual, mismatch->at) << "; " << mismatch->count << " of " << expected.numel()
                                       << " cells differ";
}

::testing::AssertionResult same_bits(const TensorArg& expected, const TensorArg& actual) {
  return close_enough(expected, TensorView{}, actual);
}

::testing::AssertionResult runs_right(const Plan& plan, const Job& job, Executor& executor, uint64_t seed) {
  const auto failure = [&](const char* what) {
    return ::testing::AssertionFailure() << "\n  problem: " << to_string(job.problem) << "\n  kernel:  " << plan.kernel() << " on "
                                         << plan.target() << "\n  seed:    " << seed << "\n  " << what << " ";
  };
  // Results of an earlier run must not pass for results of this one.
  job.output.restore();
  if (job.problem.indices && !reads_indices(job.problem)) job.indices.restore();
  const GuardedScratch scratch(plan.scratch_bytes(executor.concurrency()));
  if (const Status status = plan.try_run(job.arrays(), executor, scratch.span()); !status)
    return failure("refused:") << status.error().message();
  if (!scratch.intact_before()) return failure("wrote before its scratch");
  const reference::Expected& expected = job.expected;
  const auto same = close_enough(expected.values, expected.tolerance, job.output.view());
  if (!same) return failure("values:") << same.message();
  if (!job.output.gaps_intact()) return failure("wrote outside the output's cells");
  if (!job.input.intact()) return failure("wrote into the input");
  if (reads_saved(job.problem) && !job.saved.intact()) return failure("wrote into the saved input");
  if (job.problem.pass == Pass::double_backward_input && !job.grad.intact()) return failure("wrote into the gradient");
  if (!job.problem.indices) return ::testing::AssertionSuccess();
  if (reads_indices(job.problem)) {
    if (!job.indices.intact()) return failure("wrote into the indices it reads");
    return ::testing::AssertionSuccess();
  }
  if (auto found = same_bits(expected.indices, job.indices.view()); !found) return failure("indices:") << found.message();
  if (!job.indices.gaps_intact()) return failure("wrote outside the indices' cells");
  return ::testing::AssertionSuccess();
}

}  // namespace tidepool::test
