#include "call.h"

namespace tidepool::python {
namespace {

template <int N>
using Ops = FractionalMaxPoolFunctions<N>;

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

  Call(nb::handle given, const nb::tuple& values) : options(read_options<typename O::Options>(O::name(), values)) {
    if (given.is_none()) return;
    samples.emplace(O::name(), "_random_samples", given);
    options.samples = Tensor(nullptr, samples->span());
  }
};

nb::object forward(int rank, nb::handle input, nb::handle samples, bool return_indices, nb::handle out, const nb::tuple& options) {
  return with_fractional_rank(rank, [&](auto n) {
    using O = Ops<n()>;
    const Array x(O::name(), "input", input);
    const Call<O> call(samples, options);
    if (return_indices) return deliver_pair(O::name(), x, out, [&] { return O::with_indices(x, call.options); });
    return deliver(O::name(), x, out, [&] { return O::forward(x, call.options); }, [&](TensorSpan y) { O::into(y, x, call.options); });
  });
}

nb::object backward(int rank, nb::handle grad_output, nb::handle index, nb::handle input_shape, nb::handle samples, nb::handle out,
                    const nb::tuple& options) {
  return with_fractional_rank(rank, [&](auto n) {
    using O = Ops<n()>;
    const Array grad(O::name(), "grad", grad_output), indices(O::name(), "indices", index);
    const Call<O> call(samples, options);
    const Dims shape = read_shape(O::name(), "input_shape", input_shape);
    return deliver(O::name(), grad, out, [&] { return O::backward(grad, indices, shape, call.options); });
  });
}

nb::object double_backward(int rank, nb::handle grad_grad, nb::handle index, nb::handle samples, nb::handle out, const nb::tuple& options) {
  return with_fractional_rank(rank, [&](auto n) {
    using O = Ops<n()>;
    const Array gg(O::name(), "gg", grad_grad), indices(O::name(), "indices", index);
    const Call<O> call(samples, options);
    return deliver(O::name(), gg, out, [&] { return O::double_backward(gg, indices, call.options); });
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
