#include "call.h"

namespace tidepool::python {
namespace {

// Adaptive pooling at one rank.
template <int N>
struct Ops;

#define TIDEPOOL_OPS(N)                                                                                                                   \
  template <>                                                                                                                             \
  struct Ops<N> {                                                                                                                         \
    static constexpr const char* avg_name = "adaptive_avg_pool" #N "d";                                                                   \
    static constexpr const char* max_name = "adaptive_max_pool" #N "d";                                                                   \
    static Tensor avg(TensorView x, const Extent<N>& size) { return adaptive_avg_pool##N##d(x, size); }                                   \
    static Tensor avg_backward(TensorView grad, const Dims& shape) { return adaptive_avg_pool##N##d_backward(grad, shape); }              \
    static Tensor avg_double_backward(TensorView gg, const Extent<N>& size) { return adaptive_avg_pool##N##d_double_backward(gg, size); } \
    static Tensor max(TensorView x, const Extent<N>& size, const AdaptiveMaxOptions& o) { return adaptive_max_pool##N##d(x, size, o); }   \
    static Pooled max_with_indices(TensorView x, const Extent<N>& size, const AdaptiveMaxOptions& o) {                                    \
      return adaptive_max_pool##N##d_with_indices(x, size, o);                                                                            \
    }                                                                                                                                     \
    static Tensor max_backward(TensorView grad, TensorView indices, const Dims& shape, const AdaptiveMaxOptions& o) {                     \
      return adaptive_max_pool##N##d_backward(grad, indices, shape, o);                                                                   \
    }                                                                                                                                     \
    static Tensor max_double_backward(TensorView gg, TensorView indices, const AdaptiveMaxOptions& o) {                                   \
      return adaptive_max_pool##N##d_double_backward(gg, indices, o);                                                                     \
    }                                                                                                                                     \
  };
TIDEPOOL_OPS(1)
TIDEPOOL_OPS(2)
TIDEPOOL_OPS(3)
#undef TIDEPOOL_OPS

template <int N>
Extent<N> output_size(const char* function, nb::handle value) {
  Extent<N> extent;
  static_cast<Sizes&>(extent) = read_sizes(function, "output_size", value, true);
  return extent;
}

AdaptiveMaxOptions max_options(const char* function, nb::handle nan, nb::handle base) {
  return {.nan = read_nan(function, nan), .index_base = read_index_base(function, base)};
}

nb::object avg(int rank, nb::handle input, nb::handle size, nb::handle out) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<n()>;
    const Array x(O::avg_name, "input", input);
    const auto extent = output_size<n()>(O::avg_name, size);
    return deliver(O::avg_name, x, out, [&] { return O::avg(x, extent); });
  });
}

nb::object avg_backward(int rank, nb::handle grad_output, nb::handle input_shape, nb::handle out) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<n()>;
    const Array grad(O::avg_name, "grad", grad_output);
    const Dims shape = read_shape(O::avg_name, "input_shape", input_shape);
    return deliver(O::avg_name, grad, out, [&] { return O::avg_backward(grad, shape); });
  });
}

nb::object avg_double_backward(int rank, nb::handle grad_grad, nb::handle size, nb::handle out) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<n()>;
    const Array gg(O::avg_name, "gg", grad_grad);
    const auto extent = output_size<n()>(O::avg_name, size);
    return deliver(O::avg_name, gg, out, [&] { return O::avg_double_backward(gg, extent); });
  });
}

nb::object max(int rank, nb::handle input, nb::handle size, bool return_indices, nb::handle out, nb::handle nan, nb::handle base) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<n()>;
    const Array x(O::max_name, "input", input);
    const auto extent = output_size<n()>(O::max_name, size);
    const AdaptiveMaxOptions o = max_options(O::max_name, nan, base);
    if (return_indices) return deliver_pair(O::max_name, x, out, [&] { return O::max_with_indices(x, extent, o); });
    return deliver(O::max_name, x, out, [&] { return O::max(x, extent, o); });
  });
}

nb::object max_backward(int rank, nb::handle grad_output, nb::handle index, nb::handle input_shape, nb::handle out, nb::handle nan,
                        nb::handle base) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<n()>;
    const Array grad(O::max_name, "grad", grad_output), indices(O::max_name, "indices", index);
    const Dims shape = read_shape(O::max_name, "input_shape", input_shape);
    const AdaptiveMaxOptions o = max_options(O::max_name, nan, base);
    return deliver(O::max_name, grad, out, [&] { return O::max_backward(grad, indices, shape, o); });
  });
}

nb::object max_double_backward(int rank, nb::handle grad_grad, nb::handle index, nb::handle out, nb::handle nan, nb::handle base) {
  return with_rank(rank, [&](auto n) {
    using O = Ops<n()>;
    const Array gg(O::max_name, "gg", grad_grad), indices(O::max_name, "indices", index);
    const AdaptiveMaxOptions o = max_options(O::max_name, nan, base);
    return deliver(O::max_name, gg, out, [&] { return O::max_double_backward(gg, indices, o); });
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
