// Every form of max pooling, in every rank, against plain loops.
#include <tidepool/tidepool.h>

#include "check.h"
#include "programs.h"

using namespace tidepool;

namespace face {

namespace {

void check_indices(const Pooled& pooled, const Tensor& x, const Tensor& values) {
  check_same(pooled.values, values);
  check(pooled.indices.dtype() == DType::i64 && pooled.indices.shape() == values.shape(), "an i64 index per value");
  const int64_t planes = x.size(0) * x.size(1), plane = x.numel() / planes, outputs = values.numel() / planes;
  const auto from = x.flat<float>(), found = values.flat<float>();
  const auto indices = pooled.indices.flat<int64_t>();
  for (int64_t i = 0; i < values.numel(); ++i)
    check(from[static_cast<size_t>(i / outputs * plane + indices[static_cast<size_t>(i)])] == found[static_cast<size_t>(i)],
          "the index is where the value is");
}

void rank1() {
  const Tensor x = numbers({2, 3, 11});
  check_same(max_pool1d(x, 2), pool(x, {{2}}, largest));
  check_same(max_pool1d(x, {3}), pool(x, {{3}}, largest));
  check_same(max_pool1d(x, 3, 2), pool(x, {{3}, {2}}, largest));
  check_same(max_pool1d(x, 3, {2}), pool(x, {{3}, {2}}, largest));
  check_same(max_pool1d(x, 3, 2, 1), pool(x, {{3}, {2}, {1}}, largest));
  check_same(max_pool1d(x, 3, {}, 1), pool(x, {{3}, {3}, {1}}, largest));
  check_same(max_pool1d(x, 3, 2, 1, 2), pool(x, {{3}, {2}, {1}, {2}}, largest));
  check_same(max_pool1d(x, 3, 2, 0, 1, true), pool(x, {{3}, {2}, {0}, {1}, true}, largest));
  check_same(max_pool1d(x, 4, {.stride = 3, .ceil_mode = true}), pool(x, {{4}, {3}, {0}, {1}, true}, largest));
  check_same(max_pool1d(x, {.kernel_size = 3, .stride = 1}), pool(x, {{3}, {1}}, largest));
  check_indices(max_pool1d_with_indices(x, 2), x, pool(x, {{2}}, largest));
  check_indices(max_pool1d_with_indices(x, 3, 1, 1), x, pool(x, {{3}, {1}, {1}}, largest));
  check_indices(max_pool1d_with_indices(x, 3, {.stride = 1}), x, pool(x, {{3}, {1}}, largest));
  check_indices(max_pool1d_with_indices(x, {.kernel_size = 3}), x, pool(x, {{3}}, largest));
  check(max_pool1d_shape(x.shape(), {.kernel_size = 2}) == Dims{2, 3, 5}, "max_pool1d_shape");
}

void rank2() {
  const Tensor x = numbers({2, 3, 6, 9});
  check_same(max_pool2d(x, 2), pool(x, {{2, 2}}, largest));
  // 3 high and 2 wide, and so are the steps: two numbers in braces are one kernel, not kernel and stride.
  check(max_pool2d(x, {3, 2}).shape() == Dims{2, 3, 2, 4}, "{3, 2} is 3 high and 2 wide");
  check_same(max_pool2d(x, {3, 2}), pool(x, {{3, 2}}, largest));
  check_same(max_pool2d(x, {2, 3}, {1, 2}), pool(x, {{2, 3}, {1, 2}}, largest));
  check_same(max_pool2d(x, {2, 3}, 2), pool(x, {{2, 3}, {2, 2}}, largest));
  check_same(max_pool2d(x, 3, {2, 1}), pool(x, {{3, 3}, {2, 1}}, largest));
  check_same(max_pool2d(x, 3, 2), pool(x, {{3, 3}, {2, 2}}, largest));
  check_same(max_pool2d(x, 7, 1, 3), pool(x, {{7, 7}, {1, 1}, {3, 3}}, largest));
  check_same(max_pool2d(x, 7, 1, 3), max_pool2d(x, {.kernel_size = 7, .stride = 1, .padding = 3}));
  check_same(max_pool2d(x, 3, {}, 1), pool(x, {{3, 3}, {3, 3}, {1, 1}}, largest));
  check_same(max_pool2d(x, 3, 2, {1, 0}), pool(x, {{3, 3}, {2, 2}, {1, 0}}, largest));
  check_same(max_pool2d(x, 2, 1, 0, {2, 3}), pool(x, {{2, 2}, {1, 1}, {0, 0}, {2, 3}}, largest));
  check_same(max_pool2d(x, 3, 2, 1, 1, true), pool(x, {{3, 3}, {2, 2}, {1, 1}, {1, 1}, true}, largest));
  check_same(max_pool2d(x, 3, 2, 0, 1, Rounding::ceil), pool(x, {{3, 3}, {2, 2}, {0, 0}, {1, 1}, true}, largest));
  check_same(max_pool2d(x, 3, {.stride = 2, .padding = 1}), pool(x, {{3, 3}, {2, 2}, {1, 1}}, largest));
  check_same(max_pool2d(x, {3, 2}, {.stride = {1, 2}}), pool(x, {{3, 2}, {1, 2}}, largest));
  check_same(max_pool2d(x, {.kernel_size = {3, 2}}), pool(x, {{3, 2}}, largest));
  check_same(max_pool2d(x, {.kernel_size = 2, .dilation = 2, .ceil_mode = true}), pool(x, {{2, 2}, {2, 2}, {0, 0}, {2, 2}, true}, largest));
  check(max_pool2d(x, 3, 2, same).shape() == Dims{2, 3, 3, 5}, "padding same");
  check(max_pool2d(x, 3, 1, {{0, 1}, {1, 0}}).shape() == Dims{2, 3, 5, 8}, "padding before and after");

  const MaxPoolOptions<2> options{.kernel_size = 3, .stride = 2};
  check_same(max_pool2d(x, options), pool(x, {{3, 3}, {2, 2}}, largest));
  check_same(MaxPoolFunctions<2>::forward(x, options), max_pool2d(x, options));
  check_throws([&] { max_pool2d(x, 3, options); }, "kernel_size");

  check_indices(max_pool2d_with_indices(x, 2), x, pool(x, {{2, 2}}, largest));
  check_indices(max_pool2d_with_indices(x, {3, 2}), x, pool(x, {{3, 2}}, largest));
  check_indices(max_pool2d_with_indices(x, 3, 2, 1), x, pool(x, {{3, 3}, {2, 2}, {1, 1}}, largest));
  check_indices(max_pool2d_with_indices(x, 3, {.stride = 1}), x, pool(x, {{3, 3}, {1, 1}}, largest));
  check_indices(max_pool2d_with_indices(x, options), x, pool(x, {{3, 3}, {2, 2}}, largest));
  const auto [values, indices] = max_pool2d_with_indices(x, 2);
  check(values.shape() == indices.shape(), "structured bindings");

  // Memory that the program has: read through a view, written through a span.
  const std::vector<float> memory = {1, 5, 2, 0, 3, 4};
  check_values(max_pool2d(view(memory.data(), {1, 2, 3}), {2, 1}), {1, 1, 3}, {1, 5, 4});
  std::vector<float> result(3);
  max_pool2d_into(span(result.data(), {1, 1, 3}), view(memory.data(), {1, 2, 3}), {.kernel_size = {2, 1}});
  check(result == std::vector<float>{1, 5, 4}, "max_pool2d_into");
  Tensor out = zeros({2, 3, 2, 4});
  max_pool2d_into(out.span(), x, {.kernel_size = {3, 2}});
  check_same(out, max_pool2d(x, {3, 2}));
  check_values(
      max_pool2d_backward(ones({1, 1, 1, 2}), max_pool2d_with_indices(arange({1, 1, 2, 4}), 2).indices, {1, 1, 2, 4}, {.kernel_size = 2}),
      {1, 1, 2, 4}, {0, 0, 0, 0, 0, 1, 0, 1});
}

void rank3() {
  const Tensor x = numbers({1, 2, 5, 6, 7});
  check_same(max_pool3d(x, 2), pool(x, {{2, 2, 2}}, largest));
  check_same(max_pool3d(x, {3, 2, 1}), pool(x, {{3, 2, 1}}, largest));
  check_same(max_pool3d(x, {3, 2, 1}, {1, 2, 3}), pool(x, {{3, 2, 1}, {1, 2, 3}}, largest));
  check_same(max_pool3d(x, 3, 2, 1), pool(x, {{3, 3, 3}, {2, 2, 2}, {1, 1, 1}}, largest));
  check_same(max_pool3d(x, 3, 2, {1, 0, 1}), pool(x, {{3, 3, 3}, {2, 2, 2}, {1, 0, 1}}, largest));
  check_same(max_pool3d(x, 2, 1, 0, {1, 2, 3}), pool(x, {{2, 2, 2}, {1, 1, 1}, {0, 0, 0}, {1, 2, 3}}, largest));
  check_same(max_pool3d(x, 2, 2, 0, 1, true), pool(x, {{2, 2, 2}, {2, 2, 2}, {0, 0, 0}, {1, 1, 1}, true}, largest));
  check_same(max_pool3d(x, 3, {.stride = {1, 2, 3}}), pool(x, {{3, 3, 3}, {1, 2, 3}}, largest));
  check_same(max_pool3d(x, {.kernel_size = {1, 2, 3}}), pool(x, {{1, 2, 3}}, largest));
  check_indices(max_pool3d_with_indices(x, {3, 2, 1}), x, pool(x, {{3, 2, 1}}, largest));
  check_indices(max_pool3d_with_indices(x, 3, 2, 1), x, pool(x, {{3, 3, 3}, {2, 2, 2}, {1, 1, 1}}, largest));
  check_indices(max_pool3d_with_indices(x, 2, {.stride = 1}), x, pool(x, {{2, 2, 2}, {1, 1, 1}}, largest));
  check_indices(max_pool3d_with_indices(x, {.kernel_size = 2}), x, pool(x, {{2, 2, 2}}, largest));
}

// Code for any rank has no macros.
template <int N>
void any_rank(const Tensor& x, const Tensor& expected) {
  check_same(MaxPoolFunctions<N>::forward(x, {.kernel_size = 2}), expected);
}

}  // namespace

void max_pool() {
  rank1();
  rank2();
  rank3();
  any_rank<1>(arange({1, 4}), tensor({{1, 3}}));
  any_rank<2>(arange({1, 2, 4}), tensor({{{5, 7}}}));
  any_rank<3>(arange({1, 2, 2, 2}), tensor({{{{7}}}}));
}

void min_pool() {
  const Tensor x1 = numbers({2, 3, 11}), x2 = numbers({2, 3, 6, 9}), x3 = numbers({1, 2, 5, 6, 7});
  check_same(min_pool1d(x1, 2), pool(x1, {{2}}, smallest));
  check_same(min_pool1d(x1, 3, 2, 1), pool(x1, {{3}, {2}, {1}}, smallest));
  check_same(min_pool1d(x1, 3, {.stride = 2}), pool(x1, {{3}, {2}}, smallest));
  check_same(min_pool1d(x1, {.kernel_size = 3}), pool(x1, {{3}}, smallest));
  check_same(min_pool2d(x2, {3, 2}), pool(x2, {{3, 2}}, smallest));
  check_same(min_pool2d(x2, 7, 1, 3), pool(x2, {{7, 7}, {1, 1}, {3, 3}}, smallest));
  check_same(min_pool2d(x2, 2, 1, 0, 2, true), pool(x2, {{2, 2}, {1, 1}, {0, 0}, {2, 2}, true}, smallest));
  check_same(min_pool2d(x2, 3, {.stride = 2}), pool(x2, {{3, 3}, {2, 2}}, smallest));
  check_same(min_pool2d(x2, {.kernel_size = 3, .stride = 2}), pool(x2, {{3, 3}, {2, 2}}, smallest));
  check_same(min_pool3d(x3, {3, 2, 1}), pool(x3, {{3, 2, 1}}, smallest));
  check_same(min_pool3d(x3, 3, 2, 1), pool(x3, {{3, 3, 3}, {2, 2, 2}, {1, 1, 1}}, smallest));
  check_same(min_pool3d(x3, 3, {.stride = 2}), pool(x3, {{3, 3, 3}, {2, 2, 2}}, smallest));
  check_same(min_pool3d(x3, {.kernel_size = 2}), pool(x3, {{2, 2, 2}}, smallest));
  check_indices(min_pool1d_with_indices(x1, 2), x1, pool(x1, {{2}}, smallest));
  check_indices(min_pool2d_with_indices(x2, {3, 2}), x2, pool(x2, {{3, 2}}, smallest));
  check_indices(min_pool2d_with_indices(x2, 3, {.stride = 1}), x2, pool(x2, {{3, 3}, {1, 1}}, smallest));
  check_indices(min_pool3d_with_indices(x3, 3, 2, 1), x3, pool(x3, {{3, 3, 3}, {2, 2, 2}, {1, 1, 1}}, smallest));
}

}  // namespace face
