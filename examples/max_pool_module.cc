// MaxPool2d(kernel_size, stride, padding, dilation, return_indices, ceil_mode), as in the manual of PyTorch.
#include <tidepool/nn.h>

#include <iostream>
namespace tp = tidepool;
namespace nn = tidepool::nn;

int main() {
  auto x = tp::randn({20, 16, 50, 32});

  // A square window of size 3 and stride 2.
  nn::MaxPool2d square(3, 2);
  std::cout << square.to_string() << "\n  " << square(x).shape() << "\n";

  // A window that is not square, with a stride for each axis. The second line names the stride.
  nn::MaxPool2d wide({3, 2}, {2, 1});
  nn::MaxPool2d named({3, 2}, {.stride = {2, 1}});
  std::cout << wide.to_string() << "\n  " << wide(x).shape() << ", " << (tp::equal(wide(x), named(x)) ? "equal" : "different") << "\n";

  // Without a stride, windows do not overlap. With stride 1 and padding 1, windows of 3 by 3 overlap and the sides stay.
  nn::MaxPool2d apart({3, 2}), overlapping(3, 1, 1);
  std::cout << apart.to_string() << "\n  " << apart(x).shape() << "\n";
  std::cout << overlapping.to_string() << "\n  " << overlapping(x).shape() << "\n";

  // All six arguments. A layer that returns indices has two results.
  nn::MaxPool2d pool(3, 2, 1, 1, /*return_indices=*/true, /*ceil_mode=*/true);
  auto [values, indices] = pool.forward_with_indices(x);
  std::cout << pool.to_string() << "\n  " << values.shape() << ", indices " << indices.shape() << ", " << pool.num_parameters()
            << " parameters\n";
}
