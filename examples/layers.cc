#include <tidepool/nn.h>

#include <iostream>
namespace tp = tidepool;
namespace nn = tidepool::nn;

void show(nn::Module& layer, const tp::Tensor& x) {
  std::cout << layer.to_string() << "\n  " << x.shape() << " -> " << layer(x).shape() << "\n";
}

template <class... Layers>
void show_all(const tp::Tensor& x, Layers... layers) {
  (show(layers, x), ...);
}

int main() {
  show_all(tp::randn({1, 2, 16}), nn::Conv1d(2, 4, 3), nn::MaxPool1d(2), nn::AvgPool1d(2), nn::LPPool1d(2, 3), nn::AdaptiveMaxPool1d(5));
  show_all(tp::randn({1, 4, 12, 12}), nn::Conv2d(4, 8, 3, {.padding = tp::same, .groups = 2}), nn::ConvTranspose2d(4, 2, 2, 2),
           nn::BatchNorm2d(4), nn::ReLU(), nn::LeakyReLU(0.2), nn::Sigmoid(), nn::Tanh(), nn::GELU(), nn::Dropout(0.25), nn::Identity(),
           nn::MaxPool2d(3, 2, 1), nn::AvgPool2d(3, 2), nn::LPPool2d(2, 2), nn::FractionalMaxPool2d(2, {.output_ratio = 0.7}),
           nn::AdaptiveAvgPool2d({3, tp::keep_size}), nn::Flatten());
  show_all(tp::randn({1, 2, 6, 6, 6}), nn::Conv3d(2, 3, 3), nn::MaxPool3d(2), nn::AvgPool3d(2), nn::AdaptiveMaxPool3d(2));
  show_all(tp::randn({2, 10}), nn::Linear(10, 3));

  // Copies the weights of one network to another. The names are those of PyTorch.
  nn::LeNet net, copy;
  copy.load_state_dict(net.state_dict());
  for (const auto& [name, value] : copy.state_dict()) std::cout << name << " " << value.shape() << "\n";
}
