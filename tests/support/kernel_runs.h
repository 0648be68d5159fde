// Runs every kernel that fits a problem, and records which kernels ran.
#pragma once

#include <gtest/gtest.h>

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "support/arrays.h"
#include "support/counts.h"

namespace tidepool::test {

// One entry of the registry on the current target. Kernels of different ops, passes and dtypes share names and not code,
// and so do those with and without indices.
struct KernelId {
  Op op;
  Pass pass;
  DType dtype;
  bool stores_indices;
  std::string kernel;

  friend auto operator<=>(const KernelId&, const KernelId&) = default;
};
std::string to_string(const KernelId& id);  // "max fwd f32 columns", "max fwd f32 idx columns"

// Everything in the registry for the current target.
std::vector<KernelId> registered_kernels();

class KernelRuns {
 public:
  void add_run(const KernelId& id) { ++runs_[id], ++total_; }
  void add_refusal() { ++refusals_; }

  int64_t runs(const KernelId& id) const;
  int64_t runs() const { return total_; }
  int64_t refusals() const { return refusals_; }  // pairs of problem and kernel where the kernel does not fit

 private:
  std::map<KernelId, int64_t> runs_;
  int64_t total_ = 0, refusals_ = 0;
};

// Runs all kernels that fit on the job's arrays and compares each result. Fails at the first wrong result, and when no kernel fits.
// `runs` and `counts` are added to when given.
::testing::AssertionResult every_kernel_right(const Job& job, Executor& executor, uint64_t seed, KernelRuns* runs = nullptr,
                                              Counts* counts = nullptr);
// The same for one kernel; succeeds when it does not fit.
::testing::AssertionResult kernel_right(const Job& job, std::string_view kernel, Executor& executor, uint64_t seed, KernelRuns* runs,
                                        Counts* counts);

}  // namespace tidepool::test
