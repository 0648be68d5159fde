// A problem with its decisions made: which kernel, how much scratch, how the work is split. Make once, run often.
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
#include "tidepool/problem.h"
#include "tidepool/run_arrays.h"
#include "tidepool/tensor.h"

namespace tidepool {

class Plan;
namespace detail {
void run_as(std::string_view function, const Plan& plan, const RunArrays& arrays, Executor& executor);
}

// Why a kernel was passed over.
struct Refusal {
  std::string_view kernel;
  std::string reason;
};

// Immutable; may be shared between threads and run by many at once.
class Plan {
 public:
  const Problem& problem() const noexcept;
  std::string_view kernel() const noexcept;  // "columns"
  std::string_view target() const noexcept;  // "AVX3"
  int64_t scratch_bytes(int concurrency) const noexcept;
  const std::vector<Refusal>& refusals() const noexcept;
  // Some lines of text: the choice, its reasons, the split.
  std::string explain() const;

  // Throws Error when an array does not match the problem; nothing is written then. Allocates nothing once its
  // thread's scratch has grown to size.
  void run(TensorView input, TensorSpan output, Executor& executor = default_executor()) const;
  void run(const RunArrays& arrays, Executor& executor = default_executor()) const;
  // As run, with scratch of at least scratch_bytes(executor.concurrency()), and the error as a value.
  Status try_run(const RunArrays& arrays, Executor& executor, std::span<std::byte> scratch) const;

  struct Impl;
  explicit Plan(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

 private:
  friend void detail::run_as(std::string_view function, const Plan& plan, const RunArrays& arrays, Executor& executor);
  std::shared_ptr<const Impl> impl_;
};

// `kernel` forces one by name; an error says why when it does not fit.
Result<Plan> try_make_plan(const Problem& problem, std::string_view kernel = {});
Plan make_plan(const Problem& problem, std::string_view kernel = {});
// As make_plan, remembering recent plans of this thread.
Plan cached_plan(const Problem& problem);

// Every kernel there is for that problem's op, dtype and pass; the plan takes the cheapest that fits.
std::vector<std::string_view> kernel_names(const Problem& problem);

}  // namespace tidepool
