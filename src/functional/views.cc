// The member functions of Tensor that return views and copies, with their gradients.
#include <functional>
#include <vector>

#include "core/layout.h"
#include "core/walk.h"
#include "elementwise/elementwise.h"
#include "functional/linear.h"
#include "tidepool/autograd.h"
#include "tidepool/creation.h"
#include "tidepool/functional.h"
#include "tidepool/trace.h"

namespace tidepool::inline v0_1 {
namespace {

// Records `value`, a view or copy of x. `adjoint` computes the gradient with respect to x from the gradient with respect to `value`.
Tensor recorded(const char* op, const Tensor& x, const Tensor& value, std::function<Tensor(const Tensor&)> adjoint,
                std::initializer_list<std::pair<const char*, int64_t>> options = {}) {
  if (!recording(x)) return value;
  const auto traced_options = [&] {
    std::vector<CallOption> list;
    for (const auto& [name, number] : options) list.push_back({name, {number}});
    return list;
  };
  return detail::traced(op, {&x}, traced_options, [&] {
    return record(op, {x}, value, [adjoint = std::move(adjoint)](const Tensor& g) { return Gradients{adjoint(g)}; });
  });
}

// The gradients of as_strided. Elements of x and of the view are matched by their offset in memory.
struct Restriding {
  Dims x_shape, x_strides, shape, strides;
  int64_t lowest = 0, count = 0;  // offsets of x are in [lowest, lowest + count)

  // Calls f(number of the element in row-major order, offset - lowest) for every element of an array.
  template <class F>
  static void for_each_element(const Dims& shape, const Dims& strides, int64_t lowest, const F& f) {
    int64_t element = 0;
    const int64_t length = detail::row_length(shape), step = detail::row_stride(strides);
    detail::walk_rows<1>(shape, {strides}, [&](const std::array<int64_t, 1>& at) {
      for (int64_t i = 0; i < length; ++i) f(element++, at[0] + i * step - lowest);
    });
  }

  // as_strided as a linear function, for a tensor with the shape of x and any strides.
  Tensor apply(const Tensor& t) const {
    std::vector<double> memory(static_cast<size_t>(count));
    Tensor from = contiguous(t.detach()).to(DType::f64), out(shape, DType::f64);
    for_each_element(x_shape, x_strides, lowest, [&](int64_t i, int64_t at) { memory[static_cast<size_t>(at)] = from.data<double>()[i]; });
    for_each_element(shape, strides, lowest, [&](int64_t i, int64_t at) { out.data<double>()[i] = memory[static_cast<size_t>(at)]; });
    return out.to(t.dtype());
  }

  // An element of x that appears several times in the view receives the sum of the gradients.
  Tensor adjoint(const Tensor& g) const {
    std::vector<double> memory(static_cast<size_t>(count));
    Tensor from = contiguous(g.detach()).to(DType::f64), out(x_shape, DType::f64);
    for_each_element(shape, strides, lowest, [&](int64_t i, int64_t at) { memory[static_cast<size_t>(at)] += from.data<double>()[i]; });
    for_each_element(x_shape, x_strides, lowest, [&](int64_t i, int64_t at) { out.data<double>()[i] = memory[static_cast<size_t>(at)]; });
    return out.to(g.dtype());
  }
};

std::string layout_text(const Dims& shape, const Dims& strides) {
  return "shape " + to_string(shape) + " with strides " + to_string(strides);
}

// A gradient reaches an element of x that stands at one place of the memory. Places beside x's elements belong to another tensor, and
// gradients of places that x shows twice would be counted twice: both are refused.
void check_restriding(const Restriding& r) {
  std::vector<bool> held(static_cast<size_t>(r.count));
  Restriding::for_each_element(r.x_shape, r.x_strides, r.lowest, [&](int64_t, int64_t at) {
    if (held[static_cast<size_t>(at)])
      throw Error(ErrorCode::unsupported, "as_strided: a tensor that requires gradients must not repeat elements, got strides " +
                                              to_string(r.x_strides) + " (use clone first)");
    held[static_cast<size_t>(at)] = true;
  });
  Restriding::for_each_element(r.shape, r.strides, r.lowest, [&](int64_t, int64_t at) {
    if (at < 0 || at >= r.count || !held[static_cast<size_t>(at)])
      throw Error(ErrorCode::unsupported, "as_strided: a view of a tensor that requires gradients must show its elements only, got " +
                                              layout_text(r.shape, r.strides) + " of " + layout_text(r.x_shape, r.x_strides) +
                                              " (use as_strided of the whole tensor, or detach)");
  });
}

Restriding restriding(const Tensor& x, const Tensor& view) {
  detail::check_layout("as_strided", view.view()).value();
  const detail::Footprint bytes = detail::check_layout("as_strided", x.view()).value();
  const int64_t size = dtype_size(x.dtype());
  Restriding r{.x_shape = x.shape(),
               .x_strides = x.strides(),
               .shape = view.shape(),
               .strides = view.strides(),
               .lowest = bytes.begin / size,
               .count = (bytes.end - bytes.begin) / size};
  check_restriding(r);
  return r;
}

}  // namespace

Tensor Tensor::transpose(int dim0, int dim1) const {
  return recorded("transpose", *this, transposed(dim0, dim1), [=](const Tensor& g) { return g.transpose(dim0, dim1); },
                  {{"dim0", dim0}, {"dim1", dim1}});
}

Tensor Tensor::slice(int dim, Size start, Size stop, Size step) const {
  return recorded("slice", *this, sliced(dim, start, stop, step),
                  [=, shape = shape()](const Tensor& g) { return slice_backward(g, shape, dim, start, stop, step); },
                  {{"dim", dim}, {"start", start}, {"step", step}});
}

Tensor Tensor::select(int dim, Size index) const {
  Tensor value = selected(dim, index);
  const int d = dim < 0 ? dim + rank() : dim;
  const int64_t at = index < 0 ? index + size(d) : index.value;
  const auto adjoint = [=, shape = shape()](const Tensor& g) {
    Dims one = shape;
    one[d] = 1;
    return slice_backward(tidepool::reshape(g, one), shape, d, at, at + 1);
  };
  return recorded("select", *this, value, adjoint, {{"dim", d}, {"index", at}});
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
  const Restriding r = restriding(*this, value);
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

}  // namespace tidepool::inline v0_1
