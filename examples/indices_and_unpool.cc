#include <tidepool/nn.h>

#include <iostream>
namespace tp = tidepool;
namespace nn = tidepool::nn;

int main() {
  auto x = tp::tensor({{{{1, 3, 2, 1}, {4, 2, 1, 0}, {5, 6, 1, 2}, {7, 8, 3, 4}}}});
  nn::MaxPool2d pool(2, 2);
  nn::MaxUnpool2d unpool(2, 2);
  std::cout << pool.to_string() << "\n" << unpool.to_string() << "\n";

  // The index of a maximum is its position in the plane, counted row by row.
  auto [values, indices] = pool.forward_with_indices(x);
  std::cout << "maxima\n" << values[0][0] << "\n";
  std::cout << "indices\n" << indices[0][0] << "\n";

  // Unpooling puts the maxima back to their positions and fills the rest with zeros. Pooling again gives the same maxima.
  auto restored = unpool(values, indices);
  std::cout << "unpooled\n" << restored[0][0] << "\n";
  std::cout << "pooled again\n" << pool(restored)[0][0] << "\n";
}
