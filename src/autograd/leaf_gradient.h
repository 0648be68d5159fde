// The gradient of a leaf, which backward passes of several threads may add to at the same time.
#pragma once

#include <cstdint>

#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::detail {

// sum += more, for tensors of the same shape. An undefined sum becomes `more`. The addition is recorded if either tensor is: then second
// derivatives need it.
void accumulate(Tensor& sum, const Tensor& more);

// The gradient itself, or a copy if it is a broadcast view or shares its memory with another tensor. The owner of the result may change
// it in place.
Tensor own_gradient(Tensor gradient);

// Each function acts at one moment: no addition is lost, and a reader gets the sum of the gradients that were added before. The tensor
// that get() returns does not change later, because add() makes a new one.
class LeafGradient {
 public:
  LeafGradient() = default;
  LeafGradient(const LeafGradient&) = delete;
  LeafGradient& operator=(const LeafGradient&) = delete;

  Tensor get() const;
  void set(Tensor gradient);
  // With `owned`, a first gradient is stored by own_gradient().
  void add(Tensor gradient, bool owned);

 private:
  // Both are guarded by mutex_of(this).
  Tensor sum_;
  uint64_t changes_ = 0;  // to sum_
};

}  // namespace tidepool::inline v0_1::detail
