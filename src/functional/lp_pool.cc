// A norm is curved: its backward pass is a function of the gradient and of the input, with a rule of its own.
#include "functional/linear.h"
#include "tidepool/functional/pooling.h"

namespace tidepool {
namespace {

struct Passes {
  std::string op;
  std::function<Tensor(TensorView grad, TensorView x)> backward;
  std::function<Tensor(TensorView gg, TensorView x)> to_gradient;
  std::function<Tensor(TensorView gg, TensorView grad, TensorView x)> to_input;
};

// The library computes two derivatives of a norm. A silent zero for the third would be wrong.
Tensor third_refused(const std::string& op, const std::vector<Tensor>& inputs, const Tensor& value) {
  return record(op, inputs, value, [op](const Tensor&) -> Gradients {
    throw Error(ErrorCode::unsupported, op + " backward: derivatives must be at most the second, got the third");
  });
}

Tensor backward(const Passes& p, const Tensor& g, const Tensor& x) {
  Tensor value = p.backward(g, x);
  if (!recording(g) && !recording(x)) return value;
  return record(p.op, {g, x}, value, [p, g = Saved(g), x = Saved(x)](const Tensor& gg) {
    return Gradients{third_refused(p.op, {gg, x.get()}, p.to_gradient(gg, x.get())),
                     third_refused(p.op, {gg, g.get(), x.get()}, p.to_input(gg, g.get(), x.get()))};
  });
}

Tensor norm(const Passes& p, const Tensor& x, Tensor value) {
  return record(p.op, {x}, std::move(value), [p, x = Saved(x)](const Tensor& g) { return Gradients{backward(p, g, x.get())}; });
}

}  // namespace

#define TIDEPOOL_LP_POOL(name, Options)                                                                                                    \
  Tensor name(const Tensor& x, Options o) {                                                                                                \
    if (!recording(x)) return name(x.view(), o);                                                                                           \
    const Passes passes{.op = #name,                                                                                                       \
                        .backward = [o](TensorView g, TensorView t) { return name##_backward(g, t, o); },                                  \
                        .to_gradient = [o](TensorView gg, TensorView t) { return name##_double_backward(gg, t, o); },                      \
                        .to_input = [o](TensorView gg, TensorView g, TensorView t) { return name##_double_backward_input(gg, g, t, o); }}; \
    return norm(passes, x, name(x.view(), o));                                                                                             \
  }
TIDEPOOL_LP_POOL(lp_pool1d, const LpPoolOptions<1>&)
TIDEPOOL_LP_POOL(lp_pool2d, const LpPoolOptions<2>&)
TIDEPOOL_LP_POOL(lp_pool3d, const LpPoolOptions<3>&)
TIDEPOOL_LP_POOL(global_lp_pool1d, double)
TIDEPOOL_LP_POOL(global_lp_pool2d, double)
TIDEPOOL_LP_POOL(global_lp_pool3d, double)
#undef TIDEPOOL_LP_POOL

}  // namespace tidepool
