#include "check.h"

#include "reference/reference.h"
#include "words.h"

namespace tidepool::cli {

namespace {

std::string place(const Geometry& geometry, const Dims& at) {
  std::string text;
  for (int i = 0; i < at.rank; ++i) {
    const int dim = i + (geometry.batched() ? 0 : 1);
    const std::string name = dim == 0 ? "n" : dim == 1 ? "c" : std::string(axis_name(geometry.rank(), dim - 2));
    join(text, name + "=" + std::to_string(at[i]), ", ");
  }
  return text;
}

}  // namespace

Verdict check_arrays(const Problem& problem, const RunArrays& arrays, std::atomic<int64_t>* done) {
  const reference::Expected expected = reference::compute(problem, arrays, done);
  Verdict verdict{.exact = expected.tolerance.numel() == 0, .fault = std::nullopt};
  const auto blame = [&](const char* array, const reference::Mismatch& wrong) {
    verdict.fault = {array, place(problem.geometry, wrong.at), wrong};
  };
  if (const auto wrong = reference::compare(arrays.output, expected.values, expected.tolerance)) {
    blame("values", *wrong);
  } else if (problem.indices && !reads_indices(problem)) {
    if (const auto where = reference::compare_bits(arrays.indices_out, expected.indices)) blame("indices", *where);
  }
  return verdict;
}

}  // namespace tidepool::cli
