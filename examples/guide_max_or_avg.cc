// What the maximum keeps of a window, and what the average keeps.
#include <tidepool/tidepool.h>

#include <cmath>
#include <cstdio>
namespace tp = tidepool;

void compare(const char* name, const tp::Tensor& window) {
  std::printf("%-12s max %2.0f, average %2.0f\n", name, tp::max_pool2d(window, 2).item(), tp::avg_pool2d(window, 2).item());
}

void spread(const char* name, const tp::Tensor& y) {
  const double mean = tp::mean(y).item();
  std::printf("%-12s mean %.2f, deviation %.2f\n", name, mean, std::sqrt(tp::mean((y - mean) * (y - mean)).item()));
}

int main() {
  compare("one 8", tp::tensor({{{0, 8}, {0, 0}}}));
  compare("all 2", tp::tensor({{{2, 2}, {2, 2}}}));
  compare("one -8", tp::tensor({{{0, -8}, {0, 0}}}));

  // Four million cells of noise with mean 0 and standard deviation 1.
  auto noise = tp::randn({1, 1, 2000, 2000}, /*seed=*/1);
  auto largest = tp::max_pool2d(noise, 2), average = tp::avg_pool2d(noise, 2);
  spread("max", largest);
  spread("average", average);
  std::printf("averages above the maximum of their window: %.0f of %.0f\n", tp::sum((average > largest).to(tp::DType::f32)).item(),
              static_cast<double>(average.numel()));

  // Sums are rounded.
  auto tenths = tp::full({1, 1, 3}, 0.1, tp::DType::f64);
  std::printf("three 0.1    max %.17f, average %.17f\n", tp::max_pool1d(tenths, 3).item(), tp::avg_pool1d(tenths, 3).item());
}
