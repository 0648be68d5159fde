// A plan: the kernel chosen for a problem, its scratch size and how its work is split between threads. Make it once, run it many times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tidepool/error.h"
#include "tidepool/executor.h"
#include "tidepool/export.h"
#include "tidepool/options.h"
#include "tidepool/problem.h"
#include "tidepool/run_arrays.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1 {

class Plan;
namespace detail {
// Runs a plan for one of the library's functions, whose name errors begin with.
TIDEPOOL_API void run_as(std::string_view function, const Plan& plan, const RunArrays& arrays, Executor& executor);

// What the planner estimates the time of a kernel from: counts, and the name of their coefficients. For `tidepool tune --fit`.
struct CostInputs {
  std::string key;  // empty if the kernel does not fit
  std::vector<double> terms;
};
TIDEPOOL_API CostInputs cost_inputs(const Problem& problem, std::string_view kernel);
}  // namespace detail

// A kernel that was not chosen, and why.
struct Refusal {
  std::string_view kernel;
  std::string reason;
};

// Immutable: threads may share a plan and run it at the same time.
class TIDEPOOL_API Plan {
 public:
  const Problem& problem() const noexcept;
  std::string_view kernel() const noexcept;  // "columns"
  std::string_view target() const noexcept;  // "AVX3"
  int64_t scratch_bytes(int concurrency) const noexcept;
  const std::vector<Refusal>& refusals() const noexcept;
  // Several lines of text: the chosen kernel, the work split, and why each other kernel was not chosen.
  std::string explain() const;

  // Throws Error when an array does not match the problem; then nothing is written. Each thread keeps its scratch buffer, so that only a
  // run that needs a larger one allocates, or one that begins in the middle of another run on the same thread.
  void run(TensorView input, TensorSpan output, Executor& executor = default_executor()) const;
  void run(const RunArrays& arrays, Executor& executor = default_executor()) const;
  // As run, with the caller's scratch buffer: aligned to 64 bytes, at least scratch_bytes(executor.concurrency()) long. Returns the error.
  Status try_run(const RunArrays& arrays, Executor& executor, std::span<std::byte> scratch) const;

  // A move copies the pointer, so that a plan that was moved from is still this plan.
  Plan(const Plan&) = default;
  Plan& operator=(const Plan&) = default;
  ~Plan() = default;

  struct Impl;
  explicit Plan(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

 private:
  friend void detail::run_as(std::string_view function, const Plan& plan, const RunArrays& arrays, Executor& executor);
  std::shared_ptr<const Impl> impl_;
};

struct PlanOptions {
  NamedOnly named_only = NamedOnly::fields();
  std::string_view kernel = {};  // unset: the cheapest that fits
  std::string_view target = {};  // an instruction set of targets(); unset: current_target()
};

// The cheapest kernel that fits, or the one named `kernel`. Fails when none fits; the message says why.
TIDEPOOL_API Result<Plan> try_make_plan(const Problem& problem, std::string_view kernel = {});
TIDEPOOL_API Plan make_plan(const Problem& problem, std::string_view kernel = {});
// make_plan(problem, {.target = "AVX2"}). Fails also for a target that this CPU does not support.
TIDEPOOL_API Result<Plan> try_make_plan(const Problem& problem, const PlanOptions& options);
TIDEPOOL_API Plan make_plan(const Problem& problem, const PlanOptions& options);
// As make_plan, with a cache of the calling thread's recent plans.
TIDEPOOL_API Plan cached_plan(const Problem& problem);

// All kernels for the problem's op, dtype and pass on current_target(), whether or not they fit its geometry and layout.
TIDEPOOL_API std::vector<std::string_view> kernel_names(const Problem& problem);

}  // namespace tidepool::inline v0_1
