#include "call.h"

namespace tidepool::python {
namespace {

// Global maxima are adaptive maxima of one bin, with the options of those; norms are in lp_pool.cc.
template <bool Sum, int N>
using Ops = GlobalSumFunctions<Sum ? Op::sum : Op::avg, N>;

template <bool Sum>
nb::object forward(int rank, nb::handle input, nb::handle out) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<Sum, n()>;
    const Array x(O::name(), "input", input);
    return deliver(O::name(), x, out, [&] { return O::forward(x); });
  });
}

template <bool Sum>
nb::object backward(int rank, nb::handle grad_output, nb::handle input_shape, nb::handle out) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<Sum, n()>;
    const Array grad(O::name(), "grad", grad_output);
    const Dims shape = read_shape(O::name(), "input_shape", input_shape);
    return deliver(O::name(), grad, out, [&] { return O::backward(grad, shape); });
  });
}

template <bool Sum>
nb::object double_backward(int rank, nb::handle grad_grad, nb::handle out) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<Sum, n()>;
    const Array gg(O::name(), "gg", grad_grad);
    return deliver(O::name(), gg, out, [&] { return O::double_backward(gg); });
  });
}

template <bool Sum>
void define(nb::module_& m, const std::string& name) {
  using nb::arg;
  m.def(name.c_str(), &forward<Sum>, arg("rank"), arg("input").none(), arg("out").none());
  m.def((name + "_backward").c_str(), &backward<Sum>, arg("rank"), arg("grad").none(), arg("input_shape").none(), arg("out").none());
  m.def((name + "_double_backward").c_str(), &double_backward<Sum>, arg("rank"), arg("gg").none(), arg("out").none());
}

}  // namespace

void define_global_pool(nb::module_& m) {
  define<false>(m, "global_avg_pool");
  define<true>(m, "global_sum_pool");
}

}  // namespace tidepool::python
