#include <utility>

#include "autograd/node.h"

namespace tidepool::inline v0_1 {
namespace {

thread_local bool enabled = true;

std::shared_ptr<detail::Node> make_node(std::string op, const std::vector<Tensor>& inputs) {
  auto node = std::make_shared<detail::Node>();
  node->op = std::move(op);
  for (const Tensor& x : inputs) {
    node->inputs.push_back(x.requires_grad() ? x.grad_state() : nullptr);
    node->shapes.push_back(x.shape());
  }
  return node;
}

bool any_recording(const std::vector<Tensor>& inputs) {
  for (const Tensor& x : inputs)
    if (recording(x)) return true;
  return false;
}

Tensor result_of(std::shared_ptr<detail::Node> node, const Tensor& value) {
  auto state = std::make_shared<detail::GradState>();
  state->node = std::move(node);
  Tensor result = value.detach();
  result.set_grad_state(std::move(state));
  return result;
}

}  // namespace

NoGrad::NoGrad() noexcept : previous_(std::exchange(enabled, false)) {}
NoGrad::~NoGrad() { enabled = previous_; }
EnableGrad::EnableGrad() noexcept : previous_(std::exchange(enabled, true)) {}
EnableGrad::~EnableGrad() { enabled = previous_; }
bool grad_enabled() noexcept { return enabled; }
bool recording(const Tensor& x) noexcept { return enabled && x.requires_grad(); }

Tensor record(std::string op, const std::vector<Tensor>& inputs, Tensor value, Rule rule) {
  if (!any_recording(inputs)) return value;
  auto node = make_node(std::move(op), inputs);
  node->rule = std::move(rule);
  return result_of(std::move(node), value);
}

Tensor record_output(std::string op, const std::vector<Tensor>& inputs, Tensor value, OutputRule rule) {
  if (!any_recording(inputs)) return value;
  auto node = make_node(std::move(op), inputs);
  node->output_rule = std::move(rule);
  node->output = value.detach();
  node->output_version = value.version();
  return result_of(std::move(node), value);
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

void Node::free() {
  rule = nullptr;
  output_rule = nullptr;
  output = Tensor();
}

// Destroying a long chain of nodes recursively would overflow the stack. Nested destructors therefore move their inputs to a list of the
// outermost destructor, which releases them in a loop.
Node::~Node() {
  thread_local std::vector<std::shared_ptr<GradState>>* pending = nullptr;
  std::vector<std::shared_ptr<GradState>> own;
  const bool outermost = pending == nullptr;
  if (outermost) pending = &own;
  for (auto& input : inputs)
    if (input) pending->push_back(std::move(input));
  inputs.clear();
  free();
  if (!outermost) return;
  while (!own.empty()) {
    const std::shared_ptr<GradState> last = std::move(own.back());
    own.pop_back();
  }
  pending = nullptr;
}

}  // namespace detail
}  // namespace tidepool::inline v0_1
