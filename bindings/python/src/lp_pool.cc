#include "call.h"

namespace tidepool::python {
namespace {

// One op at one rank: windowed, with its options, or global, with p alone.
template <int N>
struct Windowed;
template <int N>
struct Global;

#define TIDEPOOL_OPS(Kind, name, N, O, read)                                                                            \
  template <>                                                                                                           \
  struct Kind<N> {                                                                                                      \
    static constexpr const char* function = #name;                                                                      \
    static O options(const nb::tuple& values) { return read; }                                                          \
    static Tensor forward(TensorView x, const O& o) { return name(x, o); }                                              \
    static Tensor backward(TensorView grad, TensorView x, const O& o) { return name##_backward(grad, x, o); }           \
    static Tensor double_backward(TensorView gg, TensorView x, const O& o) { return name##_double_backward(gg, x, o); } \
    static Tensor double_backward_input(TensorView gg, TensorView grad, TensorView x, const O& o) {                     \
      return name##_double_backward_input(gg, grad, x, o);                                                              \
    }                                                                                                                   \
  };
TIDEPOOL_OPS(Windowed, lp_pool1d, 1, LpPoolOptions<1>, read_options<LpPoolOptions<1>>(function, values))
TIDEPOOL_OPS(Windowed, lp_pool2d, 2, LpPoolOptions<2>, read_options<LpPoolOptions<2>>(function, values))
TIDEPOOL_OPS(Windowed, lp_pool3d, 3, LpPoolOptions<3>, read_options<LpPoolOptions<3>>(function, values))
TIDEPOOL_OPS(Global, global_lp_pool1d, 1, double, nb::cast<double>(values[0]))
TIDEPOOL_OPS(Global, global_lp_pool2d, 2, double, nb::cast<double>(values[0]))
TIDEPOOL_OPS(Global, global_lp_pool3d, 3, double, nb::cast<double>(values[0]))
#undef TIDEPOOL_OPS

template <template <int> class Ops>
nb::object forward(int rank, nb::handle input, nb::handle out, const nb::tuple& options) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<n()>;
    const Array x(O::function, "input", input);
    const auto o = O::options(options);
    return deliver(O::function, x, out, [&] { return O::forward(x, o); });
  });
}

template <template <int> class Ops>
nb::object backward(int rank, nb::handle grad_output, nb::handle input, nb::handle out, const nb::tuple& options) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<n()>;
    const Array grad(O::function, "grad", grad_output), x(O::function, "input", input);
    const auto o = O::options(options);
    return deliver(O::function, x, out, [&] { return O::backward(grad, x, o); });
  });
}

template <template <int> class Ops>
nb::object double_backward(int rank, nb::handle grad_grad, nb::handle input, nb::handle out, const nb::tuple& options) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<n()>;
    const Array gg(O::function, "gg", grad_grad), x(O::function, "input", input);
    const auto o = O::options(options);
    return deliver(O::function, x, out, [&] { return O::double_backward(gg, x, o); });
  });
}

template <template <int> class Ops>
nb::object double_backward_input(int rank, nb::handle grad_grad, nb::handle grad_output, nb::handle input, nb::handle out,
                                 const nb::tuple& options) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<n()>;
    const Array gg(O::function, "gg", grad_grad), grad(O::function, "grad", grad_output), x(O::function, "input", input);
    const auto o = O::options(options);
    return deliver(O::function, x, out, [&] { return O::double_backward_input(gg, grad, x, o); });
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
  define<Windowed>(m, "lp_pool");
  define<Global>(m, "global_lp_pool");
}

}  // namespace tidepool::python
