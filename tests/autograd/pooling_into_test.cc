// Functions that write into memory of the caller cannot record, so they refuse a tensor that requires gradients before they write.
#include <gtest/gtest.h>

#include <functional>

#include "tidepool/tidepool.h"
#include "unit/expect_error.h"

namespace tidepool {
namespace {

using test::refuses;
using Arguments = std::vector<TensorArg>;
using Outputs = std::vector<Tensor>;

struct IntoCase {
  std::string function;
  std::vector<std::string> names;  // of the arguments, as messages write them
  std::vector<Tensor> inputs;
  Outputs results;  // what the function writes, from the function that returns it
  std::function<void(Outputs&, const Arguments&)> call;
};

template <class F>
void add_extremum(std::vector<IntoCase>& cases, const Dims& shape) {
  const std::string name = F::name();
  const typename F::Options o{.kernel_size = 2, .stride = 1};
  const Tensor x = randn(shape, 1);
  const auto [values, indices] = F::with_indices(x, o);
  const Tensor grad = randn(values.shape(), 2);
  const Tensor at = indices;
  cases.push_back({name + "_into", {"input"}, {x}, {values}, [o](Outputs& out, const Arguments& in) { F::into(out[0].span(), in[0], o); }});
  cases.push_back({name + "_with_indices_into", {"input"}, {x}, {values, indices}, [o](Outputs& out, const Arguments& in) {
                     F::with_indices_into(out[0].span(), out[1].span(), in[0], o);
                   }});
  cases.push_back(
      {name + "_backward_into", {"grad"}, {grad}, {F::backward(grad, at, shape, o)}, [o, at](Outputs& out, const Arguments& in) {
         F::backward_into(out[0].span(), in[0], at, o);
       }});
  cases.push_back({name + "_double_backward_into", {"gg"}, {x}, {F::double_backward(x, at, o)}, [o, at](Outputs& out, const Arguments& in) {
                     F::double_backward_into(out[0].span(), in[0], at, o);
                   }});
}

template <class F>
void add_window_sum(std::vector<IntoCase>& cases, const Dims& shape) {
  const std::string name = F::name();
  const typename F::Options o{.kernel_size = 2, .stride = 1};
  const Tensor x = randn(shape, 1), y = F::forward(x, o), grad = randn(y.shape(), 2);
  cases.push_back({name + "_into", {"input"}, {x}, {y}, [o](Outputs& out, const Arguments& in) { F::into(out[0].span(), in[0], o); }});
  cases.push_back({name + "_backward_into", {"grad"}, {grad}, {F::backward(grad, shape, o)}, [o](Outputs& out, const Arguments& in) {
                     F::backward_into(out[0].span(), in[0], o);
                   }});
  cases.push_back({name + "_double_backward_into", {"gg"}, {x}, {y}, [o](Outputs& out, const Arguments& in) {
                     F::double_backward_into(out[0].span(), in[0], o);
                   }});
}

template <int N>
void add_norm(std::vector<IntoCase>& cases, const Dims& shape) {
  using F = LpPoolFunctions<N>;
  const std::string name = F::name();
  const LpPoolOptions<N> o{.norm_type = 3, .kernel_size = 2};
  const Tensor x = randn(shape, 1), y = F::forward(x, o), grad = randn(y.shape(), 2);
  cases.push_back({name + "_into", {"input"}, {x}, {y}, [o](Outputs& out, const Arguments& in) { F::into(out[0].span(), in[0], o); }});
  cases.push_back({name + "_backward_into", {"grad", "x"}, {grad, x}, {F::backward(grad, x, o)}, [o](Outputs& out, const Arguments& in) {
                     F::backward_into(out[0].span(), in[0], in[1], o);
                   }});
}

template <int N>
void add_adaptive(std::vector<IntoCase>& cases, const Dims& shape) {
  using Avg = AdaptiveAvgPoolFunctions<N>;
  using Max = AdaptiveMaxPoolFunctions<N>;
  const std::string name = Avg::name();
  const Tensor x = randn(shape, 1), y = Avg::forward(x, {.output_size = 2}), grad = randn(y.shape(), 2);
  cases.push_back({name + "_into", {"input"}, {x}, {y}, [](Outputs& out, const Arguments& in) { Avg::into(out[0].span(), in[0]); }});
  cases.push_back({name + "_backward_into", {"grad"}, {grad}, {Avg::backward(grad, shape)}, [](Outputs& out, const Arguments& in) {
                     Avg::backward_into(out[0].span(), in[0]);
                   }});
  cases.push_back(
      {std::string(Max::name()) + "_into", {"input"}, {x}, {Max::forward(x, {.output_size = 2})}, [](Outputs& out, const Arguments& in) {
         Max::into(out[0].span(), in[0]);
       }});
}

template <int N>
void add_unpool(std::vector<IntoCase>& cases, const Dims& shape) {
  using F = MaxUnpoolFunctions<N>;
  const std::string name = F::name();
  const auto [values, indices] = MaxPoolFunctions<N>::with_indices(randn(shape, 1), {.kernel_size = 2});
  const Tensor at = indices, grad = randn(shape, 2);
  const MaxUnpoolOptions<N> o{.kernel_size = 2, .output_size = shape};
  cases.push_back({name + "_into", {"input"}, {values}, {F::forward(values, at, o)}, [o, at](Outputs& out, const Arguments& in) {
                     F::into(out[0].span(), in[0], at, o);
                   }});
  cases.push_back({name + "_backward_into", {"grad"}, {grad}, {F::backward(grad, at, o)}, [o, at](Outputs& out, const Arguments& in) {
                     F::backward_into(out[0].span(), in[0], at, o);
                   }});
}

template <int N>
void add_fractional(std::vector<IntoCase>& cases, const Dims& shape) {
  using F = FractionalMaxPoolFunctions<N>;
  const FractionalMaxPoolOptions<N> o{.kernel_size = 2, .output_size = 2, .seed = 3};
  const Tensor x = randn(shape, 1);
  cases.push_back({std::string(F::name()) + "_into", {"input"}, {x}, {F::forward(x, o)}, [o](Outputs& out, const Arguments& in) {
                     F::into(out[0].span(), in[0], o);
                   }});
}

template <int N>
void add_rank(std::vector<IntoCase>& cases) {
  Dims shape{2, 1};
  for (int i = 0; i < N; ++i) shape.push_back(4 + i);
  add_extremum<MaxPoolFunctions<N>>(cases, shape);
  add_extremum<MinPoolFunctions<N>>(cases, shape);
  add_window_sum<AvgPoolFunctions<N>>(cases, shape);
  add_window_sum<SumPoolFunctions<N>>(cases, shape);
  add_norm<N>(cases, shape);
  add_adaptive<N>(cases, shape);
  add_unpool<N>(cases, shape);
  if constexpr (N > 1) add_fractional<N>(cases, shape);
}

const std::vector<IntoCase>& into_cases() {
  static const std::vector<IntoCase> cases = [] {
    std::vector<IntoCase> result;
    add_rank<1>(result);
    add_rank<2>(result);
    add_rank<3>(result);
    return result;
  }();
  return cases;
}

class PoolingInto : public ::testing::TestWithParam<size_t> {
 protected:
  const IntoCase& tested = into_cases()[GetParam()];

