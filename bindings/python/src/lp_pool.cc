#include "call.h"

namespace tidepool::python {
namespace {

// Windowed norms have options, global ones p alone.
template <class O>
auto read(const nb::tuple& values) {
  if constexpr (requires { typename O::Options; }) {
    return read_options<typename O::Options>(O::name(), values);
  } else {
    return nb::cast<double>(values[0]);
  }
}

template <template <int> class Ops>
nb::object forward(int rank, nb::handle input, nb::handle out, const nb::tuple& options) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<n()>;
    const Array x(O::name(), "input", input);
    const auto o = read<O>(options);
    return deliver(O::name(), x, out, [&] { return O::forward(x, o); });
  });
}

template <template <int> class Ops>
nb::object backward(int rank, nb::handle grad_output, nb::handle input, nb::handle out, const nb::tuple& options) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<n()>;
    const Array grad(O::name(), "grad", grad_output), x(O::name(), "input", input);
    const auto o = read<O>(options);
    return deliver(O::name(), x, out, [&] { return O::backward(grad, x, o); });
  });
}

template <template <int> class Ops>
nb::object double_backward(int rank, nb::handle grad_grad, nb::handle input, nb::handle out, const nb::tuple& options) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<n()>;
    const Array gg(O::name(), "gg", grad_grad), x(O::name(), "input", input);
    const auto o = read<O>(options);
    return deliver(O::name(), x, out, [&] { return O::double_backward(gg, x, o); });
  });
}

template <template <int> class Ops>
nb::object double_backward_input(int rank, nb::handle grad_grad, nb::handle grad_output, nb::handle input, nb::handle out,
                                 const nb::tuple& options) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<n()>;
    const Array gg(O::name(), "gg", grad_grad), grad(O::name(), "grad", grad_output), x(O::name(), "input", input);
    const auto o = read<O>(options);
    return deliver(O::name(), x, out, [&] { return O::double_backward_input(gg, grad, x, o); });
  });
}

template <template <int> class Ops>
void define(nb::module_& m, const std::string& name) {
  using nb::arg;
  m.def(name.c_str(), &forward<Ops>, arg("rank"), arg("input").none(), arg("out").none(), arg("options"));
  m.def((name + "_backward").c_str(), &backward<Ops>, arg("rank"), arg("grad").none(), arg("input").none(), arg("out").none(),
        arg("options"));
  m.def((name + "_double_backward").c_str(), &double_backward<Ops>, arg("rank"), arg("gg").none(), arg("input").none(), arg("out").none(),
        arg("options"));
  m.def((name + "_double_backward_input").c_str(), &double_backward_input<Ops>, arg("rank"), arg("gg").none(), arg("grad").none(),
        arg("input").none(), arg("out").none(), arg("options"));
}

}  // namespace

void define_lp_pool(nb::module_& m) {
  define<LpPoolFunctions>(m, "lp_pool");
  define<GlobalLpPoolFunctions>(m, "global_lp_pool");
}

}  // namespace tidepool::python
