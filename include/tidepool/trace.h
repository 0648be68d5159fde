// Follows the functions that a thread calls: which ones, with which options, from which tensors. nn::network_of reads networks with it. See
// docs/autograd.md.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "tidepool/export.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1 {

struct CallOption {
  const char* name;  // "stride"
  std::vector<int64_t> values;
};

struct Call {
  const std::string& function;        // "conv2d"; for functions of record(), the name that was given there
  const std::vector<Tensor>& inputs;  // in the order of the arguments; optional ones may be undefined
  const std::vector<CallOption>& options;
  const Tensor& result;
};

// While an object of this class exists, `seen` is called after every function whose result is recorded for backward(), on this thread.
// Parts that an executor runs in parallel are not seen. A function that is made of others is seen as one. Every result has a grad_state()
// of its own, by which later calls name it.
class TIDEPOOL_API CallTrace {
 public:
  explicit CallTrace(std::function<void(const Call&)> seen);
  ~CallTrace();
  CallTrace(const CallTrace&) = delete;
  CallTrace& operator=(const CallTrace&) = delete;

 private:
  friend struct TraceAccess;
  std::function<void(const Call&)> seen_;
  CallTrace* before_;
};

// ---- for the implementation of functions -------------------------------------------------------------------------------------------

namespace detail {

TIDEPOOL_API bool tracing() noexcept;
// Stops tracing until the end of the scope.
class TIDEPOOL_API TracePause {
 public:
  TracePause() noexcept;
  ~TracePause();
  TracePause(const TracePause&) = delete;
  TracePause& operator=(const TracePause&) = delete;

 private:
  CallTrace* before_;
};
TIDEPOOL_API Tensor traced_result(const char* function, std::initializer_list<const Tensor*> inputs, const std::vector<CallOption>& options,
                                  Tensor result);

// Returns compute(), seen as one call. `options` is called only if somebody looks.
template <class Options, class Compute>
Tensor traced(const char* function, std::initializer_list<const Tensor*> inputs, const Options& options, const Compute& compute) {
  if (!tracing()) return compute();
  Tensor result = [&] {
    const TracePause pause;
    return compute();
  }();
  return traced_result(function, inputs, options(), std::move(result));
}

}  // namespace detail
}  // namespace tidepool::inline v0_1
