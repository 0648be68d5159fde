#include "autograd/leaf_gradient.h"

#include <mutex>
#include <utility>

#include "core/fork.h"
#include "elementwise/elementwise.h"
#include "tidepool/autograd.h"

namespace tidepool::inline v0_1::detail {

void accumulate(Tensor& sum, const Tensor& more) {
  if (!sum.defined()) {
    sum = more;
    return;
  }
  Tensor value = zip("add", sum.view(), more.view(), [](auto u, auto v) { return u + v; });
  if (!recording(sum) && !recording(more)) {
    sum = value;
    return;
  }
  sum = record("add", {sum, more}, std::move(value), [](const Tensor& g) { return Gradients{g, g}; });
}

Tensor own_gradient(Tensor gradient) {
  return !gradient.defined() || (!gradient.shares_memory() && is_dense(gradient)) ? gradient : gradient.clone();
}

Tensor LeafGradient::get() const {
  const std::lock_guard lock(mutex_of(this));
  return sum_;
}

void LeafGradient::set(Tensor gradient) {
  const std::lock_guard lock(mutex_of(this));
  std::swap(sum_, gradient);  // the lock is released before the old gradient, which may hold a whole graph
  ++changes_;
}

// The sum is computed without the lock, because an executor may run other work of the program while it waits, and that work may use this
// gradient. If the gradient was changed meanwhile, the sum is computed again.
void LeafGradient::add(Tensor gradient, bool owned) {
  for (;;) {
    Tensor sum;
    uint64_t seen = 0;
    {
      const std::lock_guard lock(mutex_of(this));
      sum = sum_;
      seen = changes_;
    }
    if (!sum.defined() && owned) gradient = own_gradient(std::move(gradient));
    accumulate(sum, gradient);
    const std::lock_guard lock(mutex_of(this));
    if (changes_ != seen) continue;
    std::swap(sum_, sum);
    ++changes_;
    return;
  }
}

}  // namespace tidepool::inline v0_1::detail
