// Gradients: every op is recorded in every form of call, and memory that is borrowed is not.
#include <tidepool/tidepool.h>

#include "check.h"
#include "programs.h"

using namespace tidepool;

namespace face {

namespace {

Tensor recorded(const Dims& shape) {
  Tensor x = numbers(shape);
  x.set_requires_grad();
  return x;
}

// y.backward() reaches x.
void check_recorded(const Tensor& y, Tensor& x, std::source_location at = std::source_location::current()) {
  check(y.requires_grad(), "the result requires gradients", at);
  sum(y).backward();
  check(x.grad().defined() && x.grad().shape() == x.shape() && sum(x.grad() * x.grad()).item() > 0, "the input has a gradient", at);
  x.zero_grad();
}

}  // namespace

void gradients() {
  Tensor x = recorded({2, 3, 6, 9});
  check_recorded(max_pool2d(x, 2), x);
  check_recorded(max_pool2d(x, {3, 2}), x);
  check_recorded(max_pool2d(x, 3, 2, 1), x);
  check_recorded(max_pool2d(x, 3, {.stride = 2}), x);
  check_recorded(max_pool2d(x, {.kernel_size = 3}), x);
  check_recorded(MaxPoolFunctions<2>::forward(x, {.kernel_size = 3}), x);
  check_recorded(max_pool2d_with_indices(x, 2).values, x);
  check_recorded(min_pool2d(x, 2), x);
  check_recorded(avg_pool2d(x, {3, 2}), x);
  check_recorded(avg_pool2d(x, 3, 2, 1), x);
  check_recorded(sum_pool2d(x, 3, {.stride = 2}), x);
  check_recorded(lp_pool2d(x, 2, 3), x);
  check_recorded(lp_pool2d(x, 2, 3, {.stride = 2}), x);
  check_recorded(adaptive_avg_pool2d(x, 2), x);
  check_recorded(adaptive_max_pool2d(x, {2, keep_size}), x);
  check_recorded(global_avg_pool2d(x), x);
  check_recorded(global_sum_pool2d(x), x);
  check_recorded(global_max_pool2d(x), x);
  check_recorded(global_lp_pool2d(x, 3), x);
  check_recorded(fractional_max_pool2d(x, 2, 3), x);
  const auto [values, indices] = max_pool2d_with_indices(x, {3, 2});
  check_recorded(max_unpool2d(values, indices, {3, 2}, {.output_size = {6, 9}}), x);
  check_recorded(x[0] * 2 + x[1], x);
  check_recorded(reshape(x.transpose(2, 3), {2, -1}), x);

  Tensor x1 = recorded({2, 3, 9}), x3 = recorded({1, 2, 4, 6, 8});
  check_recorded(max_pool1d(x1, 2), x1);
  check_recorded(avg_pool1d(x1, 3, 2, 1), x1);
  check_recorded(lp_pool1d(x1, 2, 3), x1);
  check_recorded(max_pool3d(x3, {1, 2, 3}), x3);
  check_recorded(avg_pool3d(x3, 2), x3);
  check_recorded(adaptive_avg_pool3d(x3, {1, 2, 3}), x3);

  const TensorView view = x;
  check(!max_pool2d(view, 2).requires_grad(), "borrowed memory is not recorded");
  {
    const NoGrad off;
    check(!max_pool2d(x, 2).requires_grad(), "nothing is recorded while a NoGrad lives");
  }
  check(max_pool2d(x, 2).requires_grad() && !max_pool2d(x.detach(), 2).requires_grad(), "detach");
  Tensor out(Dims{2, 3, 3, 4});
  check_throws([&] { max_pool2d_into(out.span(), x, {.kernel_size = 2}); }, "max_pool2d_into");

  // Each of the two windows gives its gradient to its maximum.
  Tensor small = tensor({{1, 4, 3, 2}});
  small.set_requires_grad();
  const Tensor y = max_pool1d(small, 2);
  check_values(grad(sum(y * tensor({{5, 7}})), {small})[0], {1, 4}, {0, 5, 7, 0});
  check(gradcheck([](const std::vector<Tensor>& in) { return avg_pool1d(in[0], 3, 1, 1); },
                  {tensor({{1, 4, 3}}, DType::f64).set_requires_grad()})
            .empty(),
        "gradcheck");
}

}  // namespace face
