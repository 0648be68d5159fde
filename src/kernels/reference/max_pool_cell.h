// Max and min pooling of one output cell, by the book: the definition that fits every shape, and the border of the
// vector kernels.
#pragma once

#include <limits>
#include <type_traits>

#include "kernels/element.h"
#include "kernels/kernel.h"
#include "kernels/reduce/index_store.h"

namespace tidepool::inline v0_1::detail {

// Comparable value of an element; 16-bit floats widen exactly.
template <class E>
auto comparable(E e) noexcept {
  if constexpr (is_half<E>)
    return static_cast<float>(e);
  else
    return e;
}

template <class E, bool kMin>
Stored<E> extremum_identity() noexcept {
  if constexpr (std::is_same_v<E, Half>)
    return Half::from_bits(kMin ? 0x7c00 : 0xfc00);
  else if constexpr (std::is_same_v<E, BFloat16>)
    return BFloat16::from_bits(kMin ? 0x7f80 : 0xff80);
  else if constexpr (std::is_floating_point_v<E>)
    return kMin ? std::numeric_limits<E>::infinity() : -std::numeric_limits<E>::infinity();
  else
    return kMin ? std::numeric_limits<E>::max() : std::numeric_limits<E>::lowest();
}

// Does `next` replace `best`? First of equals stays; a NaN always replaces, so the last NaN stays.
template <class E, bool kMin>
bool replaces(Stored<E> best, Stored<E> next) noexcept {
  const auto b = comparable(best), v = comparable(next);
  if constexpr (is_float<E>)
    if (v != v) return true;
  return kMin ? v < b : v > b;
}

// A row of outputs: what its cells share is looked up once.
template <class E, bool kMin>
class MaxRow {
 public:
  MaxRow(const KernelArgs& a, const RowPosition& p) noexcept
      : a_(a), p_(p), starts_(a.starts_of(p.n, p.c)), wd_(a.depth.window(p.od, starts_)), wh_(a.height.window(p.oh, starts_)) {
    const Strides5& s = a.input_strides;
    plane_ = reinterpret_cast<const Stored<E>*>(a.input) + p.n * s[dim_n] + p.c * s[dim_c];
    out_ = reinterpret_cast<Stored<E>*>(a.output) + p.offset(a.output_strides);
  }

  // NaN is never passed over, and nobody asks where the winner was.
  void value(int64_t ow) const noexcept {
    const Window ww = a_.width.window(ow, starts_);
    Stored<E> best = extremum_identity<E, kMin>();
    for_each_row([&](int64_t, int64_t, const Stored<E>* row) {
      for (int64_t tw = 0; tw < ww.count; ++tw) {
        const Stored<E> next = row[(ww.begin + tw * a_.width.dilation) * a_.input_strides[dim_w]];
        if (replaces<E, kMin>(best, next)) best = next;
      }
    });
    out_[ow * a_.output_strides[dim_w]] = best;
  }

  void cell(int64_t ow) const noexcept {
    const Window ww = a_.width.window(ow, starts_);
    Stored<E> best = extremum_identity<E, kMin>();
    int64_t best_d = 0, best_h = 0, best_w = 0;
    bool found = wd_.count > 0 && wh_.count > 0 && ww.count > 0 && a_.nan == NanPolicy::propagate;
    for_each_row([&](int64_t td, int64_t th, const Stored<E>* row) {
      for (int64_t tw = 0; tw < ww.count; ++tw) {
        const Stored<E> value = row[(ww.begin + tw * a_.width.dilation) * a_.input_strides[dim_w]];
        bool take = replaces<E, kMin>(best, value);
        if constexpr (is_float<E>)
          if (a_.nan == NanPolicy::ignore) {
            const auto v = comparable(value);
            take = v == v && (take || !found);
          }
        if constexpr (!is_float<E>) take = take || !found;
        if (take) best = value, best_d = td, best_h = th, best_w = tw, found = true;
      }
    });
    out_[ow * a_.output_strides[dim_w]] = best;
    if (a_.index == nullptr) return;
    const int64_t at = p_.offset(a_.index_strides) + ow * a_.index_strides[dim_w];
    if (!found) return store_index(a_, at, -1);
    if (a_.index_base == IndexBase::window) {
      const int64_t tap = ((wd_.first_tap + best_d) * a_.height.kernel + wh_.first_tap + best_h) * a_.width.kernel + ww.first_tap + best_w;
      return store_index(a_, at, tap);
    }
    const int64_t d = wd_.begin + best_d * a_.depth.dilation, h = wh_.begin + best_h * a_.height.dilation,
                  w = ww.begin + best_w * a_.width.dilation;
    store_index(a_, at, index_origin(a_, p_.n, p_.c) + (d * a_.height.input + h) * a_.width.input + w);
  }

 private:
  // visit(td, th, row) for every row of the plane that the windows of this row of outputs reach.
  template <class Visit>
  void for_each_row(Visit visit) const noexcept {
    const Strides5& s = a_.input_strides;
    for (int64_t td = 0; td < wd_.count; ++td)
      for (int64_t th = 0; th < wh_.count; ++th)
        visit(td, th, plane_ + (wd_.begin + td * a_.depth.dilation) * s[dim_d] + (wh_.begin + th * a_.height.dilation) * s[dim_h]);
  }

  const KernelArgs& a_;
  const RowPosition& p_;
  const int64_t* starts_;
  Window wd_, wh_;
  const Stored<E>* plane_;
  Stored<E>* out_;
};

// Outputs [begin, end) of a row, of whatever op and type the arguments say. The vector kernels call it from many places, and borders are
// not where their time goes: max_pool_strided.cc has it once.
void max_cells(const KernelArgs& a, const RowPosition& p, int64_t begin, int64_t end) noexcept;

}  // namespace tidepool::inline v0_1::detail
