#include "tidepool/creation.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "core/convert.h"
#include "core/layout.h"
#include "core/walk.h"

namespace tidepool::inline v0_1 {

namespace {

// A counter-based generator: element i is a hash of the seed and i, so elements can be computed in any order and on any thread. The hash is
// that of SplitMix64.
constexpr uint64_t golden = 0x9E3779B97F4A7C15u;

constexpr uint64_t scramble(uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

class Stream {
 public:
  // The seed is hashed first, because otherwise two close seeds could give the same numbers at shifted positions.
  explicit constexpr Stream(uint64_t seed) noexcept : key_(scramble(seed + golden)) {}
  constexpr uint64_t operator()(uint64_t counter) const noexcept { return scramble(key_ + (counter + 1) * golden); }

 private:
  uint64_t key_;
};

// Uses as many bits as the mantissa holds, so that the conversion is exact and never rounds up to 1. Integers use the whole range of T.
template <class T>
T uniform(uint64_t random) noexcept {
  if constexpr (std::is_same_v<T, double>) {
    return static_cast<double>(random >> 11) * 0x1p-53;
  } else if constexpr (std::is_same_v<T, float>) {
    return static_cast<float>(random >> 40) * 0x1p-24f;
  } else if constexpr (std::is_same_v<T, Half>) {
    return Half(static_cast<float>(random >> 53) * 0x1p-11f);
  } else if constexpr (std::is_same_v<T, BFloat16>) {
    return BFloat16(static_cast<float>(random >> 56) * 0x1p-8f);
  } else if constexpr (std::is_same_v<T, bool>) {
    return (random >> 63) != 0;
  } else {
    return static_cast<T>(random >> (64 - 8 * sizeof(T)));
  }
}

// The natural logarithm for 0 < x < 1, from basic IEEE operations only: the C library's log differs between platforms in the last bit.
// x = m·2^e with m in [√½, √2), and ln m = 2·atanh(z) with z = (m-1)/(m+1). As |z| < 0.172, the terms of the series after z^21 are below
// 2^-53.
double portable_log(double x) noexcept {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752) {
    m *= 2;
    --exponent;
  }
  const double z = (m - 1) / (m + 1);
  const double square = z * z;
  double series = 0;
  for (int k = 21; k >= 1; k -= 2) series = series * square + 1.0 / k;
  return exponent * 0.6931471805599453 + 2 * z * series;
}

// Marsaglia's polar method. Besides portable_log it needs only a square root, which IEEE 754 rounds correctly, so all platforms give the
// same result.
double normal(const Stream& stream, uint64_t element) noexcept {
  const Stream own(stream(element));
  for (uint64_t attempt = 0;; attempt += 2) {
    const double u = 2 * uniform<double>(own(attempt)) - 1;
    const double v = 2 * uniform<double>(own(attempt + 1)) - 1;
    const double s = u * u + v * v;
    if (s > 0 && s < 1) return u * std::sqrt(-2 * portable_log(s) / s);
  }
}

// Sets element i, in row-major order, to make(TypeTag<T>, i).
template <class Make>
void fill(const char* op, TensorSpan out, const Make& make) {
  detail::check_layout(op, out).value();
  dispatch(out.dtype, [&]<class T>(TypeTag<T> tag) {
    constexpr int64_t size = sizeof(T);
    const int64_t length = detail::row_length(out.shape);
    const int64_t stride = detail::row_stride(out.strides) * size;
    int64_t element = 0;
    detail::walk_rows<1>(out.shape, {out.strides}, [&](const std::array<int64_t, 1>& at) {
      std::byte* row = out.data + at[0] * size;
      for (int64_t i = 0; i < length; ++i) detail::store_element<T>(row + i * stride, make(tag, element++));
    });
  });
}

void require_floating(const char* op, DType dtype) {
  if (is_floating(dtype)) return;
  throw Error(ErrorCode::dtype_mismatch, std::string(op) + ": dtype must be floating, got " + std::string(dtype_name(dtype)));
}

template <class T>
void require_fit(double value) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    // Compares with the largest value plus 1, a power of two, because the largest i64 is not exact as a double.
    const double end = std::ldexp(1.0, std::numeric_limits<T>::digits);
    const double whole = std::trunc(value);
    if (whole >= static_cast<double>(std::numeric_limits<T>::min()) && whole < end) return;
    throw Error(ErrorCode::invalid_argument,
                "full: value must fit " + std::string(dtype_name(dtype_of<T>)) + ", got " + std::to_string(value));
  }
}

}  // namespace

NestedValues::NestedValues(std::initializer_list<NestedValues> list) {
  shape_.push_back(static_cast<int64_t>(list.size()));
  if (list.size() == 0) return;
  const Dims& first = list.begin()->shape();
  for (int64_t size : first) shape_.push_back(size);
  for (const NestedValues& part : list) {
    if (part.shape() != first)
      throw Error(ErrorCode::shape_mismatch,
                  "tensor: lists must have equal shapes, got " + to_string(first) + " and " + to_string(part.shape()));
    values_.insert(values_.end(), part.values().begin(), part.values().end());
  }
}

Tensor tensor(const NestedValues& values, DType dtype) {
  Tensor result(values.shape(), dtype);
  fill("tensor", result.span(),
       [&]<class T>(TypeTag<T>, int64_t i) { return detail::convert<T>(values.values()[static_cast<size_t>(i)]); });
  return result;
}

Tensor zeros(const Dims& shape, DType dtype) {
  Tensor result(shape, dtype);
  std::memset(result.data<std::byte>(), 0, static_cast<size_t>(result.numel() * dtype_size(dtype)));
  return result;
}

Tensor full(const Dims& shape, double value, DType dtype) {
  dispatch(dtype, [&]<class T>(TypeTag<T>) { require_fit<T>(value); });
  Tensor result(shape, dtype);
  fill("full", result.span(), [&]<class T>(TypeTag<T>, int64_t) { return detail::convert<T>(value); });
  return result;
}

Tensor ones(const Dims& shape, DType dtype) { return full(shape, 1, dtype); }

Tensor arange(const Dims& shape, DType dtype) {
  Tensor result(shape, dtype);
  fill("arange", result.span(), []<class T>(TypeTag<T>, int64_t i) { return detail::convert<T>(i); });
  return result;
}

Tensor rand(const Dims& shape, DType dtype) { return rand(shape, next_seed(), dtype); }
Tensor randn(const Dims& shape, DType dtype) { return randn(shape, next_seed(), dtype); }

Tensor rand(const Dims& shape, Seed seed, DType dtype) {
  Tensor result(shape, dtype);
  fill_rand(result.span(), seed);
  return result;
}

Tensor randn(const Dims& shape, Seed seed, DType dtype) {
  require_floating("randn", dtype);
  Tensor result(shape, dtype);
  fill_randn(result.span(), seed);
  return result;
}

void fill_rand(TensorSpan out, uint64_t seed) {
  const Stream stream(seed);
  fill("fill_rand", out, [&]<class T>(TypeTag<T>, int64_t i) { return uniform<T>(stream(static_cast<uint64_t>(i))); });
}

void fill_randn(TensorSpan out, uint64_t seed) {
  require_floating("fill_randn", out.dtype);
  const Stream stream(seed);
  fill("fill_randn", out, [&]<class T>(TypeTag<T>, int64_t i) { return detail::convert<T>(normal(stream, static_cast<uint64_t>(i))); });
}

}  // namespace tidepool::inline v0_1
