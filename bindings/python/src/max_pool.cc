#include "call.h"

namespace tidepool::python {
namespace {

// One op at one rank.
template <bool Min, int N>
struct Ops;

#define TIDEPOOL_OPS(Min, name, N)                                                                                                        \
  template <>                                                                                                                             \
  struct Ops<Min, N> {                                                                                                                    \
    using Options = MaxPoolOptions<N>;                                                                                                    \
    static constexpr const char* function = #name;                                                                                        \
    static Tensor forward(TensorView x, const Options& o) { return name(x, o); }                                                          \
    static void forward_into(TensorSpan out, TensorView x, const Options& o) { name##_into(out, x, o); }                                  \
    static Pooled with_indices(TensorView x, const Options& o) { return name##_with_indices(x, o); }                                      \
    static Tensor backward(TensorView grad, TensorView indices, const Dims& shape, const Options& o) {                                    \
      return name##_backward(grad, indices, shape, o);                                                                                    \
    }                                                                                                                                     \
    static void backward_into(TensorSpan out, TensorView grad, TensorView indices, const Options& o) {                                    \
      name##_backward_into(out, grad, indices, o);                                                                                        \
    }                                                                                                                                     \
    static Tensor double_backward(TensorView gg, TensorView indices, const Options& o) { return name##_double_backward(gg, indices, o); } \
    static void double_backward_into(TensorSpan out, TensorView gg, TensorView indices, const Options& o) {                               \
      name##_double_backward_into(out, gg, indices, o);                                                                                   \
    }                                                                                                                                     \
  };
TIDEPOOL_OPS(false, max_pool1d, 1)
TIDEPOOL_OPS(false, max_pool2d, 2)
TIDEPOOL_OPS(false, max_pool3d, 3)
TIDEPOOL_OPS(true, min_pool1d, 1)
TIDEPOOL_OPS(true, min_pool2d, 2)
TIDEPOOL_OPS(true, min_pool3d, 3)
#undef TIDEPOOL_OPS

template <bool Min>
nb::object forward(int rank, nb::handle input, bool return_indices, nb::handle out, const nb::tuple& options) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<Min, n()>;
    const Array x(O::function, "input", input);
    const auto o = read_options<typename O::Options>(O::function, options);
    if (return_indices) return deliver_pair(O::function, x, out, [&] { return O::with_indices(x, o); });
    return deliver(O::function, x, out, [&] { return O::forward(x, o); }, [&](TensorSpan y) { O::forward_into(y, x, o); });
  });
}

template <bool Min>
nb::object backward(int rank, nb::handle grad_output, nb::handle index, nb::handle input_shape, nb::handle out, const nb::tuple& options) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<Min, n()>;
    const Array grad(O::function, "grad", grad_output), indices(O::function, "indices", index);
    const auto o = read_options<typename O::Options>(O::function, options);
    const Dims shape = read_shape(O::function, "input_shape", input_shape);
    return deliver(
        O::function, grad, out, [&] { return O::backward(grad, indices, shape, o); },
        [&](TensorSpan y) { O::backward_into(y, grad, indices, o); });
  });
}

template <bool Min>
nb::object double_backward(int rank, nb::handle grad_grad, nb::handle index, nb::handle out, const nb::tuple& options) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<Min, n()>;
    const Array gg(O::function, "gg", grad_grad), indices(O::function, "indices", index);
    const auto o = read_options<typename O::Options>(O::function, options);
    return deliver(
        O::function, gg, out, [&] { return O::double_backward(gg, indices, o); },
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
