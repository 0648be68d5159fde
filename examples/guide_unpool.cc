// Max pooling remembers where each maximum was, and unpooling puts it back there.
#include <tidepool/tidepool.h>

#include <iostream>
namespace tp = tidepool;

int main() {
  auto x = tp::tensor({{{{1, 3, 2, 1}, {4, 2, 1, 0}, {5, 6, 1, 2}, {7, 8, 3, 4}}}});
  auto [maxima, indices] = tp::max_pool2d_with_indices(x, 2);
  std::cout << "indices\n" << indices[0][0] << "\n";
  auto back = tp::max_unpool2d(maxima, indices, 2);
  std::cout << "unpooled\n" << back[0][0] << "\n";
  std::cout << "pooled again: " << (tp::equal(tp::max_pool2d(back, 2), maxima) ? "the same maxima" : "different") << "\n";

  // 4 and 5 rows both pool to 2 rows, so unpooling has to be told.
  auto five = tp::max_pool2d_with_indices(tp::randn({1, 1, 5, 5}), 2);
  std::cout << "by default " << tp::max_unpool2d_shape(five.values.shape(), {.kernel_size = 2}) << "\n";
  std::cout << "as told    " << tp::max_unpool2d(five.values, five.indices, 2, {.output_size = {5, 5}}).shape() << "\n";
}
