// Short functions that make and read small tensors in hand-written cases.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "support/cells.h"
#include "tidepool/tensor.h"

namespace tidepool::test {

// All cells in row-major order, as doubles.
inline std::vector<double> cells(const TensorArg& t_arg) {
  const TensorView& t = t_arg.view();
  std::vector<double> out;
  dispatch(t.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for_each_cell(t.shape, [&](const Dims& at) {
      if constexpr (std::is_same_v<T, bool>) {
        out.push_back(get<uint8_t>(t, at));
      } else if constexpr (std::is_arithmetic_v<T>) {
        out.push_back(static_cast<double>(get<T>(t, at)));
      } else {
        out.push_back(static_cast<float>(get<T>(t, at)));
      }
    });
  });
  return out;
}

using Cells = std::vector<double>;

inline Tensor plane(int64_t height, int64_t width, std::initializer_list<float> values) {
  return Tensor::from<float>({1, 1, height, width}, values);
}

// One digit per cell, one string per row.
inline Tensor digits(const std::vector<std::string>& rows) {
  Tensor t({1, 1, static_cast<int64_t>(rows.size()), static_cast<int64_t>(rows[0].size())});
  float* p = t.data<float>();
  for (const std::string& row : rows)
    for (char c : row) *p++ = static_cast<float>(c - '0');
  return t;
}

// The message of the Error that f throws, or "nothing thrown".
template <class F>
std::string message_of(F f) {
  try {
    f();
  } catch (const Error& e) {
    return e.message();
  }
  return "nothing thrown";
}

}  // namespace tidepool::test
