#include <tidepool/nn.h>

#include <cstdio>

int main() {
  tidepool::nn::Linear layer(4, 2);
  tidepool::sum(layer(tidepool::randn({3, 4}, 1))).backward();
  std::puts(layer.weight.grad().defined() ? layer.to_string().c_str() : "no gradient");
  try {
    layer.load_state_dict(tidepool::nn::load_weights("missing.npz"));
  } catch (const tidepool::Error& error) {
    std::puts(tidepool::error_code_name(error.code()));
  }
}
