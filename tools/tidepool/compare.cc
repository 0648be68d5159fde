#include "compare.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <type_traits>

namespace tidepool::cli {

namespace {

const std::byte* cell(TensorView array, const Dims& at) noexcept {
  int64_t offset = 0;
  for (int i = 0; i < at.rank; ++i) offset += at[i] * array.stride(i);
  return array.data + offset * dtype_size(array.dtype);
}

// The next cell in row-major order; false after the last.
bool advance(Dims& at, const Dims& shape) noexcept {
  for (int i = at.rank - 1; i >= 0; --i) {
    if (++at[i] < shape[i]) return true;
    at[i] = 0;
  }
  return false;
}

bool is_close(double got, double expected, double tolerance) noexcept {
  return got == expected || (std::isnan(got) && std::isnan(expected)) || std::isinf(tolerance) || std::abs(got - expected) <= tolerance;
}

std::string show(double value, const char* format) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

}  // namespace

double cell_value(TensorView array, const Dims& at) {
  return dispatch(array.dtype, [&]<class T>(TypeTag<T>) {
    T value;
    std::memcpy(&value, cell(array, at), sizeof value);
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
      return static_cast<double>(static_cast<float>(value));
    } else {
      return static_cast<double>(value);
    }
  });
}

std::string show_cell(TensorView array, const Dims& at) {
  if (array.dtype == DType::i64) {
    int64_t value;
    std::memcpy(&value, cell(array, at), sizeof value);
    return std::to_string(value);
  }
  return show(cell_value(array, at), array.dtype == DType::f64 ? "%.17g" : array.dtype == DType::f32 ? "%.9g" : "%.6g");
}

std::optional<Mismatch> compare_bits(TensorView got, TensorView expected) { return compare(got, expected, {}); }

std::optional<Mismatch> compare(TensorView got, TensorView expected, const Tensor& tolerance) {
  if (got.shape != expected.shape || got.dtype != expected.dtype)
    throw Error(ErrorCode::shape_mismatch, "compare: expected " + std::string(dtype_name(expected.dtype)) + " " +
                                               to_string(expected.shape) + ", got " + std::string(dtype_name(got.dtype)) + " " +
                                               to_string(got.shape));
  Mismatch found;
  if (got.numel() == 0) return std::nullopt;
  const auto bytes = static_cast<size_t>(dtype_size(got.dtype));
  Dims at = got.shape;
  at.values.fill(0);
  do {
    if (std::memcmp(cell(got, at), cell(expected, at), bytes) == 0) continue;
    if (tolerance.numel() > 0 && is_close(cell_value(got, at), cell_value(expected, at), cell_value(tolerance, at))) continue;
    if (found.count++ > 0) continue;
    found.at = at;
    found.got = show_cell(got, at);
    found.expected = show_cell(expected, at);
  } while (advance(at, got.shape));
  if (found.count == 0) return std::nullopt;
  return found;
}

}  // namespace tidepool::cli
