// Elementwise functions of one or two arrays with any strides. The result is a new tensor.
#pragma once

#include <array>
#include <type_traits>

#include "core/convert.h"
#include "core/layout.h"
#include "core/walk.h"
#include "tidepool/executor.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::detail {

// The type for arithmetic on T: f16 and bf16 are converted to f32, and results are rounded once.
template <class T>
using Wide = std::conditional_t<is_half_like<T>, float, T>;

inline void check_floating(const char* op, DType dtype) {
  if (!is_floating(dtype))
    throw Error(ErrorCode::dtype_mismatch, std::string(op) + ": dtype must be floating, got " + std::string(dtype_name(dtype)));
}

// Calls f(TypeTag<T>) for a floating dtype. The error for other dtypes begins with `op`.
template <class F>
void dispatch_floating(const char* op, DType dtype, F&& f) {
  check_floating(op, dtype);
  dispatch(dtype, [&]<class T>(TypeTag<T> tag) {
    if constexpr (is_floating_type<T>) f(tag);
  });
}

// The dtypes that an elementwise function supports, and the type that it computes in.
struct Floating {
  template <class T>
  using Computed = Wide<T>;
  template <class F>
  static void dispatch(const char* op, DType dtype, F&& f) {
    dispatch_floating(op, dtype, std::forward<F>(f));
  }
};

// The same with integers. They are computed modulo 2^64 and truncated to their own width, so overflow wraps and is never undefined.
struct Numeric {
  template <class T>
  using Computed = std::conditional_t<std::is_integral_v<T>, uint64_t, Wide<T>>;
  template <class F>
  static void dispatch(const char* op, DType dtype, F&& f) {
    if (dtype == DType::boolean) throw Error(ErrorCode::dtype_mismatch, std::string(op) + ": dtype must be a number, got bool");
    tidepool::dispatch(dtype, [&]<class T>(TypeTag<T> tag) {
      if constexpr (!std::is_same_v<T, bool>) f(tag);
    });
  }
};

inline bool is_channels_last(const TensorView& x) noexcept { return x.strides == channels_last_strides(x.shape); }

// Whether the array is row-major or channels-last, without gaps.
bool is_dense(const TensorView& x) noexcept;

// A new tensor of that shape. It is channels-last if x is and has the same shape, otherwise row-major.
Tensor empty_like(const TensorView& x, const Dims& shape, DType dtype);

// The shape that a and b broadcast to, as in NumPy. Throws Error with a message that begins with `op`.
Dims broadcast_shape(const char* op, const Dims& a, const Dims& b);
// Strides that view an array of shape `from` as shape `to`: 0 along repeated dims.
Dims broadcast_strides(const Dims& from, const Dims& strides, const Dims& to) noexcept;

void check_same_dtype(const char* op, DType a, DType b);

// The least number of elements for one task: with fewer, handing it to another thread costs more than the work.
inline constexpr int64_t elements_per_task = 32768;

// Calls body(begin, end) on ranges that cover [0, n), on the threads of the default executor if n is large.
inline void parallel_for_elements(int64_t n, RangeFn body) {
  if (n <= elements_per_task) return body(0, n);
  default_executor().parallel_for(n, elements_per_task, body);
}

// Sorts the dims of N arrays by the strides of array `key`, largest first, so that the innermost loop reads or writes adjacent elements of
// that array.
template <size_t N>
void sort_by_stride(Dims& shape, std::array<Dims, N>& strides, size_t key) {
  std::array<int, max_rank> order{};
  const Dims by = strides[key];
  for (int d = 0; d < shape.rank; ++d) {  // insertion sort: at most eight dims, and it keeps the order of equal strides
    int at = d;
    for (; at > 0 && by[order[static_cast<size_t>(at - 1)]] < by[d]; --at)
      order[static_cast<size_t>(at)] = order[static_cast<size_t>(at - 1)];
    order[static_cast<size_t>(at)] = d;
  }
  const auto permute = [&](Dims& dims) {
    const Dims before = dims;
    for (int d = 0; d < shape.rank; ++d) dims[d] = before[order[static_cast<size_t>(d)]];
  };
  for (Dims& s : strides) permute(s);
  permute(shape);
}

// f(element) for every element.
template <class Dtypes = Floating, class F>
Tensor map(const char* op, const TensorView& x, const F& f) {
  check_defined(op, "tensor", x);
  Tensor out = empty_like(x, x.shape, x.dtype);
  Dtypes::dispatch(op, x.dtype, [&]<class T>(TypeTag<T>) {
    using W = typename Dtypes::template Computed<T>;
    const T* in = x.data_as<T>();
    T* to = out.data<T>();
    if (is_dense(x)) {
      parallel_for_elements(x.numel(), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) to[i] = convert<T>(static_cast<W>(f(static_cast<W>(in[i]))));
      });
      return;
    }
    const int64_t length = row_length(x.shape), step = row_stride(x.strides);
    walk_rows<2>(x.shape, {x.strides, out.strides()}, [&](const std::array<int64_t, 2>& at) {
      for (int64_t i = 0; i < length; ++i) to[at[1] + i] = convert<T>(static_cast<W>(f(static_cast<W>(in[at[0] + i * step]))));
    });
  });
  return out;
}

// f(element of a, element of b) for every element of the shape that both broadcast to.
template <class Dtypes = Floating, class F>
Tensor zip(const char* op, const TensorView& a, const TensorView& b, const F& f) {
  check_defined(op, "tensor", a);
  check_defined(op, "tensor", b);
  check_same_dtype(op, a.dtype, b.dtype);
  Dims shape = a.shape == b.shape ? a.shape : broadcast_shape(op, a.shape, b.shape);
  Tensor out = empty_like(a.shape == shape ? a : b, shape, a.dtype);
  Dtypes::dispatch(op, a.dtype, [&]<class T>(TypeTag<T>) {
    using W = typename Dtypes::template Computed<T>;
    const T* p = a.data_as<T>();
    const T* q = b.data_as<T>();
    T* to = out.data<T>();
    const auto apply = [&f](T u, T v) { return convert<T>(static_cast<W>(f(static_cast<W>(u), static_cast<W>(v)))); };
    if (a.shape == b.shape && a.strides == b.strides && is_dense(a)) {
      parallel_for_elements(a.numel(), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) to[i] = apply(p[i], q[i]);
      });
      return;
    }
    std::array<Dims, 3> strides{broadcast_strides(a.shape, a.strides, shape), broadcast_strides(b.shape, b.strides, shape), out.strides()};
    Dims sorted = shape;
    sort_by_stride(sorted, strides, 2);
    const int64_t length = row_length(sorted), sp = row_stride(strides[0]), sq = row_stride(strides[1]);
    walk_rows<3>(sorted, strides, [&](const std::array<int64_t, 3>& at) {
      const T* u = p + at[0];
      const T* v = q + at[1];
      T* w = to + at[2];  // its last stride is 1, because the dims are sorted by its strides
      if (sp == 1 && sq == 1) {
        for (int64_t i = 0; i < length; ++i) w[i] = apply(u[i], v[i]);
      } else if (sp == 1 && sq == 0) {
        for (int64_t i = 0; i < length; ++i) w[i] = apply(u[i], *v);
      } else {
        for (int64_t i = 0; i < length; ++i) w[i] = apply(u[i * sp], v[i * sq]);
      }
    });
  });
  return out;
}

}  // namespace tidepool::inline v0_1::detail
