#include "autograd/leaf_gradient.h"

#include <algorithm>
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
  const std::lock_guard lock(mutex_of(SharedState::gradients));
  return sum_;
}

void LeafGradient::set(Tensor gradient) {
  const std::lock_guard lock(mutex_of(SharedState::gradients));
  std::swap(sum_, gradient);  // the lock is released before the old gradient, which may hold a whole graph
  ++changes_;
}

void GradientAddition::compute(bool owned) {
  {
    const std::lock_guard lock(mutex_of(SharedState::gradients));
    if (is_current()) return;
    sum_ = leaf_->sum_;
    seen_ = leaf_->changes_;
  }
  if (!sum_.defined() && owned) gradient_ = own_gradient(std::move(gradient_));
  accumulate(sum_, gradient_);
}

void GradientAddition::store() noexcept {
  std::swap(leaf_->sum_, sum_);
  ++leaf_->changes_;
}

// The sums are computed without the lock, because an executor may run other work of the program while it waits, and that work may use the
// same gradients. Sums of gradients that changed meanwhile are computed again. The old gradients, which may hold whole graphs, are released
// after the lock.
void add_all(std::vector<GradientAddition> additions, bool owned) {
  for (;;) {
    for (GradientAddition& addition : additions) addition.compute(owned);
    const std::lock_guard lock(mutex_of(SharedState::gradients));
    if (!std::ranges::all_of(additions, &GradientAddition::is_current)) continue;
    for (GradientAddition& addition : additions) addition.store();
    return;
  }
}

}  // namespace tidepool::inline v0_1::detail
