// The member functions of Tensor that make tensors, with their gradients.
#include <functional>

#include "core/walk.h"
#include "elementwise/elementwise.h"
#include "functional/linear.h"
#include "tidepool/autograd.h"
#include "tidepool/creation.h"
#include "tidepool/functional.h"

namespace tidepool {
namespace {

// `value` is a view or copy of x; `adjoint` turns its gradient into one of x.
Tensor recorded(const char* op, const Tensor& x, Tensor value, std::function<Tensor(const Tensor&)> adjoint) {
  if (!recording(x)) return value;
  return record(op, {x}, std::move(value), [adjoint = std::move(adjoint)](const Tensor& g) { return Gradients{adjoint(g)}; });
}

// The elements of x and those of a view of it, by their offset in x's memory. Elements of the view outside x's range have no gradient.
struct Restriding {
  Dims x_shape, x_strides, shape, strides;
  int64_t lowest = 0, count = 0;  // the range of x's offsets

  // f(element number of x, offset - lowest) for every element of x.
  template <class F>
  static void each(const Dims& shape, const Dims& strides, int64_t lowest, const F& f) {
    int64_t element = 0;
    const int64_t length = detail::row_length(shape), step = detail::row_stride(strides);
    detail::walk_rows<1>(shape, {strides}, [&](const std::array<int64_t, 1>& at) {
      for (int64_t i = 0; i < length; ++i) f(element++, at[0] + i * step - lowest);
    });
  }

  // What as_strided does to an array of x's shape in any memory.
  Tensor apply(const Tensor& t) const {
    std::vector<double> memory(static_cast<size_t>(count));
    Tensor from = contiguous(t.detach()).to(DType::f64), out(shape, DType::f64);
    each(x_shape, x_strides, lowest, [&](int64_t i, int64_t at) { memory[static_cast<size_t>(at)] = from.data<double>()[i]; });
    each(shape, strides, lowest,
         [&](int64_t i, int64_t at) { out.data<double>()[i] = at >= 0 && at < count ? memory[static_cast<size_t>(at)] : 0; });
    return out.to(t.dtype());
  }

  // An element of x that the view shows several times receives the sum of their gradients.
  Tensor adjoint(const Tensor& g) const {
    std::vector<double> memory(static_cast<size_t>(count));
    Tensor from = contiguous(g.detach()).to(DType::f64), out(x_shape, DType::f64);
    each(shape, strides, lowest, [&](int64_t i, int64_t at) {
      if (at >= 0 && at < count) memory[static_cast<size_t>(at)] += from.data<double>()[i];
    });
    each(x_shape, x_strides, lowest, [&](int64_t i, int64_t at) { out.data<double>()[i] = memory[static_cast<size_t>(at)]; });
    return out.to(g.dtype());
  }
};

Restriding restriding(const Tensor& x, const Dims& shape, const Dims& strides) {
  Restriding r{.x_shape = x.shape(), .x_strides = x.strides(), .shape = shape, .strides = strides, .count = x.numel() > 0 ? 1 : 0};
  for (int d = 0; d < x.rank() && r.count > 0; ++d) {
    const int64_t reach = (x.size(d) - 1) * x.strides()[d];
    r.lowest += std::min<int64_t>(reach, 0);
    r.count += std::max<int64_t>(reach, -reach);
    if (x.size(d) > 1 && x.strides()[d] == 0)
      throw Error(ErrorCode::unsupported, "as_strided: a tensor that requires gradients must not repeat elements, got strides " +
                                              to_string(x.strides()) + " (use clone first)");
  }
  return r;
}

}  // namespace

Tensor Tensor::transpose(int dim0, int dim1) const {
  return recorded("transpose", *this, transposed(dim0, dim1), [=](const Tensor& g) { return g.transpose(dim0, dim1); });
}

Tensor Tensor::slice(int dim, Size start, Size stop, Size step) const {
  return recorded("slice", *this, sliced(dim, start, stop, step),
                  [=, shape = shape()](const Tensor& g) { return slice_backward(g, shape, dim, start, stop, step); });
}

Tensor Tensor::select(int dim, Size index) const {
  Tensor value = selected(dim, index);
  return recorded("select", *this, value, [=, shape = shape()](const Tensor& g) {
    const int d = dim < 0 ? dim + shape.rank : dim;
    const int64_t at = index < 0 ? index + shape[d] : index.value;
    Dims one = shape;
    one[d] = 1;
    return slice_backward(tidepool::reshape(g, one), shape, d, at, at + 1);
  });
}

Tensor Tensor::operator[](Size index) const { return select(0, index); }

Tensor Tensor::index(std::initializer_list<Size> leading) const {
  Tensor result = *this;
  for (const Size i : leading) result = result.select(0, i);
  return result;
}

Tensor Tensor::reshape(const Dims& shape) const {
  return recorded("reshape", *this, reshaped(shape), [before = this->shape()](const Tensor& g) { return tidepool::reshape(g, before); });
}

Tensor Tensor::as_strided(const Dims& shape, const Dims& strides) const {
  Tensor value = restrided(shape, strides);
  if (!recording(*this)) return value;
  const Restriding r = restriding(*this, shape, strides);
  return detail::record_linear(
      "as_strided", *this, value, [r](const Tensor& t) { return r.apply(t); }, [r](const Tensor& g) { return r.adjoint(g); });
}

Tensor Tensor::clone(MemoryFormat format) const {
  return recorded("clone", *this, cloned(format), [](const Tensor& g) { return g; });
}

Tensor Tensor::to(DType target) const {
  if (!is_floating(target)) return converted(target);
  return recorded("to", *this, converted(target), [from = dtype()](const Tensor& g) { return g.to(from); });
}

}  // namespace tidepool