  // Memory for the results in which every byte is 42.
  Outputs untouched() const {
    Outputs result;
    for (const Tensor& one : tested.results) {
      result.push_back(one.clone());
      std::fill_n(result.back().data<std::byte>(), bytes_of(one), std::byte{42});
    }
    return result;
  }
  static size_t bytes_of(const Tensor& t) { return static_cast<size_t>(t.numel() * dtype_size(t.dtype())); }
};

TEST_P(PoolingInto, RefusesEveryArgumentThatRequiresGradientsAndWritesNothing) {
  for (size_t k = 0; k < tested.inputs.size(); ++k) {
    std::vector<Tensor> inputs = tested.inputs;
    inputs[k] = inputs[k].clone().set_requires_grad();
    Outputs out = untouched();
    EXPECT_TRUE(refuses(ErrorCode::invalid_argument,
                        tested.function + ": " + tested.names[k] + " must not require gradients, got one that does (shape " +
                            to_string(inputs[k].shape()) + "; use detach, NoGrad, or the function that returns a tensor)",
                        [&] { tested.call(out, {inputs.begin(), inputs.end()}); }));
    for (const Tensor& t : out)
      for (size_t i = 0; i < bytes_of(t); ++i) ASSERT_EQ(t.data<std::byte>()[i], std::byte{42}) << "byte " << i << " was written";
  }
}

TEST_P(PoolingInto, WritesInsideNoGradAndFromBorrowedMemory) {
  std::vector<Tensor> recorded;
  Arguments borrowed;
  for (const Tensor& x : tested.inputs) recorded.push_back(x.clone().set_requires_grad());
  for (const Tensor& x : recorded) borrowed.emplace_back(x.view());
  Outputs from_views = untouched();
  tested.call(from_views, borrowed);
  Outputs from_tensors = untouched();
  {
    const NoGrad no_grad;
    tested.call(from_tensors, {recorded.begin(), recorded.end()});
  }
  for (size_t i = 0; i < tested.results.size(); ++i) {
    EXPECT_TRUE(equal(from_views[i], tested.results[i]));
    EXPECT_TRUE(equal(from_tensors[i], tested.results[i]));
  }
}

INSTANTIATE_TEST_SUITE_P(All, PoolingInto, ::testing::Range(size_t{0}, into_cases().size()),
                         [](const auto& one) { return into_cases()[one.param].function; });

}  // namespace
}  // namespace tidepool
