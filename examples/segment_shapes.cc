// Semantic segmentation with an encoder and decoder after SegNet. The decoder upsamples by unpooling, with the indices of the max pooling
// in the encoder. The network classifies every pixel as background, disc, square or triangle. The program writes segment_shapes.png with
// three rows: the pictures, the predictions and the true classes.
#include <tidepool/data/image_set.h>
#include <tidepool/io/png.h>
#include <tidepool/nn.h>

#include <iostream>
namespace tp = tidepool;

struct SegNet : tp::nn::Module {
  tp::nn::Conv2d& down1 = add("down1", tp::nn::Conv2d(1, 16, 5, 1, 2));
  tp::nn::Conv2d& down2 = add("down2", tp::nn::Conv2d(16, 32, 5, 1, 2));
  tp::nn::Conv2d& middle = add("middle", tp::nn::Conv2d(32, 32, 5, 1, 2));
  tp::nn::Conv2d& up2 = add("up2", tp::nn::Conv2d(32, 16, 5, 1, 2));
  tp::nn::Conv2d& up1 = add("up1", tp::nn::Conv2d(16, 4, 5, 1, 2));

  tp::Tensor forward(const tp::Tensor& x) override {
    const auto [half, where1] = tp::max_pool2d_with_indices(tp::relu(down1(x)), 2);
    const auto [quarter, where2] = tp::max_pool2d_with_indices(tp::relu(down2(half)), 2);
    const tp::Tensor back2 = tp::max_unpool2d(tp::relu(middle(quarter)), where2, 2);
    return up1(tp::max_unpool2d(tp::relu(up2(back2)), where1, 2));
  }
};

constexpr int64_t side = 32, shown = 8, zoom = 3;
constexpr uint8_t colours[4][3] = {{24, 28, 34}, {88, 166, 255}, {255, 123, 114}, {86, 211, 100}};

// The class with the largest score at every pixel. The scores are N, 4, side, side.
tp::Tensor classes(const tp::Tensor& scores) {
  const tp::Tensor rows = scores.transpose(1, 2).transpose(2, 3).clone().reshape({scores.size(0) * side * side, 4});
  return tp::argmax(rows).reshape({scores.size(0), side, side});
}

double percent(const tp::Tensor& condition) { return 100 * tp::mean(condition.to(tp::DType::f64)).item(); }

int main() {
  tp::set_num_threads(1);  // this network is too small to gain from more
  tp::manual_seed(1);
  SegNet net;
  tp::nn::Adam adam(net.parameters(), {.lr = 3e-3});
  for (uint64_t step = 0; step < 400; ++step) {
    const auto [images, masks] = tp::data::make_shapes(16, side, step);
    adam.zero_grad();
    tp::cross_entropy(net(images), masks).backward();
    adam.step();
  }

  const tp::NoGrad no_grad;
  const auto [images, masks] = tp::data::make_shapes(100, side, 1'000'000);
  const tp::Tensor guess = classes(net(images));
  std::cout << net.num_parameters() << " parameters\n" << static_cast<int>(percent(masks == 0)) << " % of the pixels show nothing\n";
  std::cout << (percent(guess == masks) >= 95 ? "more than 95 % of them all are right\n" : "too many are wrong\n");

  tp::Tensor picture({3, 3 * side * zoom, shown * side * zoom}, tp::DType::u8);
  const int64_t height = picture.size(1), width = picture.size(2);
  for (int64_t i = 0; i < picture.numel(); ++i) {
    const int64_t x = i % width / zoom, y = i / width % height / zoom, channel = i / (width * height);
    const int64_t cell = (x / side * side + y % side) * side + x % side;
    const float grey = std::min(std::max(images.data<float>()[cell] * 255, 0.F), 255.F);
    const tp::Tensor& answer = y / side == 1 ? guess : masks;
    picture.data<uint8_t>()[i] = y < side ? static_cast<uint8_t>(grey) : colours[answer.data<int64_t>()[cell]][channel];
  }
  tp::io::AtomicFile file("segment_shapes.png");
  tp::io::write_png(file, {.pixels = picture, .srgb = {}, .file_gamma = {}});
  file.commit();
}
