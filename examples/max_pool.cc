#include <tidepool/tidepool.h>

#include <iostream>
namespace tp = tidepool;

int main() {
  // The pooling layer of a ResNet: overlapping windows with padding.
  auto x = tp::randn({1, 64, 112, 112});
  auto y = tp::max_pool2d(x, 3, 2, 1);
  std::cout << "stem     " << y.shape() << "\n";

  // SAME padding, a kernel that is not square, and indices of one byte each.
  auto same = tp::max_pool2d_with_indices(x, {3, 2}, {.stride = 2, .padding = tp::same, .index_base = tp::IndexBase::window});
  std::cout << "same     " << same.values.shape() << ", indices " << tp::dtype_name(same.indices.dtype()) << "\n";

  // The result of a channels-last tensor is channels last. Nothing is copied.
  auto last = tp::max_pool2d(x.clone(tp::MemoryFormat::channels_last), 3, 2, 1);
  std::cout << "strides  " << last.strides() << "\n";

  // Reads every second row and column of the caller's buffer and writes to another one.
  float out[4] = {};
  const float cells[64] = {0, 9, 1, 9, 2};
  tp::max_pool2d_into(tp::span(out, {1, 2, 2}), tp::view(cells, {1, 4, 4}, {64, 16, 2}), {.kernel_size = 2});
  std::cout << "into     " << out[0] << " " << out[1] << "\n";

  // A plan is prepared once for a problem and can be run many times.
  auto plan = tp::make_plan(tp::parse("max2d fwd f32 nchw 1x64x112x112 k3 s2 p1"));
  plan.run(x, y.span());
  std::cout << "planned  " << to_string(plan.problem()) << "\n";

  // An error message has the function, the rule, the value and the axis.
  try {
    tp::max_pool2d(x, 2, {0, 1});
  } catch (const tp::Error& error) {
    std::cout << error.what() << "\n";
  }
}
