// Cell by cell access to strided arrays at any alignment.
#pragma once

#include <cstring>

#include "tidepool/tensor.h"

namespace tidepool::test {

inline int64_t offset_of(const Dims& strides, const Dims& at) {
  int64_t offset = 0;
  for (int i = 0; i < at.rank; ++i) offset += at[i] * strides[i];
  return offset;
}

template <class T>
T get(const TensorArg& array_arg, const Dims& at) {
  const TensorView& array = array_arg.view();
  T v;
  std::memcpy(&v, array.data + offset_of(array.strides, at) * static_cast<int64_t>(sizeof v), sizeof v);
  return v;
}

template <class T>
void put(TensorSpan array, const Dims& at, T v) {
  std::memcpy(array.data + offset_of(array.strides, at) * static_cast<int64_t>(sizeof v), &v, sizeof v);
}

// Calls f(at) for every cell in row-major order.
template <class F>
void for_each_cell(const Dims& shape, F f) {
  for (int64_t s : shape.span())
    if (s <= 0) return;
  Dims at = shape;
  for (int i = 0; i < at.rank; ++i) at[i] = 0;
  for (;;) {
    f(static_cast<const Dims&>(at));
    int i = at.rank - 1;
    while (i >= 0 && ++at[i] == shape[i]) at[i--] = 0;
    if (i < 0) return;
  }
}

}  // namespace tidepool::test
