// Where pooling sends the gradients 10, 20, 30, 40 of its four outputs.
#include <tidepool/tidepool.h>

#include <iostream>
namespace tp = tidepool;

int main() {
  auto x = tp::tensor({{{{1, 3, 2, 1}, {4, 2, 1, 0}, {5, 6, 1, 2}, {7, 8, 3, 4}}}}).set_requires_grad();
  auto upstream = tp::tensor({{{{10, 20}, {30, 40}}}});
  tp::max_pool2d(x, 2).backward(upstream);
  std::cout << "max\n" << x.grad()[0][0] << "\n";
  x.zero_grad();
  tp::avg_pool2d(x, 2).backward(upstream);
  std::cout << "average\n" << x.grad()[0][0] << "\n";

  // A tie: the first cell, row by row, takes everything.
  auto tie = tp::tensor({{{{5, 5}, {5, 5}}}}).set_requires_grad();
  tp::max_pool2d(tie, 2).backward(tp::tensor({{{{10}}}}));
  std::cout << "tie " << tp::flatten(tie.grad(), 0) << "\n";

  // Overlap: the 9 wins all four windows and gets the sum of their gradients.
  auto peak = tp::tensor({{{{1, 2, 1}, {2, 9, 2}, {1, 2, 1}}}}).set_requires_grad();
  tp::max_pool2d(peak, 2, 1).backward(upstream);
  std::cout << "overlap " << tp::flatten(peak.grad(), 0) << "\n";

  // ReLU makes a window of zeros, which is a tie. ReLU's own slope at 0 is 0, so nothing gets through.
  auto negative = tp::tensor({{{{-1, -2}, {-3, -4}}}}).set_requires_grad();
  tp::max_pool2d(tp::relu(negative), 2).backward(tp::tensor({{{{10}}}}));
  std::cout << "all negative, behind ReLU " << tp::flatten(negative.grad(), 0) << "\n";
}
