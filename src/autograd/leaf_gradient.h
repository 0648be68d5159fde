// The gradient of a leaf, which backward passes of several threads may add to at the same time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::detail {

// sum += more, for tensors of the same shape. An undefined sum becomes `more`. The addition is recorded if either tensor is: then second
// derivatives need it.
void accumulate(Tensor& sum, const Tensor& more);

// The gradient itself, or a copy if it is a broadcast view or shares its memory with another tensor. The owner of the result may change
// it in place.
Tensor own_gradient(Tensor gradient);

// Each function acts at one moment: no addition is lost, and a reader gets the sum of the gradients that were added before. The tensor
// that get() returns does not change later, because an addition makes a new one.
class LeafGradient {
 public:
  LeafGradient() = default;
  LeafGradient(const LeafGradient&) = delete;
  LeafGradient& operator=(const LeafGradient&) = delete;

  Tensor get() const;
  void set(Tensor gradient);

 private:
  friend class GradientAddition;
  // Both are guarded by mutex_of(SharedState::gradients).
  Tensor sum_;
  uint64_t changes_ = 0;  // to sum_
};

// An addition to the gradient of a leaf, in two steps: only the first one can fail.
class GradientAddition {
 public:
  GradientAddition(LeafGradient& leaf, Tensor gradient) : leaf_(&leaf), gradient_(std::move(gradient)) {}
  // Computes the sum, unless it is that of the leaf's gradient of now. With `owned`, a first gradient is stored by own_gradient().
  void compute(bool owned);
  // The callers of these two hold mutex_of(SharedState::gradients).
  // Whether the leaf has not changed since the sum was computed.
  bool is_current() const noexcept { return seen_ == leaf_->changes_; }
  // Stores the sum in the leaf, and keeps the old one until it is destroyed itself.
  void store() noexcept;

 private:
  LeafGradient* leaf_;
  Tensor gradient_, sum_;
  std::optional<uint64_t> seen_;  // changes of the leaf before the sum was computed
};

// Makes all additions, or none if there is no memory for one of them. Each leaf stands in the list once.
void add_all(std::vector<GradientAddition> additions, bool owned);

}  // namespace tidepool::inline v0_1::detail
