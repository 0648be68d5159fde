// How much the output of a pooling changes when its input moves by one column.
#include <tidepool/data/image_set.h>
#include <tidepool/tidepool.h>

#include <cmath>
#include <cstdio>
#include <functional>
namespace tp = tidepool;

using Pooling = std::function<tp::Tensor(const tp::Tensor&)>;

// avg 2 with stride 1, then avg 2: together a blur with weights 1, 2, 1 along both axes, and a stride of 2.
tp::Tensor blur(const tp::Tensor& x) { return tp::avg_pool2d(tp::avg_pool2d(x, 2, 1), 2); }

double size_of(const tp::Tensor& x) { return std::sqrt(tp::mean(x * x).item()); }

// The change, in percent of the difference between two unrelated inputs, and how many percent of the outputs stay exactly the same.
std::pair<double, double> measure(const Pooling& pool, const tp::Tensor& x) {
  const int64_t columns = x.size(3), half = x.size(0) / 2;
  const auto before = pool(tp::contiguous(x.slice(3, 1, columns))), after = pool(tp::contiguous(x.slice(3, 0, columns - 1)));
  const auto unrelated = before.slice(0, 0, half) - before.slice(0, half, 2 * half);
  return {100 * size_of(after - before) / size_of(unrelated), 100 * tp::mean((after == before).to(tp::DType::f32)).item()};
}

int main() {
  const std::pair<const char*, Pooling> ways[] = {
      {"every second cell", [](const tp::Tensor& x) { return tp::max_pool2d(x, 1, 2); }},
      {"max 2", [](const tp::Tensor& x) { return tp::max_pool2d(x, 2); }},
      {"avg 2", [](const tp::Tensor& x) { return tp::avg_pool2d(x, 2); }},
      {"max 3, stride 2", [](const tp::Tensor& x) { return tp::max_pool2d(x, 3, 2); }},
      {"avg 3, stride 2", [](const tp::Tensor& x) { return tp::avg_pool2d(x, 3, 2); }},
      {"max 2 stride 1, blur", [](const tp::Tensor& x) { return blur(tp::max_pool2d(x, 2, 1)); }},
      {"max 8", [](const tp::Tensor& x) { return tp::max_pool2d(x, 8); }},
      {"avg 8", [](const tp::Tensor& x) { return tp::avg_pool2d(x, 8); }},
      {"global max", [](const tp::Tensor& x) { return tp::global_max_pool2d(x); }},
      {"global average", [](const tp::Tensor& x) { return tp::global_avg_pool2d(x); }}};
  const auto noise = tp::randn({1000, 1, 32, 33}, /*seed=*/3), digits = tp::data::make_glyphs(3000, 1).images.to(tp::DType::f32);
  std::printf("                       noise   same  digits\n");
  for (const auto& [name, pool] : ways) {
    const auto [change, same] = measure(pool, noise);
    std::printf("%-22s %4.0f%% %5.0f%% %6.0f%%\n", name, change, same, measure(pool, digits).first);
  }
  const auto early = tp::max_pool2d(noise.slice(3, 0, 30), 2), late = tp::max_pool2d(noise.slice(3, 2, 32), 2);
  const bool moves = tp::equal(late.slice(3, 0, 14), early.slice(3, 1, 15));
  std::printf("moved by two columns, the output of max 2 %s\n", moves ? "moves by one and is the same" : "changes");
}
