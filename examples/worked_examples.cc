// Four small grids under max and average pooling with 2×2 windows, and the gradients of the first.
#include <tidepool/nn.h>

#include <iostream>
namespace tp = tidepool;
namespace nn = tidepool::nn;

int main() {
  nn::MaxPool2d max_pool(2, 2);
  nn::AvgPool2d avg_pool(2, 2);
  bool in_order = true;  // every average is at most the maximum of the same window
  const auto show = [&](const char* name, const tp::Tensor& x) {
    auto largest = max_pool(x), average = avg_pool(x);
    std::cout << name << "\nmax\n" << largest[0] << "\naverage\n" << average[0] << "\n";
    in_order = in_order && tp::equal(average <= largest, tp::ones(largest.shape(), tp::DType::boolean));
  };

  auto first = tp::tensor({{{1, 3, 2, 1},  //
                            {4, 2, 1, 0},
                            {5, 6, 1, 2},
                            {7, 8, 3, 4}}});
  show("4x4", first);
  show("4x4 with negative values", tp::tensor({{{-0.4128, 0.2341, -0.9876, 0.4567},
                                                {0.1234, 0.8765, -0.2345, 0.6789},
                                                {-0.5678, 0.3456, 0.7890, -0.1234},
                                                {0.9012, -0.4567, 0.2345, 0.5678}}},
                                              tp::DType::f64));
  show("8x8", tp::tensor({{{5, 3, 0, 0, 0, 0, 0, 3},
                           {5, 8, 6, 7, 2, 1, 5, 3},
                           {5, 6, 1, 6, 4, 6, 3, 1},
                           {7, 4, 0, 3, 0, 0, 2, 9},
                           {3, 7, 2, 3, 2, 7, 0, 5},
                           {0, 1, 4, 1, 1, 2, 9, 1},
                           {1, 7, 1, 1, 2, 9, 9, 7},
                           {1, 3, 0, 7, 1, 2, 1, 6}}}));
  show("6x6", tp::tensor({{{1, 3, 2, 4, 6, 8},  //
                           {5, 6, 1, 2, 3, 7},
                           {4, 2, 7, 8, 1, 0},
                           {3, 5, 9, 4, 2, 1},
                           {8, 7, 6, 3, 5, 2},
                           {1, 0, 4, 7, 8, 9}}}));
  std::cout << (in_order ? "no average exceeds the maximum of its window\n" : "an average exceeds the maximum of its window\n");

  // With an upstream gradient of ones, max passes each to the largest cell of the window only, and average splits each evenly.
  first.set_requires_grad();
  tp::sum(max_pool(first)).backward();
  std::cout << "gradient of max\n" << first.grad()[0] << "\n";
  first.zero_grad();
  tp::sum(avg_pool(first)).backward();
  std::cout << "gradient of average\n" << first.grad()[0] << "\n";
}
