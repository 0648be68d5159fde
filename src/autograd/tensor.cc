// The member functions of Tensor that concern gradients.
#include "autograd/node.h"

namespace tidepool::inline v0_1 {

bool Tensor::requires_grad() const noexcept { return grad_state_ && grad_state_->requires_grad; }

Tensor& Tensor::set_requires_grad(bool on) {
  if (on && !defined()) detail::throw_undefined("set_requires_grad");
  if (on && !is_floating(dtype()))
    throw Error(ErrorCode::dtype_mismatch, "set_requires_grad: dtype must be floating, got " + std::string(dtype_name(dtype())));
  if (!on && grad_state_ && grad_state_->node)
    throw Error(ErrorCode::invalid_argument,
                "set_requires_grad: the result of a recorded function must require gradients, got false (use detach)");
  if (!grad_state_ && on) grad_state_ = std::make_shared<detail::GradState>();
  if (grad_state_) grad_state_->requires_grad = on;
  return *this;
}

void Tensor::backward() const { detail::run_backward(*this, {}); }

void Tensor::backward(const Tensor& gradient, bool retain_graph, bool create_graph) const {
  detail::run_backward(*this, {.gradient = gradient, .retain_graph = retain_graph, .create_graph = create_graph});
}

Tensor Tensor::grad() const { return grad_state_ ? grad_state_->grad.get() : Tensor(); }

void Tensor::set_grad(const Tensor& gradient) {
  if (!requires_grad())
    throw Error(ErrorCode::invalid_argument,
                "set_grad: tensor must require gradients, got one that does not (shape " + to_string(shape()) + ")");
  if (gradient.defined() && gradient.shape() != shape())
    throw Error(ErrorCode::shape_mismatch,
                "set_grad: gradient must have the tensor's shape " + to_string(shape()) + ", got " + to_string(gradient.shape()));
  if (gradient.defined() && gradient.dtype() != dtype())
    throw Error(ErrorCode::dtype_mismatch, "set_grad: gradient must have the tensor's dtype " + std::string(dtype_name(dtype())) +
                                               ", got " + std::string(dtype_name(gradient.dtype())));
  grad_state_->grad.set(gradient);
}

void Tensor::zero_grad() {
  if (grad_state_) grad_state_->grad.set(Tensor());
}

}  // namespace tidepool::inline v0_1
