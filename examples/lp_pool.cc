#include <tidepool/tidepool.h>

#include <iostream>
#include <limits>
namespace tp = tidepool;

int main() {
  auto x = tp::tensor({{{3, -4, 0, 0}}}, tp::DType::f64);
  const auto show = [](const char* name, const tp::Tensor& y) { std::cout << name << y << "\n"; };

  // The p-norm of every window of 2 cells. The arguments are p and the kernel.
  show("p = 2          ", tp::lp_pool1d(x, 2, 2));
  show("p = 1          ", tp::lp_pool1d(x, 1, 2));
  show("p = inf        ", tp::lp_pool1d(x, std::numeric_limits<double>::infinity(), 2));

  // The square of 1e200 overflows a double. The norm is computed without overflow.
  show("large          ", tp::lp_pool1d(tp::full({1, 1, 2}, 1e200, tp::DType::f64), 2, 2));

  // The gradient of a 2-norm is the window divided by its norm. For a window of zeros it is zero.
  auto ones = tp::ones({1, 1, 2}, tp::DType::f64);
  show("gradient       ", tp::lp_pool1d_backward(ones, x, {.kernel_size = 2}));

  // A norm is not linear, so the double backward pass has two results: one for the gradient of the output and one for the input.
  auto gg = tp::ones({1, 1, 4}, tp::DType::f64);
  show("double, grad   ", tp::lp_pool1d_double_backward(gg, x, {.kernel_size = 2}));
  show("double, input  ", tp::lp_pool1d_double_backward_input(gg, ones, x, {.kernel_size = 2}));

  // With ceil_mode, half of the last window lies outside the input. PyTorch scales its norm up to the full window; ONNX does not.
  auto row = tp::arange({1, 1, 5}, tp::DType::f64) + 1;
  show("torch, ceil    ", tp::lp_pool1d(row, 1, 2, {.ceil_mode = true}));
  show("onnx, ceil     ", tp::lp_pool1d(row, 1, 2, {.ceil_mode = true, .preset = tp::Preset::onnx}));

  // PyTorch's formula omits the absolute value.
  show("signed_power   ", tp::lp_pool1d(x, 1, 2, {.signed_power = true}));

  show("per channel    ", tp::global_lp_pool1d(row));
  try {
    tp::lp_pool1d(row, 0, 2);
  } catch (const tp::Error& error) {
    std::cout << error.what() << "\n";
  }
}
