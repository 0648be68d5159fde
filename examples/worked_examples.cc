// Four small grids under max and average pooling with 2×2 windows, and the gradients of the first.
#include <tidepool/tidepool.h>

#include <iostream>
namespace tp = tidepool;

tp::Tensor grid(int64_t side, std::initializer_list<double> cells) { return tp::Tensor::from<double>({1, side, side}, cells); }

// Prints both results. Returns whether every average is at most the maximum of the same window, as it must be.
bool show(const char* name, const tp::Tensor& x) {
  auto largest = tp::max_pool2d(x, {.kernel_size = 2});
  auto average = tp::avg_pool2d(x, {.kernel_size = 2});
  const tp::Dims plane{largest.size(1), largest.size(2)};
  std::cout << name << "\nmax\n" << tp::to_string(largest.reshape(plane)) << "\naverage\n" << tp::to_string(average.reshape(plane)) << "\n";
  bool in_order = true;
  for (int64_t i = 0; i < largest.numel(); ++i) in_order = in_order && average.data<double>()[i] <= largest.data<double>()[i];
  return in_order;
}

int main() {
  auto first = grid(4, {1, 3, 2, 1, 4, 2, 1, 0, 5, 6, 1, 2, 7, 8, 3, 4});
  bool in_order = show("4x4", first);
  in_order = show("4x4 with negative values", grid(4, {-0.4128, 0.2341, -0.9876, 0.4567, 0.1234, 0.8765, -0.2345, 0.6789, -0.5678, 0.3456,
                                                       0.7890, -0.1234, 0.9012, -0.4567, 0.2345, 0.5678})) &&
             in_order;
  in_order = show("8x8", grid(8, {5, 3, 0, 0, 0, 0, 0, 3, 5, 8, 6, 7, 2, 1, 5, 3, 5, 6, 1, 6, 4, 6, 3, 1, 7, 4, 0, 3, 0, 0, 2, 9,
                                  3, 7, 2, 3, 2, 7, 0, 5, 0, 1, 4, 1, 1, 2, 9, 1, 1, 7, 1, 1, 2, 9, 9, 7, 1, 3, 0, 7, 1, 2, 1, 6})) &&
             in_order;
  in_order =
      show("6x6", grid(6, {1, 3, 2, 4, 6, 8, 5, 6, 1, 2, 3, 7, 4, 2, 7, 8, 1, 0, 3, 5, 9, 4, 2, 1, 8, 7, 6, 3, 5, 2, 1, 0, 4, 7, 8, 9})) &&
      in_order;
  std::cout << (in_order ? "no average exceeds the maximum of its window\n" : "an average exceeds the maximum of its window\n");

  // With an upstream gradient of ones, max passes each to the largest cell of the window only, and average splits each evenly.
  const tp::Dims plane{4, 4};
  auto x = first.clone().set_requires_grad();
  tp::sum(tp::max_pool2d(x, {.kernel_size = 2})).backward();
  std::cout << "gradient of max\n" << tp::to_string(x.grad().reshape(plane)) << "\n";
  x.zero_grad();
  tp::sum(tp::avg_pool2d(x, {.kernel_size = 2})).backward();
  std::cout << "gradient of average\n" << tp::to_string(x.grad().reshape(plane)) << "\n";
  return in_order ? 0 : 1;
}
