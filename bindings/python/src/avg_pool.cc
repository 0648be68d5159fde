#include "call.h"

namespace tidepool::python {
namespace {

template <bool Sum, int N>
using Ops = std::conditional_t<Sum, SumPoolFunctions<N>, AvgPoolFunctions<N>>;

template <bool Sum>
nb::object forward(int rank, nb::handle input, nb::handle out, const nb::tuple& options) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<Sum, n()>;
    const Array x(O::name(), "input", input);
    const auto o = read_options<typename O::Options>(O::name(), options);
    return deliver(O::name(), x, out, [&] { return O::forward(x, o); }, [&](TensorSpan y) { O::into(y, x, o); });
  });
}

template <bool Sum>
nb::object backward(int rank, nb::handle grad_output, nb::handle input_shape, nb::handle out, const nb::tuple& options) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<Sum, n()>;
    const Array grad(O::name(), "grad", grad_output);
    const auto o = read_options<typename O::Options>(O::name(), options);
    const Dims shape = read_shape(O::name(), "input_shape", input_shape);
    return deliver(O::name(), grad, out, [&] { return O::backward(grad, shape, o); }, [&](TensorSpan y) { O::backward_into(y, grad, o); });
  });
}

template <bool Sum>
nb::object double_backward(int rank, nb::handle grad_grad, nb::handle out, const nb::tuple& options) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<Sum, n()>;
    const Array gg(O::name(), "gg", grad_grad);
    const auto o = read_options<typename O::Options>(O::name(), options);
    return deliver(O::name(), gg, out, [&] { return O::double_backward(gg, o); }, [&](TensorSpan y) { O::double_backward_into(y, gg, o); });
  });
}

}  // namespace

void define_avg_pool(nb::module_& m) {
  using nb::arg;
  m.def("avg_pool", &forward<false>, arg("rank"), arg("input").none(), arg("out").none(), arg("options"));
  m.def("sum_pool", &forward<true>, arg("rank"), arg("input").none(), arg("out").none(), arg("options"));
  m.def("avg_pool_backward", &backward<false>, arg("rank"), arg("grad").none(), arg("input_shape").none(), arg("out").none(),
        arg("options"));
  m.def("sum_pool_backward", &backward<true>, arg("rank"), arg("grad").none(), arg("input_shape").none(), arg("out").none(),
        arg("options"));
  m.def("avg_pool_double_backward", &double_backward<false>, arg("rank"), arg("gg").none(), arg("out").none(), arg("options"));
  m.def("sum_pool_double_backward", &double_backward<true>, arg("rank"), arg("gg").none(), arg("out").none(), arg("options"));
}

}  // namespace tidepool::python
