#include "autograd/trace.h"

#include <utility>

#include "core/thread_state.h"
#include "tidepool/autograd.h"

namespace tidepool::inline v0_1 {

struct TraceAccess {
  static void see(const Call& call) {
    CallTrace* const trace = detail::thread_state.trace;
    const detail::TracePause pause;  // what the observer calls is its own
    trace->seen_(call);
  }
};

CallTrace::CallTrace(std::function<void(const Call&)> seen)
    : seen_(std::move(seen)), before_(std::exchange(detail::thread_state.trace, this)) {}
CallTrace::~CallTrace() { detail::thread_state.trace = before_; }

namespace detail {

bool tracing() noexcept { return thread_state.trace != nullptr; }

TracePause::TracePause() noexcept : before_(std::exchange(thread_state.trace, nullptr)) {}
TracePause::~TracePause() { thread_state.trace = before_; }

void see_call(const std::string& function, const std::vector<Tensor>& inputs, const Tensor& result) {
  if (tracing()) TraceAccess::see({function, inputs, {}, result});
}

Tensor traced_result(const char* function, std::initializer_list<const Tensor*> arguments, const std::vector<CallOption>& options,
                     Tensor result) {
  std::vector<Tensor> inputs;
  const Tensor* unchanged = nullptr;  // the argument that is returned itself
  for (const Tensor* argument : arguments) {
    inputs.push_back(*argument);
    if (argument->requires_grad() && argument->grad_state() == result.grad_state()) unchanged = argument;
  }
  if (!recording(result)) return result;
  if (unchanged != nullptr) {
    const TracePause pause;
    result = record(function, {*unchanged}, result.detach(), [](const Tensor& g) { return Gradients{g}; });
  }
  TraceAccess::see({function, inputs, options, result});
  return result;
}

}  // namespace detail
}  // namespace tidepool::inline v0_1
