#include "golden/arrays.h"

#include <cmath>
#include <limits>
#include <memory>

#include "support/cells.h"
#include "support/rng.h"
#include "support/tensors.h"

namespace tidepool::golden {
namespace {

enum class Stream : uint8_t { x, grad, grad_grad, samples };

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// The highest bits of u as a signed number centred on 0.
int64_t top(uint64_t u, int bits) { return static_cast<int64_t>(u >> (64 - bits)) - (int64_t{1} << (bits - 1)); }

int mantissa_bits(DType dtype) { return dtype == DType::f64 ? 53 : dtype == DType::f32 ? 24 : dtype == DType::f16 ? 11 : 8; }

double float_cell(uint64_t u, Contents contents, DType dtype) {
  static constexpr double few[] = {0, 1, 2, -1};
  static constexpr double special[] = {nan, inf, -inf, -0.0, 0.0, -inf, nan, 1};
  const int bits = mantissa_bits(dtype);
  const double eighths = static_cast<double>(top(u, 7)) / 8;
  const double positive = static_cast<double>((u >> 57) + 1) / 8;
  switch (contents) {
    case Contents::eighths:
      return eighths;
    case Contents::full:
      return std::ldexp(static_cast<double>(top(u, bits)), static_cast<int>(u & 7) - 2 - bits);
    case Contents::ties:
      return few[u >> 62];
    case Contents::specials:
      return (u >> 3 & 3) == 0 ? special[u & 7] : eighths;
    case Contents::minus_inf:
      return (u & 3) != 0 ? -inf : eighths;
    case Contents::zeros:
      return (u & 1) != 0 ? -0.0 : 0.0;
    case Contents::positive:
      return positive;
    case Contents::sparse:
      return (u & 1) != 0 ? 0.0 : positive;
    case Contents::unit:
      return std::ldexp(static_cast<double>(u >> (64 - bits)), -bits);
  }
  return 0;
}

int64_t integer_cell(uint64_t u, Contents contents, DType dtype) {
  static constexpr int64_t few[] = {0, 1, 2, -1};
  const bool bytes = dtype == DType::u8;
  if (contents == Contents::eighths) return top(u, 7) + (bytes ? 64 : 0);
  if (contents == Contents::ties) return few[u >> 62] + (bytes ? 1 : 0);
  // Numbers of i64 stay small enough to be summed.
  return top(u, dtype == DType::i64 ? 40 : static_cast<int>(dtype_size(dtype)) * 8) + (bytes ? 128 : 0);
}

// Memory of another arrangement with the same shape.
Tensor allocate(const Case& c, const Dims& shape, DType dtype) {
  const int last = shape.rank - 1;
  Dims strides = contiguous_strides(shape);
  int64_t spread = 1;
  if (c.arrangement == Arrangement::channels_last) {
    Dims batched = c.batched ? Dims() : Dims{1};
    for (int64_t s : shape.span()) batched.push_back(s);
    strides = channels_last_strides(batched).span().last(static_cast<size_t>(shape.rank));
  } else if (c.arrangement == Arrangement::transposed) {
    Dims swapped = shape;
    std::swap(swapped[last], swapped[last - 1]);
    strides = contiguous_strides(swapped);
    std::swap(strides[last], strides[last - 1]);
  } else if (c.arrangement == Arrangement::sliced) {
    spread = 2;
    for (int i = 0; i <= last; ++i) strides[i] *= spread;
  }
  int64_t cells = spread;
  for (int64_t s : shape.span()) cells *= s;
  const auto memory = std::make_shared<Tensor>(Dims{cells}, dtype);
  TensorSpan view = memory->span();
  view.data += (spread - 1) * dtype_size(dtype);
  view.shape = shape;
  view.strides = strides;
  return {memory, view};
}

void fill(TensorSpan t, uint64_t seed, Contents contents) {
  test::Rng rng(seed);
  dispatch(t.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    test::for_each_cell(t.shape, [&](const Dims& at) {
      const uint64_t u = rng.bits();
      if constexpr (std::is_integral_v<T>) {
        test::put<T>(t, at, static_cast<T>(integer_cell(u, contents, t.dtype)));
      } else if constexpr (std::is_floating_point_v<T>) {
        test::put<T>(t, at, static_cast<T>(float_cell(u, contents, t.dtype)));
      } else {
        test::put<T>(t, at, T(static_cast<float>(float_cell(u, contents, t.dtype))));
      }
    });
  });
}

Tensor make(const Case& c, Stream stream, const Dims& shape, Contents contents) {
  Tensor t = allocate(c, shape, c.dtype);
  fill(t.span(), c.seed * 16 + static_cast<uint64_t>(stream), contents);
  return t;
}

}  // namespace

Tensor input_of(const Case& c) { return make(c, Stream::x, c.shape, c.contents); }

Tensor grad_of(const Case& c) { return make(c, Stream::grad, c.output_shape(), c.seed % 2 != 0 ? Contents::full : Contents::eighths); }

Tensor grad_grad_of(const Case& c) { return make(c, Stream::grad_grad, c.shape, Contents::full); }

Tensor samples_of(const Case& c) {
  Tensor t({c.batched ? c.shape[0] : 1, c.shape[c.batched ? 1 : 0], c.rank}, c.dtype);
  fill(t.span(), c.seed * 16 + static_cast<uint64_t>(Stream::samples), Contents::unit);
  return t;
}

Tensor magnitudes(const TensorArg& t_arg) {
  const TensorView& t = t_arg.view();
  Tensor result(t.shape, DType::f64);
  double* out = result.data<double>();
  for (double v : test::cells(t)) *out++ = std::abs(v);
  return result;
}

}  // namespace tidepool::golden
