#include "call.h"

namespace tidepool::python {
namespace {

template <bool Min, int N>
using Ops = ExtremumPoolFunctions<Min ? Op::min : Op::max, N>;

template <bool Min>
nb::object forward(int rank, nb::handle input, bool return_indices, nb::handle out, const nb::tuple& options) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<Min, n()>;
    const Array x(O::name(), "input", input);
    const auto o = read_options<typename O::Options>(O::name(), options);
    if (return_indices) return deliver_pair(O::name(), x, out, [&] { return O::with_indices(x, o); });
    return deliver(O::name(), x, out, [&] { return O::forward(x, o); }, [&](TensorSpan y) { O::into(y, x, o); });
  });
}

template <bool Min>
nb::object backward(int rank, nb::handle grad_output, nb::handle index, nb::handle input_shape, nb::handle out, const nb::tuple& options) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<Min, n()>;
    const Array grad(O::name(), "grad", grad_output), indices(O::name(), "indices", index);
    const auto o = read_options<typename O::Options>(O::name(), options);
    const Dims shape = read_shape(O::name(), "input_shape", input_shape);
    return deliver(
        O::name(), grad, out, [&] { return O::backward(grad, indices, shape, o); },
        [&](TensorSpan y) { O::backward_into(y, grad, indices, o); });
  });
}

template <bool Min>
nb::object double_backward(int rank, nb::handle grad_grad, nb::handle index, nb::handle out, const nb::tuple& options) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<Min, n()>;
    const Array gg(O::name(), "gg", grad_grad), indices(O::name(), "indices", index);
    const auto o = read_options<typename O::Options>(O::name(), options);
    return deliver(
        O::name(), gg, out, [&] { return O::double_backward(gg, indices, o); },
        [&](TensorSpan y) { O::double_backward_into(y, gg, indices, o); });
  });
}

}  // namespace

void define_max_pool(nb::module_& m) {
  using nb::arg;
  m.def("max_pool", &forward<false>, arg("rank"), arg("input").none(), arg("return_indices"), arg("out").none(), arg("options"));
  m.def("min_pool", &forward<true>, arg("rank"), arg("input").none(), arg("return_indices"), arg("out").none(), arg("options"));
  m.def("max_pool_backward", &backward<false>, arg("rank"), arg("grad").none(), arg("indices").none(), arg("input_shape").none(),
        arg("out").none(), arg("options"));
  m.def("min_pool_backward", &backward<true>, arg("rank"), arg("grad").none(), arg("indices").none(), arg("input_shape").none(),
        arg("out").none(), arg("options"));
  m.def("max_pool_double_backward", &double_backward<false>, arg("rank"), arg("gg").none(), arg("indices").none(), arg("out").none(),
        arg("options"));
  m.def("min_pool_double_backward", &double_backward<true>, arg("rank"), arg("gg").none(), arg("indices").none(), arg("out").none(),
        arg("options"));
}

}  // namespace tidepool::python
