// Comparisons of tensors, element by element or as a whole. Their results have no gradient.
#include <cmath>
#include <compare>
#include <functional>

#include "elementwise/elementwise.h"
#include "tidepool/functional.h"

namespace tidepool::inline v0_1 {
namespace {

// f(a's element, b's element), both in their own type, as a bool tensor of the shape both broadcast to.
template <class F>
Tensor compare(const char* op, const TensorView& a, const TensorView& b, const F& f) {
  detail::check_defined(op, "tensor", a);
  detail::check_defined(op, "tensor", b);
  detail::check_same_dtype(op, a.dtype, b.dtype);
  const Dims shape = detail::broadcast_shape(op, a.shape, b.shape);
  Tensor out(shape, DType::boolean);
  dispatch(a.dtype, [&]<class T>(TypeTag<T>) {
    // Through load_element, because the byte of a bool in borrowed memory need not be 0 or 1.
    const auto element = [](const TensorView& t, int64_t offset) {
      return static_cast<detail::Wide<T>>(detail::load_element<T>(t.data + offset * static_cast<int64_t>(sizeof(T))));
    };
    bool* to = out.data<bool>();
    const std::array<Dims, 3> strides{detail::broadcast_strides(a.shape, a.strides, shape),
                                      detail::broadcast_strides(b.shape, b.strides, shape), out.strides()};
    const int64_t length = detail::row_length(shape);
    const int64_t sp = detail::row_stride(strides[0]), sq = detail::row_stride(strides[1]);
    detail::walk_rows<3>(shape, strides, [&](const std::array<int64_t, 3>& at) {
      for (int64_t i = 0; i < length; ++i) to[at[2] + i] = f(element(a, at[0] + i * sp), element(b, at[1] + i * sq));
    });
  });
  return out;
}

// Exact, because neither type holds all values of the other.
std::partial_ordering order(int64_t a, double b) {
  if (std::isnan(b)) return std::partial_ordering::unordered;
  if (b >= 0x1p63) return std::partial_ordering::less;
  if (b < -0x1p63) return std::partial_ordering::greater;
  const double whole = std::trunc(b);
  const auto truncated = static_cast<int64_t>(whole);
  return a != truncated ? std::partial_ordering(a <=> truncated) : whole <=> b;
}

Tensor compare_integers(const Tensor& x, double number, bool (*ordered)(std::partial_ordering)) {
  const Tensor wide = contiguous(x).to(DType::i64);
  Tensor out(x.shape(), DType::boolean);
  for (int64_t i = 0; i < x.numel(); ++i) out.data<bool>()[i] = ordered(order(wide.data<int64_t>()[i], number));
  return out;
}

// x's elements and a number. The number is rounded to a floating dtype, and compared exactly with integers.
template <class F>
Tensor compare(const char* op, const Tensor& x, double number, const F& f, bool (*ordered)(std::partial_ordering)) {
  if (!is_floating(x.dtype())) return compare_integers(x, number, ordered);
  const Tensor rounded = Tensor::from<double>({}, {number}).to(x.dtype());
  return compare(op, x, rounded, f);
}

bool all(const Tensor& flags) {
  for (bool flag : flags.flat<bool>())
    if (!flag) return false;
  return true;
}

}  // namespace

Tensor eq(const Tensor& a, const Tensor& b) { return compare("eq", a, b, std::equal_to<>()); }
Tensor ne(const Tensor& a, const Tensor& b) { return compare("ne", a, b, std::not_equal_to<>()); }
Tensor lt(const Tensor& a, const Tensor& b) { return compare("lt", a, b, std::less<>()); }
Tensor le(const Tensor& a, const Tensor& b) { return compare("le", a, b, std::less_equal<>()); }
Tensor gt(const Tensor& a, const Tensor& b) { return compare("gt", a, b, std::greater<>()); }
Tensor ge(const Tensor& a, const Tensor& b) { return compare("ge", a, b, std::greater_equal<>()); }
Tensor eq(const Tensor& a, double b) { return compare("eq", a, b, std::equal_to<>(), std::is_eq); }
Tensor ne(const Tensor& a, double b) { return compare("ne", a, b, std::not_equal_to<>(), std::is_neq); }
Tensor lt(const Tensor& a, double b) { return compare("lt", a, b, std::less<>(), std::is_lt); }
Tensor le(const Tensor& a, double b) { return compare("le", a, b, std::less_equal<>(), std::is_lteq); }
Tensor gt(const Tensor& a, double b) { return compare("gt", a, b, std::greater<>(), std::is_gt); }
Tensor ge(const Tensor& a, double b) { return compare("ge", a, b, std::greater_equal<>(), std::is_gteq); }

bool equal(const Tensor& a, const Tensor& b) {
  detail::check_defined("equal", "tensor", a);
  detail::check_defined("equal", "tensor", b);
  return a.shape() == b.shape() && a.dtype() == b.dtype() && all(eq(a, b));
}

bool allclose(const Tensor& a, const Tensor& b, const AllcloseOptions& o) {
  detail::check_defined("allclose", "tensor", a);
  detail::check_defined("allclose", "tensor", b);
  detail::check_same_dtype("allclose", a.dtype(), b.dtype());
  const Tensor x = a.detach().to(DType::f64), y = b.detach().to(DType::f64);
  return all(compare("allclose", x, y, [&o](auto left, auto right) {
    const auto u = static_cast<double>(left), v = static_cast<double>(right);
    if (std::isnan(u) || std::isnan(v)) return o.equal_nan && std::isnan(u) && std::isnan(v);
    if (std::isinf(u) || std::isinf(v)) return u == v;
    return std::fabs(u - v) <= o.atol + o.rtol * std::fabs(v);
  }));
}

}  // namespace tidepool::inline v0_1
