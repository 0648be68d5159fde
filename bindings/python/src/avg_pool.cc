#include "call.h"

namespace tidepool::python {
namespace {

// One op at one rank.
template <bool Sum, int N>
struct Ops;

#define TIDEPOOL_OPS(Sum, name, N, O)                                                                                              \
  template <>                                                                                                                      \
  struct Ops<Sum, N> {                                                                                                             \
    using Options = O<N>;                                                                                                          \
    static constexpr const char* function = #name;                                                                                 \
    static Tensor forward(TensorView x, const Options& o) { return name(x, o); }                                                   \
    static void forward_into(TensorSpan out, TensorView x, const Options& o) { name##_into(out, x, o); }                           \
    static Tensor backward(TensorView grad, const Dims& shape, const Options& o) { return name##_backward(grad, shape, o); }       \
    static void backward_into(TensorSpan out, TensorView grad, const Options& o) { name##_backward_into(out, grad, o); }           \
    static Tensor double_backward(TensorView gg, const Options& o) { return name##_double_backward(gg, o); }                       \
    static void double_backward_into(TensorSpan out, TensorView gg, const Options& o) { name##_double_backward_into(out, gg, o); } \
  };
TIDEPOOL_OPS(false, avg_pool1d, 1, AvgPoolOptions)
TIDEPOOL_OPS(false, avg_pool2d, 2, AvgPoolOptions)
TIDEPOOL_OPS(false, avg_pool3d, 3, AvgPoolOptions)
TIDEPOOL_OPS(true, sum_pool1d, 1, SumPoolOptions)
TIDEPOOL_OPS(true, sum_pool2d, 2, SumPoolOptions)
TIDEPOOL_OPS(true, sum_pool3d, 3, SumPoolOptions)
#undef TIDEPOOL_OPS

template <bool Sum>
nb::object forward(int rank, nb::handle input, nb::handle out, const nb::tuple& options) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<Sum, n()>;
    const Array x(O::function, "input", input);
    const auto o = read_options<typename O::Options>(O::function, options);
    return deliver(O::function, x, out, [&] { return O::forward(x, o); }, [&](TensorSpan y) { O::forward_into(y, x, o); });
  });
}

template <bool Sum>
nb::object backward(int rank, nb::handle grad_output, nb::handle input_shape, nb::handle out, const nb::tuple& options) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<Sum, n()>;
    const Array grad(O::function, "grad", grad_output);
    const auto o = read_options<typename O::Options>(O::function, options);
    const Dims shape = read_shape(O::function, "input_shape", input_shape);
    return deliver(
        O::function, grad, out, [&] { return O::backward(grad, shape, o); }, [&](TensorSpan y) { O::backward_into(y, grad, o); });
  });
}

template <bool Sum>
nb::object double_backward(int rank, nb::handle grad_grad, nb::handle out, const nb::tuple& options) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<Sum, n()>;
    const Array gg(O::function, "gg", grad_grad);
    const auto o = read_options<typename O::Options>(O::function, options);
    return deliver(
        O::function, gg, out, [&] { return O::double_backward(gg, o); }, [&](TensorSpan y) { O::double_backward_into(y, gg, o); });
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
