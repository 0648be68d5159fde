#include "autograd/pooling_cases.h"

namespace tidepool::test {
namespace {

template <int N>
Dims cells(int64_t size) {
  Dims shape{1, 2};
  for (int i = 0; i < N; ++i) shape.push_back(size + i % 2);
  return shape;
}

class Cases {
 public:
  // A function that is linear in its argument once the indices are known: its gradient has a gradient again.
  template <class F>
  void linear(const std::string& family, const std::string& suffix, const Dims& shape, const F& f) {
    const bool adjoint = suffix == "_backward";
    all.push_back({.function = family + suffix,
                   .call = [f](const Arguments& in) { return f(in[0]); },
                   .shapes = {shape},
                   .rule = family + (adjoint ? "_double_backward" : "_backward"),
                   .second_rule = family + (adjoint ? "_backward" : "_double_backward")});
  }

  // Families whose backward pass follows indices. `backward` and `double_backward` take the argument and the indices.
  template <class Forward, class Backward, class DoubleBackward>
  void indexed(const std::string& family, const Dims& shape, const Forward& with_indices, const Backward& backward,
               const DoubleBackward& double_backward) {
    const Tensor indices = with_indices(randn(shape, 21, DType::f64)).indices;
    linear(family, "_with_indices", shape, [=](const TensorArg& x) { return with_indices(x).values; });
    linear(family, "_backward", indices.shape(), [=](const TensorArg& g) { return backward(g, indices); });
    linear(family, "_double_backward", shape, [=](const TensorArg& gg) { return double_backward(gg, indices); });
  }

  // A norm has two derivatives.
  template <class Forward, class Backward, class DoubleBackward, class DoubleBackwardInput>
  void norm(const std::string& family, const Dims& shape, const Forward& forward, const Backward& backward,
            const DoubleBackward& double_backward, const DoubleBackwardInput& double_backward_input) {
    const Dims output = forward(zeros(shape, DType::f64)).shape();
    all.push_back({.function = family,
                   .call = [=](const Arguments& in) { return forward(in[0]); },
                   .shapes = {shape},
                   .rule = family + "_backward",
                   .second_rule = family + "_double_backward"});
    all.push_back({.function = family + "_backward",
                   .call = [=](const Arguments& in) { return backward(in[0], in[1]); },
                   .shapes = {output, shape},
                   .rule = family + "_double_backward"});
    all.push_back({.function = family + "_double_backward",
                   .call = [=](const Arguments& in) { return double_backward(in[0], in[1]); },
                   .shapes = {shape, shape},
                   .once = false});
    all.push_back({.function = family + "_double_backward_input",
                   .call = [=](const Arguments& in) { return double_backward_input(in[0], in[1], in[2]); },
                   .shapes = {shape, output, shape},
                   .once = false});
  }

