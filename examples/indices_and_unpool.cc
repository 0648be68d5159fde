#include <tidepool/nn.h>

#include <iostream>
namespace tp = tidepool;
namespace nn = tidepool::nn;

int main() {
  auto x = tp::Tensor::from<float>({1, 1, 4, 4}, {1, 3, 2, 1, 4, 2, 1, 0, 5, 6, 1, 2, 7, 8, 3, 4});
  nn::MaxPool2d pool(2, 2);
  nn::MaxUnpool2d unpool(2, 2);
  std::cout << pool.to_string() << "\n" << unpool.to_string() << "\n";

  // The index of a maximum is its position in the plane, counted row by row.
  auto [values, indices] = pool.forward_with_indices(x);
  std::cout << "maxima\n" << tp::to_string(values.reshape({2, 2})) << "\n";
  std::cout << "indices\n" << tp::to_string(indices.reshape({2, 2})) << "\n";

  // Unpooling puts the maxima back to their positions and fills the rest with zeros. Pooling again gives the same maxima.
  auto restored = unpool(values, indices, x.shape());
  std::cout << "unpooled\n" << tp::to_string(restored.reshape({4, 4})) << "\n";
  std::cout << "pooled again\n" << tp::to_string(pool(restored).reshape({2, 2})) << "\n";
}
