#include "support/compare.h"

#include <cinttypes>
#include <cmath>
#include <cstdio>

#include "support/cells.h"

namespace tidepool::test {
namespace {

uint64_t bits_at(TensorView array, const Dims& at) {
  switch (dtype_size(array.dtype)) {
    case 1:
      return get<uint8_t>(array, at);
    case 2:
      return get<uint16_t>(array, at);
    case 4:
      return get<uint32_t>(array, at);
    default:
      return get<uint64_t>(array, at);
  }
}

std::string at_text(const Dims& at) {
  std::string text = "[";
  for (int i = 0; i < at.rank; ++i) text += (i ? ", " : "") + std::to_string(at[i]);
  return text + "]";
}

double value_at(TensorView array, const Dims& at) {
  return dispatch(array.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, bool>) {
      return static_cast<double>(get<uint8_t>(array, at));
    } else if constexpr (std::is_arithmetic_v<T>) {
      return static_cast<double>(get<T>(array, at));
    } else {
      return static_cast<double>(static_cast<float>(get<T>(array, at)));
    }
  });
}

// same(at) decides cell by cell.
template <class Same>
::testing::AssertionResult compare(TensorView expected, TensorView actual, Same same) {
  if (expected.dtype != actual.dtype)
    return ::testing::AssertionFailure() << "expected dtype " << dtype_name(expected.dtype) << ", got " << dtype_name(actual.dtype);
  if (!(expected.shape == actual.shape))
    return ::testing::AssertionFailure() << "expected shape " << to_string(expected.shape) << ", got " << to_string(actual.shape);
  int64_t wrong = 0;
  std::string first;
  for_each_cell(expected.shape, [&](const Dims& at) {
    if (same(at)) return;
    if (++wrong == 1) first = "at " + at_text(at) + " expected " + cell_text(expected, at) + ", got " + cell_text(actual, at);
  });
  if (wrong == 0) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << first << "; " << wrong << " of " << expected.numel() << " cells differ";
}

}  // namespace

std::string cell_text(TensorView array, const Dims& at) {
  char text[64];
  std::snprintf(text, sizeof text, "%.17g (0x%" PRIx64 ")", value_at(array, at), bits_at(array, at));
  return text;
}

::testing::AssertionResult same_bits(TensorView expected, TensorView actual) {
  return compare(expected, actual, [&](const Dims& at) { return bits_at(expected, at) == bits_at(actual, at); });
}

::testing::AssertionResult close_enough(TensorView expected, TensorView tolerance, TensorView actual) {
  return compare(expected, actual, [&](const Dims& at) {
    const double e = value_at(expected, at), a = value_at(actual, at), room = value_at(tolerance, at);
    return e == a || (std::isnan(e) && std::isnan(a)) || std::isinf(room) || std::abs(e - a) <= room;
  });
}

::testing::AssertionResult runs_right(const Plan& plan, const Job& job, Executor& executor, uint64_t seed) {
  const auto failure = [&](const char* what) {
    return ::testing::AssertionFailure() << "\n  problem: " << to_string(job.problem) << "\n  kernel:  " << plan.kernel() << " on "
                                         << plan.target() << "\n  seed:    " << seed << "\n  " << what << " ";
  };
  try {
    plan.run(job.arrays(), executor);
  } catch (const Error& error) {
    return failure("refused:") << error.message();
  }
  const oracle::Expected& expected = job.expected;
  const auto same = expected.tolerance.numel() == 0 ? same_bits(expected.values, job.output.view())
                                                    : close_enough(expected.values, expected.tolerance, job.output.view());
  if (!same) return failure("values:") << same.message();
  if (!job.output.gaps_intact()) return failure("wrote outside the output's cells");
  if (!job.input.intact()) return failure("wrote into the input");
  if (reads_saved(job.problem) && !job.saved.intact()) return failure("wrote into the saved input");
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