  std::vector<PoolingCase> all;
};

template <class F>
void add_extremum(Cases& cases, const Dims& shape) {
  const typename F::Options o{.kernel_size = 3, .stride = 2, .padding = 1};
  cases.linear(F::name(), "", shape, [=](const TensorArg& x) { return F::forward(x, o); });
  cases.indexed(
      F::name(), shape, [=](const TensorArg& x) { return F::with_indices(x, o); },
      [=](const TensorArg& g, const Tensor& indices) { return F::backward(g, indices, shape, o); },
      [=](const TensorArg& gg, const Tensor& indices) { return F::double_backward(gg, indices, o); });
}

template <class F>
void add_window_sum(Cases& cases, const Dims& shape) {
  const typename F::Options o{.kernel_size = 3, .stride = 2, .padding = 1};
  cases.linear(F::name(), "", shape, [=](const TensorArg& x) { return F::forward(x, o); });
  cases.linear(F::name(), "_backward", F::shape(shape, o), [=](const TensorArg& g) { return F::backward(g, shape, o); });
  cases.linear(F::name(), "_double_backward", shape, [=](const TensorArg& gg) { return F::double_backward(gg, o); });
}

template <int N>
void add_adaptive(Cases& cases, const Dims& shape) {
  using Avg = AdaptiveAvgPoolFunctions<N>;
  using Max = AdaptiveMaxPoolFunctions<N>;
  const AdaptiveAvgPoolOptions<N> o{.output_size = 3};
  const Dims output = Avg::forward(zeros(shape), o).shape();
  cases.linear(Avg::name(), "", shape, [=](const TensorArg& x) { return Avg::forward(x, o); });
  cases.linear(Avg::name(), "_backward", output, [=](const TensorArg& g) { return Avg::backward(g, shape); });
  cases.linear(Avg::name(), "_double_backward", shape, [=](const TensorArg& gg) { return Avg::double_backward(gg, o); });
  const AdaptiveMaxPoolOptions<N> m{.output_size = 2};
  cases.linear(Max::name(), "", shape, [=](const TensorArg& x) { return Max::forward(x, m); });
  cases.indexed(
      Max::name(), shape, [=](const TensorArg& x) { return Max::with_indices(x, m); },
      [=](const TensorArg& g, const Tensor& indices) { return Max::backward(g, indices, shape); },
      [=](const TensorArg& gg, const Tensor& indices) { return Max::double_backward(gg, indices); });
}

template <class F>
void add_global_sum(Cases& cases, const Dims& shape) {
  const Dims output = F::forward(zeros(shape)).shape();
  cases.linear(F::name(), "", shape, [](const TensorArg& x) { return F::forward(x); });
  cases.linear(F::name(), "_backward", output, [=](const TensorArg& g) { return F::backward(g, shape); });
  cases.linear(F::name(), "_double_backward", shape, [](const TensorArg& gg) { return F::double_backward(gg); });
}

template <int N>
void add_global(Cases& cases, const Dims& shape) {
  add_global_sum<GlobalAvgPoolFunctions<N>>(cases, shape);
  add_global_sum<GlobalSumPoolFunctions<N>>(cases, shape);
  using Max = GlobalMaxPoolFunctions<N>;
  cases.linear(Max::name(), "", shape, [](const TensorArg& x) { return Max::forward(x); });
  cases.indexed(
      Max::name(), shape, [](const TensorArg& x) { return Max::with_indices(x); },
      [=](const TensorArg& g, const Tensor& indices) { return Max::backward(g, indices, shape); },
      [](const TensorArg& gg, const Tensor& indices) { return Max::double_backward(gg, indices); });
  using Lp = GlobalLpPoolFunctions<N>;
  cases.norm(
      Lp::name(), shape, [](const TensorArg& x) { return Lp::forward(x, 3); },
      [](const TensorArg& g, const TensorArg& x) { return Lp::backward(g, x, 3); },
      [](const TensorArg& gg, const TensorArg& x) { return Lp::double_backward(gg, x, 3); },
      [](const TensorArg& gg, const TensorArg& g, const TensorArg& x) { return Lp::double_backward_input(gg, g, x, 3); });
}

template <int N>
void add_norm(Cases& cases, const Dims& shape) {
  using Lp = LpPoolFunctions<N>;
  const LpPoolOptions<N> o{.norm_type = 3, .kernel_size = 2, .stride = 1};
  cases.norm(
      Lp::name(), shape, [=](const TensorArg& x) { return Lp::forward(x, o); },
      [=](const TensorArg& g, const TensorArg& x) { return Lp::backward(g, x, o); },
      [=](const TensorArg& gg, const TensorArg& x) { return Lp::double_backward(gg, x, o); },
      [=](const TensorArg& gg, const TensorArg& g, const TensorArg& x) { return Lp::double_backward_input(gg, g, x, o); });
}

template <int N>
void add_fractional(Cases& cases, const Dims& shape) {
  using F = FractionalMaxPoolFunctions<N>;
  const FractionalMaxPoolOptions<N> o{.kernel_size = 2, .output_size = 2, .seed = 4};
  cases.linear(F::name(), "", shape, [=](const TensorArg& x) { return F::forward(x, o); });
  cases.indexed(
      F::name(), shape, [=](const TensorArg& x) { return F::with_indices(x, o); },
      [=](const TensorArg& g, const Tensor& indices) { return F::backward(g, indices, shape, o); },
      [=](const TensorArg& gg, const Tensor& indices) { return F::double_backward(gg, indices, o); });
}

// Windows that do not meet: where two values meet in a cell, forward and backward are not adjoint.
template <int N>
void add_unpool(Cases& cases, const Dims& shape) {
  using F = MaxUnpoolFunctions<N>;
  const Tensor indices = MaxPoolFunctions<N>::with_indices(randn(shape, 5), {.kernel_size = 2}).indices;
  const MaxUnpoolOptions<N> o{.kernel_size = 2, .output_size = shape};
  cases.linear(F::name(), "", indices.shape(), [=](const TensorArg& x) { return F::forward(x, indices, o); });
  cases.linear(F::name(), "_backward", shape, [=](const TensorArg& g) { return F::backward(g, indices, o); });
  cases.linear(F::name(), "_double_backward", indices.shape(), [=](const TensorArg& gg) { return F::double_backward(gg, indices, o); });
}

template <int N>
void add_rank(Cases& cases) {
  const Dims shape = cells<N>(N == 3 ? 3 : 4);
  add_extremum<MaxPoolFunctions<N>>(cases, shape);
  add_extremum<MinPoolFunctions<N>>(cases, shape);
  add_window_sum<AvgPoolFunctions<N>>(cases, shape);
  add_window_sum<SumPoolFunctions<N>>(cases, shape);
  add_norm<N>(cases, shape);
  add_adaptive<N>(cases, shape);
  add_global<N>(cases, shape);
  if constexpr (N > 1) add_fractional<N>(cases, shape);
  add_unpool<N>(cases, shape);
}

}  // namespace

const std::vector<PoolingCase>& pooling_cases() {
  static const std::vector<PoolingCase> cases = [] {
    Cases result;
    add_rank<1>(result);
    add_rank<2>(result);
    add_rank<3>(result);
    return result.all;
  }();
  return cases;
}

}  // namespace tidepool::test
