#include "plan/overlap.h"

#include <array>
#include <cstdlib>

namespace tidepool::inline v0_1::detail {
namespace {

struct Bytes {
  int64_t begin, end;
};

int64_t byte_stride(const TensorView& t, int dim) noexcept { return t.stride(dim) * dtype_size(t.dtype); }

// The extent in bytes, relative to the data pointer, of the dimensions whose stride is below `limit`.
Bytes extent_below(const TensorView& t, int64_t limit) noexcept {
  Bytes e{0, dtype_size(t.dtype)};
  for (int i = 0; i < t.rank(); ++i) {
    const int64_t step = byte_stride(t, i);
    if (std::abs(step) >= limit) continue;
    (step < 0 ? e.begin : e.end) += step * (t.size(i) - 1);
  }
  return e;
}

// Whether the arrays are disjoint modulo `period` bytes. If all larger strides are multiples of `period`, then they share no address.
bool disjoint_modulo(const TensorView& a, const TensorView& b, int64_t period) noexcept {
  for (const TensorView* t : {&a, &b})
    for (int i = 0; i < t->rank(); ++i)
      if (const int64_t step = std::abs(byte_stride(*t, i)); t->size(i) > 1 && step >= period && step % period != 0) return false;
  const Bytes ea = extent_below(a, period), eb = extent_below(b, period);
  const int64_t size_a = ea.end - ea.begin, size_b = eb.end - eb.begin;
  if (size_a > period || size_b > period) return false;
  const int64_t from = static_cast<int64_t>(reinterpret_cast<uintptr_t>(b.data)) + eb.begin;
  const int64_t gap = (static_cast<int64_t>(reinterpret_cast<uintptr_t>(a.data)) + ea.begin - from) % period;
  const int64_t at = gap < 0 ? gap + period : gap;
  return at >= size_b && at + size_a <= period;
}

}  // namespace

bool may_overlap(const TensorView& a, const TensorView& b) noexcept {
  if (a.numel() == 0 || b.numel() == 0) return false;
  constexpr int64_t no_limit = INT64_MAX;
  const Bytes ea = extent_below(a, no_limit), eb = extent_below(b, no_limit);
  const int64_t base_a = static_cast<int64_t>(reinterpret_cast<uintptr_t>(a.data));
  const int64_t base_b = static_cast<int64_t>(reinterpret_cast<uintptr_t>(b.data));
  if (base_a + ea.end <= base_b + eb.begin || base_b + eb.end <= base_a + ea.begin) return false;
  for (int i = 0; i < a.rank(); ++i)
    if (const int64_t period = std::abs(byte_stride(a, i)); period > 0 && disjoint_modulo(a, b, period)) return false;
  return true;
}

bool overlaps_itself(const TensorView& t) noexcept {
  struct Step {
    int64_t stride, size;
  };
  std::array<Step, max_rank> steps{};
  size_t count = 0;
  for (int i = 0; i < t.rank(); ++i) {
    if (t.size(i) == 0) return false;
    if (t.size(i) == 1) continue;
    const Step step{std::abs(t.stride(i)), t.size(i)};
    size_t at = count++;
    for (; at > 0 && steps[at - 1].stride > step.stride; --at) steps[at] = steps[at - 1];
    steps[at] = step;
  }
  int64_t reached = 0;
  for (size_t i = 0; i < count; ++i) {
    if (steps[i].stride <= reached) return true;
    reached += steps[i].stride * (steps[i].size - 1);
  }
  return false;
}

}  // namespace tidepool::inline v0_1::detail
