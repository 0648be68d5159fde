// Max and min pooling of one output cell, by the book: the definition that fits every shape, and the border of the vector kernels.
#pragma once

#include <limits>
#include <type_traits>

#include "kernels/element.h"
#include "kernels/index_store.h"
#include "kernels/kernel.h"

namespace tidepool::detail {

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

template <class E, bool kMin>
void max_cell(const KernelArgs& a, const RowPosition& p, int64_t ow) noexcept {
  const int64_t* starts = a.starts_of(p.n, p.c);
  const Window wd = a.depth.window(p.od, starts), wh = a.height.window(p.oh, starts), ww = a.width.window(ow, starts);
  const Strides5& s = a.input_strides;
  const Stored<E>* plane = reinterpret_cast<const Stored<E>*>(a.input) + p.n * s[dim_n] + p.c * s[dim_c];
  Stored<E> best = extremum_identity<E, kMin>();
  int64_t best_d = 0, best_h = 0, best_w = 0;
  bool found = wd.count > 0 && wh.count > 0 && ww.count > 0 && a.nan == NanPolicy::propagate;
  for (int64_t td = 0; td < wd.count; ++td)
    for (int64_t th = 0; th < wh.count; ++th) {
      const Stored<E>* row = plane + (wd.begin + td * a.depth.dilation) * s[dim_d] + (wh.begin + th * a.height.dilation) * s[dim_h];
      for (int64_t tw = 0; tw < ww.count; ++tw) {
        const Stored<E> value = row[(ww.begin + tw * a.width.dilation) * s[dim_w]];
        bool take = replaces<E, kMin>(best, value);
        if constexpr (is_float<E>)
          if (a.nan == NanPolicy::ignore) {
            const auto v = comparable(value);
            take = v == v && (take || !found);
          }
        if constexpr (!is_float<E>) take = take || !found;
        if (take) best = value, best_d = td, best_h = th, best_w = tw, found = true;
      }
    }
  reinterpret_cast<Stored<E>*>(a.output)[p.offset(a.output_strides) + ow * a.output_strides[dim_w]] = best;
  if (a.index == nullptr) return;
  const int64_t at = p.offset(a.index_strides) + ow * a.index_strides[dim_w];
  if (!found) return store_index(a, at, -1);
  if (a.index_base == IndexBase::window) {
    const int64_t tap = ((wd.first_tap + best_d) * a.height.kernel + wh.first_tap + best_h) * a.width.kernel + ww.first_tap + best_w;
    return store_index(a, at, tap);
  }
  const int64_t d = wd.begin + best_d * a.depth.dilation, h = wh.begin + best_h * a.height.dilation,
                w = ww.begin + best_w * a.width.dilation;
  store_index(a, at, index_origin(a, p.n, p.c) + (d * a.height.input + h) * a.width.input + w);
}

// Not inlined: the vector kernels call it from many places, and borders are not where their time goes.
template <class E, bool kMin>
[[gnu::noinline]] void max_cells(const KernelArgs& a, const RowPosition& p, int64_t begin, int64_t end) noexcept {
  for (int64_t ow = begin; ow < end; ++ow) max_cell<E, kMin>(a, p, ow);
}

}  // namespace tidepool::detail
