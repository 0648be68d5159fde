#include "call.h"

namespace tidepool::python {
namespace {

// One rank.
template <int N>
struct Ops;

#define TIDEPOOL_OPS(N)                                                                                                                   \
  template <>                                                                                                                             \
  struct Ops<N> {                                                                                                                         \
    using Options = MaxUnpoolOptions<N>;                                                                                                  \
    static constexpr const char* function = "max_unpool" #N "d";                                                                          \
    static Tensor forward(TensorView x, TensorView indices, const Options& o) { return max_unpool##N##d(x, indices, o); }                 \
    static void forward_into(TensorSpan out, TensorView x, TensorView indices, const Options& o) {                                        \
      max_unpool##N##d_into(out, x, indices, o);                                                                                          \
    }                                                                                                                                     \
    static Tensor backward(TensorView grad, TensorView indices, const Options& o) { return max_unpool##N##d_backward(grad, indices, o); } \
    static void backward_into(TensorSpan out, TensorView grad, TensorView indices, const Options& o) {                                    \
      max_unpool##N##d_backward_into(out, grad, indices, o);                                                                              \
    }                                                                                                                                     \
    static Tensor double_backward(TensorView gg, TensorView indices, const Options& o) {                                                  \
      return max_unpool##N##d_double_backward(gg, indices, o);                                                                            \
    }                                                                                                                                     \
  };
TIDEPOOL_OPS(1)
TIDEPOOL_OPS(2)
TIDEPOOL_OPS(3)
#undef TIDEPOOL_OPS

nb::object forward(int rank, nb::handle input, nb::handle index, nb::handle out, const nb::tuple& options) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<n()>;
    const Array x(O::function, "input", input), indices(O::function, "indices", index);
    const auto o = read_options<typename O::Options>(O::function, options);
    return deliver(
        O::function, x, out, [&] { return O::forward(x, indices, o); }, [&](TensorSpan y) { O::forward_into(y, x, indices, o); });
  });
}

nb::object backward(int rank, nb::handle grad_output, nb::handle index, nb::handle out, const nb::tuple& options) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<n()>;
    const Array grad(O::function, "grad", grad_output), indices(O::function, "indices", index);
    const auto o = read_options<typename O::Options>(O::function, options);
    return deliver(
        O::function, grad, out, [&] { return O::backward(grad, indices, o); },
        [&](TensorSpan y) { O::backward_into(y, grad, indices, o); });
  });
}

nb::object double_backward(int rank, nb::handle grad_grad, nb::handle index, nb::handle out, const nb::tuple& options) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<n()>;
    const Array gg(O::function, "gg", grad_grad), indices(O::function, "indices", index);
    const auto o = read_options<typename O::Options>(O::function, options);
    return deliver(O::function, gg, out, [&] { return O::double_backward(gg, indices, o); });
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
