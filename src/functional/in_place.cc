#include "core/layout.h"
#include "elementwise/elementwise.h"
#include "plan/overlap.h"
#include "tidepool/functional.h"

namespace tidepool::inline v0_1 {
namespace {

void check_same_shape(const char* op, const Tensor& x, const Tensor& y) {
  detail::check_defined(op, "tensor", x);
  detail::check_defined(op, "tensor", y);
  if (x.shape() != y.shape())
    throw Error(ErrorCode::shape_mismatch,
                std::string(op) + ": shapes must be equal, got " + to_string(x.shape()) + " and " + to_string(y.shape()));
  detail::check_same_dtype(op, x.dtype(), y.dtype());
}

// An element that stands at two places would be changed twice.
void check_no_repeats(const char* op, const Tensor& x) {
  for (int d = 0; d < x.rank(); ++d)
    if (x.size(d) > 1 && x.strides()[d] == 0 && x.numel() > 0)
      throw Error(ErrorCode::aliasing, std::string(op) + ": a tensor that is changed in place must not repeat elements, got strides " +
                                           to_string(x.strides()) + " (use clone first)");
}

// y, or a copy of it where writing to x would change elements of y that are still to be read.
Tensor apart_from(const Tensor& x, const Tensor& y) {
  const bool same = x.data<std::byte>() == y.data<std::byte>() && x.strides() == y.strides();
  return same || !detail::may_overlap(x.view(), y.view()) ? y : y.detach().clone();
}

// Every element of x becomes f(element of x, element of y).
template <class F>
void update(const char* op, Tensor& x, const Tensor& right, const F& f) {
  detail::check_defined(op, "tensor", x);
  check_no_repeats(op, x);
  const Tensor y = apart_from(x, right);
  detail::dispatch_floating(op, x.dtype(), [&]<class T>(TypeTag<T>) {
    using W = detail::Wide<T>;
    T* to = x.data<T>();
    const T* from = y.data<T>();
    const auto apply = [&f](T u, T v) { return detail::convert<T>(static_cast<W>(f(static_cast<W>(u), static_cast<W>(v)))); };
    if (x.strides() == y.strides() && detail::is_dense(x)) {
      detail::parallel_for_elements(x.numel(), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) to[i] = apply(to[i], from[i]);
      });
    } else {
      const int64_t length = detail::row_length(x.shape());
      const int64_t sx = detail::row_stride(x.strides()), sy = detail::row_stride(y.strides());
      detail::walk_rows<2>(x.shape(), {x.strides(), y.strides()}, [&](const std::array<int64_t, 2>& at) {
        for (int64_t i = 0; i < length; ++i) to[at[0] + i * sx] = apply(to[at[0] + i * sx], from[at[1] + i * sy]);
      });
    }
  });
  x.mark_changed();
}

}  // namespace

Tensor& add_(Tensor& x, const Tensor& y, double factor) {
  check_in_place("add_", x);
  check_not_recording("add_", "y", y);
  check_same_shape("add_", x, y);
  update("add_", x, y, [factor](auto u, auto v) { return u + static_cast<decltype(u)>(factor) * v; });
  return x;
}

Tensor& mul_(Tensor& x, double factor) {
  check_in_place("mul_", x);
  update("mul_", x, x, [factor](auto u, auto) { return u * static_cast<decltype(u)>(factor); });
  return x;
}

Tensor& fill_(Tensor& x, double value) {
  check_in_place("fill_", x);
  update("fill_", x, x, [value](auto u, auto) { return static_cast<decltype(u)>(value); });
  return x;
}

Tensor& copy_(Tensor& x, const Tensor& from) {
  check_in_place("copy_", x);
  check_not_recording("copy_", "from", from);
  check_same_shape("copy_", x, from);
  copy(from, x.span());
  x.mark_changed();
  return x;
}

void copy(const TensorArg& src, TensorSpan dst) {
  check_not_recording("copy", "src", src);
  detail::copy_values(src.view(), dst);
}

}  // namespace tidepool::inline v0_1
