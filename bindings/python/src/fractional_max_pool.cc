#include "call.h"

namespace tidepool::python {
namespace {

// One rank.
template <int N>
struct Ops;

#define TIDEPOOL_OPS(N)                                                                                                     \
  template <>                                                                                                               \
  struct Ops<N> {                                                                                                           \
    using Options = FractionalMaxPoolOptions<N>;                                                                            \
    static constexpr const char* function = "fractional_max_pool" #N "d";                                                   \
    static Tensor forward(TensorView x, const Options& o) { return fractional_max_pool##N##d(x, o); }                       \
    static void forward_into(TensorSpan out, TensorView x, const Options& o) { fractional_max_pool##N##d_into(out, x, o); } \
    static Pooled with_indices(TensorView x, const Options& o) { return fractional_max_pool##N##d_with_indices(x, o); }     \
    static Tensor backward(TensorView grad, TensorView indices, const Dims& shape, const Options& o) {                      \
      return fractional_max_pool##N##d_backward(grad, indices, shape, o);                                                   \
    }                                                                                                                       \
    static Tensor double_backward(TensorView gg, TensorView indices, const Options& o) {                                    \
      return fractional_max_pool##N##d_double_backward(gg, indices, o);                                                     \
    }                                                                                                                       \
  };
TIDEPOOL_OPS(2)
TIDEPOOL_OPS(3)
#undef TIDEPOOL_OPS

template <class F>
auto with_fractional_rank(int rank, const F& f) {
  if (rank == 2) return f(std::integral_constant<int, 2>{});
  if (rank == 3) return f(std::integral_constant<int, 3>{});
  throw nb::type_error("rank must be 2 or 3");
}

// The options, with the samples that were given, which must live as long.
template <class O>
struct Call {
  std::optional<Array> samples;
  typename O::Options options;

  Call(nb::handle given, const nb::tuple& values) : options(read_options<typename O::Options>(O::function, values)) {
    if (given.is_none()) return;
    samples.emplace(O::function, "_random_samples", given);
    options.samples = *samples;
  }
};

nb::object forward(int rank, nb::handle input, nb::handle samples, bool return_indices, nb::handle out, const nb::tuple& options) {
  return with_fractional_rank(rank, [&](auto n) {
    using O = Ops<n()>;
    const Array x(O::function, "input", input);
    const Call<O> call(samples, options);
    if (return_indices) return deliver_pair(O::function, x, out, [&] { return O::with_indices(x, call.options); });
    return deliver(
        O::function, x, out, [&] { return O::forward(x, call.options); }, [&](TensorSpan y) { O::forward_into(y, x, call.options); });
  });
}

nb::object backward(int rank, nb::handle grad_output, nb::handle index, nb::handle input_shape, nb::handle samples, nb::handle out,
                    const nb::tuple& options) {
  return with_fractional_rank(rank, [&](auto n) {
    using O = Ops<n()>;
    const Array grad(O::function, "grad", grad_output), indices(O::function, "indices", index);
    const Call<O> call(samples, options);
    const Dims shape = read_shape(O::function, "input_shape", input_shape);
    return deliver(O::function, grad, out, [&] { return O::backward(grad, indices, shape, call.options); });
  });
}

nb::object double_backward(int rank, nb::handle grad_grad, nb::handle index, nb::handle samples, nb::handle out, const nb::tuple& options) {
  return with_fractional_rank(rank, [&](auto n) {
    using O = Ops<n()>;
    const Array gg(O::function, "gg", grad_grad), indices(O::function, "indices", index);
    const Call<O> call(samples, options);
    return deliver(O::function, gg, out, [&] { return O::double_backward(gg, indices, call.options); });
  });
}

}  // namespace

void define_fractional_max_pool(nb::module_& m) {
  using nb::arg;
  m.def("fractional_max_pool", &forward, arg("rank"), arg("input").none(), arg("samples").none(), arg("return_indices"), arg("out").none(),
        arg("options"));
  m.def("fractional_max_pool_backward", &backward, arg("rank"), arg("grad").none(), arg("indices").none(), arg("input_shape").none(),
        arg("samples").none(), arg("out").none(), arg("options"));
  m.def("fractional_max_pool_double_backward", &double_backward, arg("rank"), arg("gg").none(), arg("indices").none(),
        arg("samples").none(), arg("out").none(), arg("options"));
}

}  // namespace tidepool::python
