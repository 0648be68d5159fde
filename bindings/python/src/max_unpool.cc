#include "call.h"

namespace tidepool::python {
namespace {

template <int N>
using Ops = MaxUnpoolFunctions<N>;

nb::object forward(int rank, nb::handle input, nb::handle index, nb::handle out, const nb::tuple& options) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<n()>;
    const Array x(O::name(), "input", input), indices(O::name(), "indices", index);
    const auto o = read_options<typename O::Options>(O::name(), options);
    return deliver(O::name(), x, out, [&] { return O::forward(x, indices, o); }, [&](TensorSpan y) { O::into(y, x, indices, o); });
  });
}

nb::object backward(int rank, nb::handle grad_output, nb::handle index, nb::handle out, const nb::tuple& options) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<n()>;
    const Array grad(O::name(), "grad", grad_output), indices(O::name(), "indices", index);
    const auto o = read_options<typename O::Options>(O::name(), options);
    return deliver(
        O::name(), grad, out, [&] { return O::backward(grad, indices, o); }, [&](TensorSpan y) { O::backward_into(y, grad, indices, o); });
  });
}

nb::object double_backward(int rank, nb::handle grad_grad, nb::handle index, nb::handle out, const nb::tuple& options) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<n()>;
    const Array gg(O::name(), "gg", grad_grad), indices(O::name(), "indices", index);
    const auto o = read_options<typename O::Options>(O::name(), options);
    return deliver(O::name(), gg, out, [&] { return O::double_backward(gg, indices, o); });
  });
}

}  // namespace

void define_max_unpool(nb::module_& m) {
  using nb::arg;
  m.def("max_unpool", &forward, arg("rank"), arg("input").none(), arg("indices").none(), arg("out").none(), arg("options"));
  m.def("max_unpool_backward", &backward, arg("rank"), arg("grad").none(), arg("indices").none(), arg("out").none(), arg("options"));
  m.def("max_unpool_double_backward", &double_backward, arg("rank"), arg("gg").none(), arg("indices").none(), arg("out").none(),
        arg("options"));
}

}  // namespace tidepool::python
