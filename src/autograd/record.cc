#include <mutex>
#include <utility>

#include "autograd/node.h"
#include "autograd/trace.h"
#include "core/fork.h"
#include "core/thread_state.h"

namespace tidepool::inline v0_1 {
namespace {

bool any_recording(const std::vector<Tensor>& inputs) {
  for (const Tensor& x : inputs)
    if (recording(x)) return true;
  return false;
}

Tensor result_of(std::string op, const std::vector<Tensor>& inputs, const Tensor& value, detail::BackwardRule rule) {
  auto node = std::make_shared<detail::Node>(std::move(op), inputs, std::make_shared<const detail::BackwardRule>(std::move(rule)));
  Tensor result = value.detach();
  result.set_grad_state(std::make_shared<detail::GradState>(node));
  detail::see_call(node->op, inputs, result);
  return result;
}

}  // namespace

NoGrad::NoGrad() noexcept : previous_(std::exchange(detail::thread_state.recording, false)) {}
NoGrad::~NoGrad() { detail::thread_state.recording = previous_; }
EnableGrad::EnableGrad() noexcept : previous_(std::exchange(detail::thread_state.recording, true)) {}
EnableGrad::~EnableGrad() { detail::thread_state.recording = previous_; }
bool grad_enabled() noexcept { return detail::thread_state.recording; }
bool recording(const Tensor& x) noexcept { return detail::thread_state.recording && x.requires_grad(); }

Tensor record(std::string op, const std::vector<Tensor>& inputs, Tensor value, Rule rule) {
  if (!any_recording(inputs)) return value;
  return result_of(std::move(op), inputs, value, {.rule = std::move(rule), .output_rule = {}, .output = {}});
}

Tensor record_output(std::string op, const std::vector<Tensor>& inputs, Tensor value, OutputRule rule) {
  if (!any_recording(inputs)) return value;
  const uint64_t version = value.version();
  return result_of(std::move(op), inputs, value,
                   {.rule = {}, .output_rule = std::move(rule), .output = value.detach(), .output_version = version});
}

const Tensor& Saved::get() const {
  if (tensor_.version() == version_) return tensor_;
  throw Error(ErrorCode::aliasing, detail::running_op() + " backward: a tensor it kept must not be changed in place, got version " +
                                       std::to_string(tensor_.version()) + " for version " + std::to_string(version_) + " (shape " +
                                       to_string(tensor_.shape()) + ")");
}

void check_in_place(const char* op, const Tensor& x) {
  if (!recording(x)) return;
  throw Error(ErrorCode::aliasing, std::string(op) + ": a tensor that requires gradients must not be changed in place, got shape " +
                                       to_string(x.shape()) + " (use NoGrad, or a function that makes a new tensor)");
}

void check_not_recording(const char* op, const char* name, const TensorArg& x) {
  if (!recording(x)) return;
  throw Error(ErrorCode::invalid_argument, std::string(op) + ": " + name + " must not require gradients, got one that does (shape " +
                                               to_string(x.shape()) + "; use detach, NoGrad, or the function that returns a tensor)");
}

namespace detail {

Node::Node(std::string name, const std::vector<Tensor>& arguments, std::shared_ptr<const BackwardRule> rule)
    : op(std::move(name)), rule_(std::move(rule)) {
  for (const Tensor& x : arguments) {
    inputs.push_back(x.requires_grad() ? x.grad_state() : nullptr);
    shapes.push_back(x.shape());
    dtypes.push_back(x.dtype());
  }
}

std::shared_ptr<const BackwardRule> Node::rule() const {
  const std::lock_guard lock(mutex_of(this));
  return rule_;
}

std::shared_ptr<const BackwardRule> Node::take_rule() {
  const std::lock_guard lock(mutex_of(this));
  return std::exchange(rule_, nullptr);
}

void Node::restore_rule(std::shared_ptr<const BackwardRule> rule) {
  const std::lock_guard lock(mutex_of(this));
  std::swap(rule_, rule);
}

// Destroying a long chain of nodes recursively would overflow the stack. Nested destructors therefore move their inputs to a list of the
// outermost destructor, which releases them in a loop. The list goes through the states themselves, because a destructor must not allocate:
// it may run for lack of memory. Only states without another owner are put there; the others are not destroyed now.
Node::~Node() {
  constinit static thread_local std::shared_ptr<GradState>* pending = nullptr;
  std::shared_ptr<GradState> own;
  const bool outermost = pending == nullptr;
  if (outermost) pending = &own;
  rule_ = nullptr;  // first, because rules keep inputs too
  for (std::shared_ptr<GradState>& input : inputs) {
    if (input.use_count() != 1) {
      input.reset();  // the same input may follow
      continue;
    }
    input->next_to_release = std::move(*pending);
    *pending = std::move(input);
  }
  if (!outermost) return;
  while (own) {
    const std::shared_ptr<GradState> first = std::move(own);
    own = std::move(first->next_to_release);
  }
  pending = nullptr;
}

}  // namespace detail
}  // namespace tidepool::inline v0_1
