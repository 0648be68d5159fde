#include <tidepool/tidepool.h>

#include <iostream>
namespace tp = tidepool;

int main() {
  // Pools, then puts every maximum back to its position.
  auto x = tp::tensor({{{{1, 3, 2, 1}, {4, 2, 1, 0}, {5, 6, 1, 2}, {7, 8, 3, 4}}}});
  auto [y, where] = tp::max_pool2d_with_indices(x, 2);
  std::cout << tp::max_unpool2d(y, where, 2) << "\n";

  // Inputs of 4 and of 5 rows both pool to 2 rows, so the output size can be given.
  std::cout << "default  " << tp::max_unpool2d(y, where, 2).shape() << "\n";
  std::cout << "given    " << tp::max_unpool2d(y, where, 2, {.output_size = {5, 5}}).shape() << "\n";

  // Compact indices of one byte each.
  auto compact = tp::max_pool2d_with_indices(x, 2, {.index_base = tp::IndexBase::window});
  auto back = tp::max_unpool2d(compact.values, compact.indices, 2, {.index_base = tp::IndexBase::window});
  std::cout << "compact  " << tp::dtype_name(compact.indices.dtype()) << " indices back to " << back.shape() << "\n";

  // If two values have the same index, the last one is kept. Both receive the gradient at that index.
  auto values = tp::tensor({{{1, 2, 3}}});
  auto twice = tp::tensor({{{4, 0, 4}}}, tp::DType::i64);
  std::cout << "meeting  " << tp::max_unpool1d(values, twice, 2) << "\n";
  std::cout << "gradient " << tp::max_unpool1d_backward(tp::arange({1, 1, 6}), twice, {.kernel_size = 2}) << "\n";

  try {
    tp::max_unpool1d(values, tp::tensor({{{4, 0, -1}}}, tp::DType::i64), 2);
  } catch (const tp::Error& error) {
    std::cout << error.what() << "\n";
  }
}
