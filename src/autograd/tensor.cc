// The member functions of Tensor that concern gradients.
#include "autograd/node.h"
#include "tidepool/functional.h"

namespace tidepool {

bool Tensor::requires_grad() const noexcept { return graph_ && static_cast<const detail::State&>(*graph_).requires_grad; }

Tensor& Tensor::set_requires_grad(bool on) {
  if (on && !is_floating(dtype()))
    throw Error(ErrorCode::dtype_mismatch, "set_requires_grad: dtype must be floating, got " + std::string(dtype_name(dtype())));
  if (!on && graph_ && detail::state_of(*this)->node)
    throw Error(ErrorCode::invalid_argument,
                "set_requires_grad: the result of a recorded function must require gradients, got false (use detach)");
  if (!graph_ && on) graph_ = std::make_shared<detail::State>();
  if (graph_) detail::state_of(*this)->requires_grad = on;
  return *this;
}

void Tensor::backward() const { detail::run_backward(*this, {}, nullptr, nullptr); }

void Tensor::backward(const Tensor& gradient, bool retain_graph, bool create_graph) const {
  detail::run_backward(*this, {.gradient = gradient, .retain_graph = retain_graph, .create_graph = create_graph}, nullptr, nullptr);
}

Tensor Tensor::grad() const { return graph_ ? detail::state_of(*this)->grad : Tensor(); }

void Tensor::set_grad(const Tensor& gradient) {
  if (!requires_grad())
    throw Error(ErrorCode::invalid_argument,
                "set_grad: tensor must require gradients, got one that does not (shape " + to_string(shape()) + ")");
  if (gradient.defined() && gradient.shape() != shape())
    throw Error(ErrorCode::shape_mismatch,
                "set_grad: gradient must have the tensor's shape " + to_string(shape()) + ", got " + to_string(gradient.shape()));
  detail::state_of(*this)->grad = gradient;
}

void Tensor::zero_grad() {
  if (graph_) detail::state_of(*this)->grad = Tensor();
}

namespace detail {
namespace {

using View = std::function<Tensor(const Tensor&)>;

// A view of x, and how the gradient of the view becomes one of x.
Tensor recorded_view(const char* op, const Tensor& x, const View& view, View back) {
  Tensor value = view(x.detach());
  if (!recording(x)) return value;
  return record(op, {x}, value, [back = std::move(back)](const Tensor& g) { return Gradients{back(g)}; });
}

}  // namespace

Tensor State::transpose(const Tensor& x, int dim0, int dim1) const {
  const View swap = [=](const Tensor& t) { return t.transpose(dim0, dim1); };
  return recorded_view("transpose", x, swap, swap);
}

Tensor State::slice(const Tensor& x, int dim, int64_t start, int64_t stop, int64_t step) const {
  const View cut = [=](const Tensor& t) { return t.slice(dim, start, stop, step); };
  return recorded_view("slice", x, cut,
                       [=, shape = x.shape()](const Tensor& g) { return slice_backward(g, shape, dim, start, stop, step); });
}

Tensor State::reshape(const Tensor& x, const Dims& shape) const {
  return recorded_view(
      "reshape", x, [&](const Tensor& t) { return t.reshape(shape); },
      [before = x.shape()](const Tensor& g) { return tidepool::reshape(g, before); });
}

Tensor State::clone(const Tensor& x, MemoryFormat format) const {
  return recorded_view("clone", x, [&](const Tensor& t) { return t.clone(format); }, [](const Tensor& g) { return g; });
}

Tensor State::to(const Tensor& x, DType target) const {
  if (!is_floating(target)) return x.detach().to(target);
  return recorded_view("to", x, [&](const Tensor& t) { return t.to(target); }, [from = x.dtype()](const Tensor& g) { return g.to(from); });
}

}  // namespace detail
}  // namespace tidepool
