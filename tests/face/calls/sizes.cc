// Sizes as programs have them: numbers of every integer type, braces, arrays, vectors and spans.
#include <tidepool/tidepool.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "check.h"
#include "programs.h"

using namespace tidepool;

namespace face {

namespace {

template <class I>
void one_type() {
  const Tensor x = numbers({2, 3, 6, 9});
  const Tensor expected = pool(x, {{3, 2}, {1, 2}, {1, 1}}, largest), even = pool(x, {{2, 2}}, largest);
  const I two = 2, three = 3, one = 1;
  check_same(max_pool2d(x, two), even);
  check_same(max_pool2d(x, {three, two}, {one, two}, one), expected);
  check_same(max_pool2d(x, {.kernel_size = {three, two}, .stride = {one, two}, .padding = {one, one}}), expected);
  check_same(max_pool2d(x, {three, two}, {.stride = {one, two}, .padding = one}), expected);

  const std::array<I, 2> kernel = {3, 2}, stride = {1, 2};
  const std::vector<I> padding = {1, 1};
  check_same(max_pool2d(x, kernel, stride, padding), expected);
  check_same(max_pool2d(x, std::vector<I>{3, 2}, std::span<const I>(stride), std::array<I, 2>{1, 1}), expected);
  check_same(max_pool2d(x, kernel, {.stride = stride, .padding = padding}), expected);
  check_same(max_pool2d(x, {.kernel_size = kernel, .stride = std::span<const I, 2>(stride), .padding = padding}), expected);
  const I c_array[2] = {3, 2};
  check_same(max_pool2d(x, c_array, stride, padding), expected);
  check_same(avg_pool2d(x, {two, two}, two, I{0}, false, true, I{4}), pool(x, {{2, 2}}, average));
  check_same(adaptive_avg_pool2d(x, {I{3}, I{9}}), pool(x, {{2, 1}}, average));
  check_same(adaptive_avg_pool2d(x, std::vector<I>{3, 9}), pool(x, {{2, 1}}, average));
  const Pooled pooled = max_pool2d_with_indices(x, two);
  check(max_unpool2d(pooled.values, pooled.indices, two, two, I{0}, std::vector<I>{6, 9}).shape() == x.shape(), "output_size");
  check(max_unpool2d(pooled.values, pooled.indices, two, {.output_size = {I{6}, I{9}}}).shape() == x.shape(), "output_size by name");

  // Shapes, indices and dims.
  check(zeros({two, three}).shape() == Dims{2, 3}, "a shape in braces");
  check(zeros(std::vector<I>{2, 3}).shape() == Dims{2, 3} && zeros(std::array<I, 2>{2, 3}).shape() == Dims{2, 3}, "a shape in a list");
  check(zeros(std::span<const I>(stride)).shape() == Dims{1, 2}, "a shape in a span");
  const Tensor t = arange({2, 3});
  check(t.item({one, two}) == 5 && t.index({one, two}).item() == 5 && t[static_cast<int64_t>(one)].item({two}) == 5, "an index");
  check(reshape(t, {three, two}).shape() == Dims{3, 2}, "a shape to reshape to");
}

}  // namespace

void sizes() {
  one_type<int>();
  one_type<unsigned>();
  one_type<int64_t>();
  one_type<uint64_t>();
  one_type<size_t>();
  one_type<long>();
  one_type<long long>();
  one_type<unsigned long long>();
  one_type<short>();
  one_type<uint16_t>();
  one_type<int8_t>();
  one_type<uint8_t>();

  // Mixed, and with sizes of other tensors.
  const Tensor x = numbers({2, 3, 6, 9});
  check_same(max_pool2d(x, {3, x.size(0)}, {size_t{1}, 2u}), pool(x, {{3, 2}, {1, 2}}, largest));
  check_same(adaptive_avg_pool2d(x, {x.size(2), 3}), pool(x, {{1, 3}}, average));
  check(zeros({x.size(0), 4, static_cast<size_t>(2)}).shape() == Dims{2, 4, 2}, "a shape of several types");
  check(zeros(x.shape()).shape() == x.shape(), "the shape of another tensor");

  // A list of the wrong length, a number that is too large, and one that is too small are refused when the program runs.
  check_throws([&] { max_pool2d(x, std::vector<int>{3, 2, 1}); }, "kernel_size");
  check_throws([&] { max_pool2d(x, {3, 2, 1}); }, "kernel_size");
  check_throws([&] { max_pool2d(x, ~uint64_t{0}); }, "overflow");
  check_throws([&] { max_pool2d(x, -1); }, "kernel_size");
  check_throws([&] { max_pool2d(x, 2, 0); }, "stride");
  check_throws([&] { max_pool2d(x, std::vector<int>{}); }, "kernel_size");
}

}  // namespace face
