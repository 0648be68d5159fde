// Max unpooling, in every form and rank: what max pooling took out goes back to where it was.
#include <tidepool/tidepool.h>

#include "check.h"
#include "programs.h"

using namespace tidepool;

namespace face {

namespace {

// Zeros, and the pooled values at their indices.
Tensor placed(const Pooled& pooled, const Dims& shape) {
  Tensor y = zeros(shape);
  const int64_t planes = shape[0] * shape[1];
  const auto values = pooled.values.flat<float>();
  const auto indices = pooled.indices.flat<int64_t>();
  auto to = y.flat<float>();
  const size_t per_plane = values.size() / static_cast<size_t>(planes), plane = to.size() / static_cast<size_t>(planes);
  for (size_t i = 0; i < values.size(); ++i) to[i / per_plane * plane + static_cast<size_t>(indices[i])] = values[i];
  return y;
}

}  // namespace

void max_unpool() {
  const Tensor x1 = numbers({2, 3, 9}), x2 = numbers({2, 3, 6, 9}), x3 = numbers({1, 2, 4, 6, 9});

  const Pooled p1 = max_pool1d_with_indices(x1, 2);
  check_same(max_unpool1d(p1.values, p1.indices, 2), placed(p1, {2, 3, 8}));
  check_same(max_unpool1d(p1.values, p1.indices, 2, 2, 0, {9}), placed(p1, x1.shape()));
  check_same(max_unpool1d(p1.values, p1.indices, 2, {}, 0, x1.shape()), placed(p1, x1.shape()));
  check_same(max_unpool1d(p1.values, p1.indices, 2, {.output_size = {9}}), placed(p1, x1.shape()));
  check_same(max_unpool1d(p1.values, p1.indices, {.kernel_size = 2}), placed(p1, {2, 3, 8}));

  const Pooled p2 = max_pool2d_with_indices(x2, {3, 2});
  check(max_unpool2d_shape(p2.values.shape(), {.kernel_size = {3, 2}}) == Dims{2, 3, 6, 8}, "3 high and 2 wide");
  const Pooled whole = max_pool2d_with_indices(numbers({2, 3, 6, 8}), {3, 2});
  check_same(max_unpool2d(whole.values, whole.indices, {3, 2}), placed(whole, {2, 3, 6, 8}));
  check_same(max_unpool2d(p2.values, p2.indices, {3, 2}, {3, 2}, 0, {6, 9}), placed(p2, x2.shape()));
  check_same(max_unpool2d(p2.values, p2.indices, {3, 2}, {}, 0, x2.shape()), placed(p2, x2.shape()));
  check_same(max_unpool2d(p2.values, p2.indices, {3, 2}, {.output_size = {6, 9}}), placed(p2, x2.shape()));
  check_same(max_unpool2d(p2.values, p2.indices, {.kernel_size = {3, 2}, .output_size = {6, 9}}), placed(p2, x2.shape()));
  const Tensor square = numbers({1, 1, 7, 7});
  const Pooled overlapping = max_pool2d_with_indices(square, 3, 2, 1);
  check_same(max_unpool2d(overlapping.values, overlapping.indices, 3, 2, 1), placed(overlapping, square.shape()));
  check_same(max_unpool2d(overlapping.values, overlapping.indices, 3, {.stride = 2, .padding = 1}), placed(overlapping, square.shape()));
  check_throws([&] { max_unpool2d(p2.values, p2.indices, 2, {.kernel_size = 2}); }, "kernel_size");
  Tensor out(x2.shape());
  max_unpool2d_into(out.span(), p2.values, p2.indices, {.kernel_size = {3, 2}, .output_size = {6, 9}});
  check_same(out, placed(p2, x2.shape()));

  const Pooled p3 = max_pool3d_with_indices(x3, {1, 3, 2});
  check_same(max_unpool3d(p3.values, p3.indices, {1, 3, 2}, {1, 3, 2}, 0, {4, 6, 9}), placed(p3, x3.shape()));
  check_same(max_unpool3d(p3.values, p3.indices, {1, 3, 2}, {.output_size = x3.shape()}), placed(p3, x3.shape()));
  check_same(max_unpool3d(p3.values, p3.indices, {.kernel_size = {1, 3, 2}, .output_size = {4, 6, 9}}), placed(p3, x3.shape()));
}

}  // namespace face
