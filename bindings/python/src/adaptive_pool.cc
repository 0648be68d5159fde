#include "call.h"

namespace tidepool::python {
namespace {

template <int N>
Extent<N> output_size(const char* function, nb::handle value) {
  Extent<N> extent;
  static_cast<Sizes&>(extent) = read_sizes(function, "output_size", value, true);
  return extent;
}

template <int N>
AdaptiveMaxPoolOptions<N> max_options(const char* function, nb::handle nan, nb::handle base) {
  return {.nan = read_nan(function, nan), .index_base = read_index_base(function, base)};
}

nb::object avg(int rank, nb::handle input, nb::handle size, nb::handle out) {
  return with_rank(rank, [&](auto n) {
    using O = AdaptiveAvgPoolFunctions<n()>;
    const Array x(O::name(), "input", input);
    const auto extent = output_size<n()>(O::name(), size);
    return deliver(O::name(), x, out, [&] { return O::forward(x, {.output_size = extent}); });
  });
}

nb::object avg_backward(int rank, nb::handle grad_output, nb::handle input_shape, nb::handle out) {
  return with_rank(rank, [&](auto n) {
    using O = AdaptiveAvgPoolFunctions<n()>;
    const Array grad(O::name(), "grad", grad_output);
    const Dims shape = read_shape(O::name(), "input_shape", input_shape);
    return deliver(O::name(), grad, out, [&] { return O::backward(grad, shape); });
  });
}

nb::object avg_double_backward(int rank, nb::handle grad_grad, nb::handle size, nb::handle out) {
  return with_rank(rank, [&](auto n) {
    using O = AdaptiveAvgPoolFunctions<n()>;
    const Array gg(O::name(), "gg", grad_grad);
    const auto extent = output_size<n()>(O::name(), size);
    return deliver(O::name(), gg, out, [&] { return O::double_backward(gg, {.output_size = extent}); });
  });
}

nb::object max(int rank, nb::handle input, nb::handle size, bool return_indices, nb::handle out, nb::handle nan, nb::handle base) {
  return with_rank(rank, [&](auto n) {
    using O = AdaptiveMaxPoolFunctions<n()>;
    const Array x(O::name(), "input", input);
    auto o = max_options<n()>(O::name(), nan, base);
    o.output_size = output_size<n()>(O::name(), size);
    if (return_indices) return deliver_pair(O::name(), x, out, [&] { return O::with_indices(x, o); });
    return deliver(O::name(), x, out, [&] { return O::forward(x, o); });
  });
}

nb::object max_backward(int rank, nb::handle grad_output, nb::handle index, nb::handle input_shape, nb::handle out, nb::handle nan,
                        nb::handle base) {
  return with_rank(rank, [&](auto n) {
    using O = AdaptiveMaxPoolFunctions<n()>;
    const Array grad(O::name(), "grad", grad_output), indices(O::name(), "indices", index);
    const Dims shape = read_shape(O::name(), "input_shape", input_shape);
    auto o = max_options<n()>(O::name(), nan, base);
    return deliver(O::name(), grad, out, [&] { return O::backward(grad, indices, shape, o); });
  });
}

nb::object max_double_backward(int rank, nb::handle grad_grad, nb::handle index, nb::handle out, nb::handle nan, nb::handle base) {
  return with_rank(rank, [&](auto n) {
    using O = AdaptiveMaxPoolFunctions<n()>;
    const Array gg(O::name(), "gg", grad_grad), indices(O::name(), "indices", index);
    auto o = max_options<n()>(O::name(), nan, base);
    return deliver(O::name(), gg, out, [&] { return O::double_backward(gg, indices, o); });
  });
}

}  // namespace

void define_adaptive_pool(nb::module_& m) {
  using nb::arg;
  m.def("adaptive_avg_pool", &avg, arg("rank"), arg("input").none(), arg("output_size").none(), arg("out").none());
  m.def("adaptive_avg_pool_backward", &avg_backward, arg("rank"), arg("grad").none(), arg("input_shape").none(), arg("out").none());
  m.def("adaptive_avg_pool_double_backward", &avg_double_backward, arg("rank"), arg("gg").none(), arg("output_size").none(),
        arg("out").none());
  m.def("adaptive_max_pool", &max, arg("rank"), arg("input").none(), arg("output_size").none(), arg("return_indices"), arg("out").none(),
        arg("nan").none(), arg("index_base").none());
  m.def("adaptive_max_pool_backward", &max_backward, arg("rank"), arg("grad").none(), arg("indices").none(), arg("input_shape").none(),
        arg("out").none(), arg("nan").none(), arg("index_base").none());
  m.def("adaptive_max_pool_double_backward", &max_double_backward, arg("rank"), arg("gg").none(), arg("indices").none(), arg("out").none(),
        arg("nan").none(), arg("index_base").none());
}

}  // namespace tidepool::python
