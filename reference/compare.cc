#include "reference/compare.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <type_traits>

#include "tidepool/error.h"

namespace tidepool::reference {
namespace {

template <class T>
T load(TensorView array, const Dims& at) {
  int64_t offset = 0;
  for (int i = 0; i < at.rank; ++i) offset += at[i] * array.stride(i);
  T value;
  std::memcpy(&value, array.data + offset * static_cast<int64_t>(sizeof value), sizeof value);
  return value;
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

double cell_value(const TensorArg& array_arg, const Dims& at) {
  const TensorView& array = array_arg.view();
  return dispatch(array.dtype, [&]<class T>(TypeTag<T>) {
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>) {
      return static_cast<double>(static_cast<float>(load<T>(array, at)));
    } else if constexpr (std::is_same_v<T, bool>) {
      return static_cast<double>(load<uint8_t>(array, at));  // a byte of foreign memory need not be 0 or 1
    } else {
      return static_cast<double>(load<T>(array, at));
    }
  });
}

uint64_t cell_bits(const TensorArg& array_arg, const Dims& at) {
  const TensorView& array = array_arg.view();
  switch (dtype_size(array.dtype)) {
    case 1:
      return load<uint8_t>(array, at);
    case 2:
      return load<uint16_t>(array, at);
    case 4:
      return load<uint32_t>(array, at);
    default:
      return load<uint64_t>(array, at);
  }
}

std::string show_cell(const TensorArg& array_arg, const Dims& at) {
  const TensorView& array = array_arg.view();
  if (array.dtype == DType::i64) return std::to_string(load<int64_t>(array, at));
  return show(cell_value(array, at), array.dtype == DType::f64 ? "%.17g" : array.dtype == DType::f32 ? "%.9g" : "%.6g");
}

std::optional<Mismatch> compare_bits(const TensorArg& got, const TensorArg& expected) { return compare(got, expected, TensorView{}); }

std::optional<Mismatch> compare(const TensorArg& got_arg, const TensorArg& expected_arg, const TensorArg& tolerance_arg) {
  const TensorView& got = got_arg.view();
  const TensorView& expected = expected_arg.view();
  const TensorView& tolerance = tolerance_arg.view();
  if (got.shape != expected.shape || got.dtype != expected.dtype)
    throw Error(ErrorCode::shape_mismatch, "compare: expected " + std::string(dtype_name(expected.dtype)) + " " +
                                               to_string(expected.shape) + ", got " + std::string(dtype_name(got.dtype)) + " " +
                                               to_string(got.shape));
  if (got.numel() == 0) return std::nullopt;
  const bool tolerant = tolerance.data != nullptr && tolerance.numel() > 0;
  Mismatch found;
  Dims at = got.shape;
  at.values.fill(0);
  do {
    if (cell_bits(got, at) == cell_bits(expected, at)) continue;
    if (tolerant && is_close(cell_value(got, at), cell_value(expected, at), cell_value(tolerance, at))) continue;
    if (found.count++ > 0) continue;
    found.at = at;
    found.got = show_cell(got, at);
    found.expected = show_cell(expected, at);
  } while (advance(at, got.shape));
  if (found.count == 0) return std::nullopt;
  return found;
}

}  // namespace tidepool::reference
