// Pooling modules in every form: each gives what the function of the same name gives.
#include <tidepool/nn.h>

#include <memory>
#include <vector>

#include "check.h"
#include "programs.h"

using namespace tidepool;

namespace face {

namespace {

void max_and_average() {
  const Tensor x1 = numbers({2, 3, 11}), x2 = numbers({2, 3, 6, 9}), x3 = numbers({1, 2, 5, 6, 7});
  check_same(nn::MaxPool1d(2)(x1), pool(x1, {{2}}, largest));
  check_same(nn::MaxPool1d(3, 2, 1)(x1), pool(x1, {{3}, {2}, {1}}, largest));
  check_same(nn::MaxPool2d(2)(x2), pool(x2, {{2, 2}}, largest));
  // Two numbers in braces are one kernel; two arguments are kernel and stride.
  check_same(nn::MaxPool2d({3, 2})(x2), pool(x2, {{3, 2}}, largest));
  check_same(nn::MaxPool2d{{3, 2}}(x2), pool(x2, {{3, 2}}, largest));
  check_same(nn::MaxPool2d(3, 2)(x2), pool(x2, {{3, 3}, {2, 2}}, largest));
  check_same(nn::MaxPool2d{3, 2}(x2), pool(x2, {{3, 3}, {2, 2}}, largest));
  check_same(nn::MaxPool2d({2, 3}, {2, 3})(x2), pool(x2, {{2, 3}, {2, 3}}, largest));
  check_same(nn::MaxPool2d({2, 3}, {1, 2})(x2), pool(x2, {{2, 3}, {1, 2}}, largest));
  check_same(nn::MaxPool2d({3, 2}, 1)(x2), pool(x2, {{3, 2}, {1, 1}}, largest));
  check_same(nn::MaxPool2d(7, 1, 3)(x2), pool(x2, {{7, 7}, {1, 1}, {3, 3}}, largest));
  check_same(nn::MaxPool2d(3, {}, 1)(x2), pool(x2, {{3, 3}, {3, 3}, {1, 1}}, largest));
  check_same(nn::MaxPool2d(3, 2, 1, 1, false, true)(x2), pool(x2, {{3, 3}, {2, 2}, {1, 1}, {1, 1}, true}, largest));
  check_same(nn::MaxPool2d(3, {.stride = 2})(x2), pool(x2, {{3, 3}, {2, 2}}, largest));
  check_same(nn::MaxPool2d({3, 2}, {.stride = 1})(x2), pool(x2, {{3, 2}, {1, 1}}, largest));
  check_same(nn::MaxPool2d({.kernel_size = {3, 2}})(x2), pool(x2, {{3, 2}}, largest));
  check_same(nn::MaxPool2d(MaxPoolOptions<2>{.kernel_size = 3})(x2), pool(x2, {{3, 3}}, largest));
  check_same(nn::MaxPool2d(std::vector<int>{3, 2})(x2), pool(x2, {{3, 2}}, largest));
  check_same(nn::MaxPool3d({3, 2, 1})(x3), pool(x3, {{3, 2, 1}}, largest));
  check_same(nn::MaxPool3d(3, {.stride = 2})(x3), pool(x3, {{3, 3, 3}, {2, 2, 2}}, largest));
  nn::MaxPool2d with_indices(2, 2, 0, 1, true);
  check_same(with_indices.forward_with_indices(x2).indices, max_pool2d_with_indices(x2, 2).indices);
  check_throws([&] { with_indices(x2); }, "indices");
  check_throws([&] { nn::MaxPool2d(3, {.kernel_size = 2}); }, "kernel_size");

  check_same(nn::AvgPool1d(3, 2, 1)(x1), pool(x1, {{3}, {2}, {1}}, average));
  check_same(nn::AvgPool2d({3, 2})(x2), pool(x2, {{3, 2}}, average));
  check_same(nn::AvgPool2d(3, 2)(x2), pool(x2, {{3, 3}, {2, 2}}, average));
  check_same(nn::AvgPool2d({2, 3}, {1, 2})(x2), pool(x2, {{2, 3}, {1, 2}}, average));
  check_same(nn::AvgPool2d(3, 2, 1, true, false)(x2), pool(x2, {{3, 3}, {2, 2}, {1, 1}, {1, 1}, true}, average_of_elements));
  check_same(nn::AvgPool2d(3, 2, 0, false, true, 1)(x2), pool(x2, {{3, 3}, {2, 2}}, total));
  check_same(nn::AvgPool2d(3, {.stride = 2})(x2), pool(x2, {{3, 3}, {2, 2}}, average));
  check_same(nn::AvgPool2d({.kernel_size = 3})(x2), pool(x2, {{3, 3}}, average));
  check_same(nn::AvgPool3d({3, 2, 1})(x3), pool(x3, {{3, 2, 1}}, average));
}

void others() {
  const Tensor x1 = numbers({2, 3, 12}), x2 = numbers({2, 3, 6, 8}), x3 = numbers({1, 2, 4, 6, 8});
  check_same(nn::LPPool1d(2, 3)(x1), pool(x1, {{3}}, norm(2)));
  check_same(nn::LPPool2d(3, {3, 2})(x2), pool(x2, {{3, 2}}, norm(3)));
  check_same(nn::LPPool2d(1, 3, 2)(x2), pool(x2, {{3, 3}, {2, 2}}, norm(1)));
  check_same(nn::LPPool2d({.norm_type = 3, .kernel_size = 2})(x2), pool(x2, {{2, 2}}, norm(3)));
  check_same(nn::LPPool2d(3, {3, 2}, {.stride = 1})(x2), pool(x2, {{3, 2}, {1, 1}}, norm(3)));
  check_same(nn::LPPool3d(2, 2, 1)(x3), pool(x3, {{2, 2, 2}, {1, 1, 1}}, norm(2)));
  check_same(nn::AdaptiveAvgPool1d(4)(x1), pool(x1, {{3}}, average));
  check_same(nn::AdaptiveAvgPool1d({4})(x1), pool(x1, {{3}}, average));
  check_same(nn::AdaptiveMaxPool1d({4})(x1), pool(x1, {{3}}, largest));
  check_same(nn::AdaptiveAvgPool2d({3, 4})(x2), pool(x2, {{2, 2}}, average));
  check_same(nn::AdaptiveAvgPool2d({3, keep_size})(x2), pool(x2, {{2, 1}}, average));
  check_same(nn::AdaptiveAvgPool2d({.output_size = 2})(x2), pool(x2, {{3, 4}}, average));
  check_same(nn::AdaptiveAvgPool3d({1, 2, 4})(x3), pool(x3, {{4, 3, 2}}, average));
  check_same(nn::AdaptiveMaxPool1d(4)(x1), pool(x1, {{3}}, largest));
  check_same(nn::AdaptiveMaxPool2d({3, 4})(x2), pool(x2, {{2, 2}}, largest));
  check_same(nn::AdaptiveMaxPool2d(2, true).forward_with_indices(x2).indices, max_pool2d_with_indices(x2, {3, 4}).indices);
  check_same(nn::AdaptiveMaxPool2d({3, 4}, {.nan = NanPolicy::ignore})(x2), pool(x2, {{2, 2}}, largest));
  check_same(nn::AdaptiveMaxPool3d({.output_size = 2})(x3), pool(x3, {{2, 3, 4}}, largest));
  check(nn::FractionalMaxPool2d(2, {.output_ratio = 0.5})(x2).shape() == Dims{2, 3, 3, 4}, "FractionalMaxPool2d with a ratio");
  check_same(nn::FractionalMaxPool2d({2, 3}, {.output_size = {5, 6}})(x2), pool(x2, {{2, 3}, {1, 1}}, largest));
  check_same(nn::FractionalMaxPool2d({2, 3}, {5, 6})(x2), pool(x2, {{2, 3}, {1, 1}}, largest));
  check_same(nn::FractionalMaxPool3d({.kernel_size = 2, .output_size = {3, 5, 7}})(x3), pool(x3, {{2, 2, 2}, {1, 1, 1}}, largest));

  const auto [values, indices] = max_pool2d_with_indices(x2, {3, 2});
  const Tensor unpooled = max_unpool2d(values, indices, {3, 2});
  check_same(nn::MaxUnpool2d({3, 2})(values, indices), unpooled);
  check_same(nn::MaxUnpool2d({3, 2}, {3, 2})(values, indices), unpooled);
  check_same(nn::MaxUnpool2d({3, 2}, {.stride = {3, 2}})(values, indices), unpooled);
  check_same(nn::MaxUnpool2d({.kernel_size = {3, 2}})(values, indices), unpooled);
  check(nn::MaxUnpool2d({3, 2})(values, indices, {6, 9}).shape() == Dims{2, 3, 6, 9}, "MaxUnpool2d with an output size");
  const Pooled pooled = max_pool1d_with_indices(x1, 3, 2, 1);
  check_same(nn::MaxUnpool1d(3, 2, 1)(pooled.values, pooled.indices, {12}), max_unpool1d(pooled.values, pooled.indices, 3, 2, 1, {12}));
}

}  // namespace

void nn_pooling() {
  max_and_average();
  others();
}

}  // namespace face
