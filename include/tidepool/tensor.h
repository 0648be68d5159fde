// Tensor owns memory; TensorView (const) and TensorSpan (mutable) borrow it. All three are type-erased and strided.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tidepool/dims.h"
#include "tidepool/dtype.h"
#include "tidepool/export.h"
#include "tidepool/extent.h"

// With this attribute, Clang warns when a view outlives the tensor that it was taken from.
#if defined(__has_cpp_attribute)
#if __has_cpp_attribute(clang::lifetimebound)
#define TIDEPOOL_LIFETIMEBOUND [[clang::lifetimebound]]
#endif
#endif
#ifndef TIDEPOOL_LIFETIMEBOUND
#define TIDEPOOL_LIFETIMEBOUND
#endif

namespace tidepool::inline v0_1 {

namespace detail {
[[noreturn]] TIDEPOOL_API void throw_element_type(DType requested, DType dtype);
[[noreturn]] TIDEPOOL_API void throw_undefined(const char* function);

// A pointer to elements of type T, which must be the C++ type of `dtype`, or std::byte for the raw memory.
template <class T, class Byte>
auto* elements_as(Byte* data, DType dtype) {
  using Element = std::conditional_t<std::is_const_v<Byte>, const T, T>;
  if constexpr (!std::is_same_v<T, std::byte>)
    if (dtype_of<T> != dtype) throw_element_type(dtype_of<T>, dtype);
  return reinterpret_cast<Element*>(data);
}

template <class Byte>
struct BasicView {
  Byte* data = nullptr;
  DType dtype = DType::f32;
  Dims shape;
  Dims strides;  // in elements; may be zero or negative

  int rank() const noexcept { return shape.rank; }
  int64_t size(int dim) const { return shape[dim]; }
  int64_t stride(int dim) const { return strides[dim]; }
  int64_t numel() const noexcept {
    int64_t n = 1;
    for (int64_t s : shape) n *= s;
    return n;
  }
  // Throws Error unless T is the element type of the dtype.
  template <class T>
  auto* data_as() const {
    return elements_as<T>(data, dtype);
  }
};
}  // namespace detail

// A read-only, borrowed array.
struct TensorView : detail::BasicView<const std::byte> {};

// A writable, borrowed array.
struct TensorSpan : detail::BasicView<std::byte> {
  operator TensorView() const noexcept { return {{data, dtype, shape, strides}}; }  // NOLINT: implicit by design
};

static_assert(std::is_trivially_copyable_v<TensorView> && std::is_trivially_copyable_v<TensorSpan>);

// Borrows memory you own; strides default to row-major.
template <class T>
TensorView view(const T* data, const Dims& shape) {
  return {{reinterpret_cast<const std::byte*>(data), dtype_of<T>, shape, contiguous_strides(shape)}};
}
template <class T>
TensorView view(const T* data, const Dims& shape, const Dims& strides) {
  return {{reinterpret_cast<const std::byte*>(data), dtype_of<T>, shape, strides}};
}
template <class T>
TensorSpan span(T* data, const Dims& shape) {
  return {{reinterpret_cast<std::byte*>(data), dtype_of<T>, shape, contiguous_strides(shape)}};
}
template <class T>
TensorSpan span(T* data, const Dims& shape, const Dims& strides) {
  return {{reinterpret_cast<std::byte*>(data), dtype_of<T>, shape, strides}};
}

enum class MemoryFormat : uint8_t { contiguous, channels_last };

namespace detail {
struct Storage;
struct GradState;
}  // namespace detail

// A shared pointer to memory aligned to 64 bytes, with shape, strides and dtype. Copies of a Tensor share its memory; clone() copies it.
// A tensor that was moved from is undefined, like Tensor(). Functions throw Error for an undefined tensor.
class TIDEPOOL_API Tensor {
 public:
  Tensor() = default;  // shape {0}, no memory; defined() is false
  ~Tensor() = default;
  Tensor(const Tensor&) = default;
  Tensor& operator=(const Tensor&) = default;
  Tensor(Tensor&& other) noexcept
      : storage_(std::move(other.storage_)),
        grad_state_(std::move(other.grad_state_)),
        span_(std::exchange(other.span_, undefined_span())) {}
  Tensor& operator=(Tensor&& other) noexcept {
    Tensor taken(std::move(other));  // first, so that a tensor moved to itself keeps its memory
    storage_.swap(taken.storage_);
    grad_state_.swap(taken.grad_state_);
    span_ = taken.span_;
    return *this;
  }
  // Uninitialised memory of that shape. Throws Error when the size overflows or the allocation fails.
  explicit Tensor(const Dims& shape, DType dtype = DType::f32, MemoryFormat format = MemoryFormat::contiguous);
  // Uses existing memory without a copy. `owner` keeps that memory alive.
  Tensor(std::shared_ptr<void> owner, TensorSpan memory);

  // Copies values in row-major order: Tensor::from<float>({2, 2}, {1, 2, 3, 4}).
  template <class T>
  static Tensor from(const Dims& shape, std::initializer_list<std::type_identity_t<T>> values) {
    return from<T>(shape, std::span<const T>(values.begin(), values.size()));
  }
  template <class T>
  static Tensor from(const Dims& shape, std::span<const T> values) {
    return copy_of(dtype_of<T>, shape, values.data(), static_cast<int64_t>(values.size()));
  }

  DType dtype() const noexcept { return span_.dtype; }
  int rank() const noexcept { return span_.rank(); }
  const Dims& shape() const noexcept TIDEPOOL_LIFETIMEBOUND { return span_.shape; }
  const Dims& strides() const noexcept TIDEPOOL_LIFETIMEBOUND { return span_.strides; }
  int64_t size(int dim) const { return span_.size(dim); }  // negative dims count from the end
  int64_t numel() const noexcept { return span_.numel(); }
  bool is_contiguous() const noexcept;
  bool defined() const noexcept { return storage_ != nullptr; }  // false for Tensor(), and after a move

  // A pointer to the first element. T must be the C++ type of dtype(), or std::byte for the raw memory; otherwise throws Error.
  template <class T>
  const T* data() const TIDEPOOL_LIFETIMEBOUND {
    if (!defined()) detail::throw_undefined("data");
    return detail::elements_as<T>(static_cast<const std::byte*>(span_.data), dtype());
  }
  template <class T>
  T* data() TIDEPOOL_LIFETIMEBOUND {
    if (!defined()) detail::throw_undefined("data");
    return detail::elements_as<T>(span_.data, dtype());
  }
  // All elements of a contiguous tensor, in row-major order: for (float v : x.flat<float>()) …
  template <class T>
  std::span<const T> flat() const& TIDEPOOL_LIFETIMEBOUND {
    check_flat();
    return {data<T>(), static_cast<size_t>(numel())};
  }
  template <class T>
      std::span<T> flat() & TIDEPOOL_LIFETIMEBOUND {
    check_flat();
    return {data<T>(), static_cast<size_t>(numel())};
  }
  template <class T>
  std::span<T> flat() && = delete;  // a loop over a temporary would read freed memory: store the tensor in a variable first

  // Views that borrow the memory. A view of a temporary would outlive that memory, so it does not compile. Pass the temporary itself to
  // functions: they accept tensors as well as views.
  TensorView view() const& noexcept TIDEPOOL_LIFETIMEBOUND { return span_; }
  TensorSpan span() & noexcept TIDEPOOL_LIFETIMEBOUND { return span_; }
  operator TensorView() const& noexcept TIDEPOOL_LIFETIMEBOUND { return span_; }  // NOLINT: implicit by design
  TensorView view() const&& = delete;
  TensorSpan span() && = delete;
  operator TensorView() const&& = delete;

  // Tensors that share this tensor's memory. They are recorded for backward(). Negative dims count from the end. Invalid arguments throw
  // Error.
  Tensor transpose(int dim0, int dim1) const;
  // Elements start, start + step, … up to but not including stop. Negative positions do not count from the end: with a negative step,
  // stop = -1 includes element 0.
  Tensor slice(int dim, Size start, Size stop, Size step = 1) const;
  Tensor select(int dim, Size index) const;                 // one position of that dim, which is removed
  Tensor operator[](Size index) const;                      // select(0, index): x[0][2]
  Tensor index(std::initializer_list<Size> leading) const;  // x.index({0, 2}) is x[0][2]
  Tensor reshape(const Dims& shape) const;                  // requires a contiguous tensor; one size may be -1
  // The same memory with another shape and other strides. Does not check that they stay inside the memory, except that a recorded
  // tensor must hold every element of the view.
  Tensor as_strided(const Dims& shape, const Dims& strides) const;

  Tensor clone(MemoryFormat format = MemoryFormat::contiguous) const;
  // Converts every element, into new memory. Floats are rounded once. Floats to integers truncate and saturate, and NaN becomes 0. Integers
  // to integers wrap. A conversion to integers is not recorded for backward().
  Tensor to(DType target) const;

  // One element as a double: exact, except for i64 beyond 2^53.
  double item(std::initializer_list<Size> index) const;
  double item() const;  // requires a tensor with one element
  // The only element, without conversion. Throws Error unless T is the element type of dtype().
  template <class T>
  T item() const {
    check_one_element();
    return *data<T>();
  }

  // Gradients: see autograd.h and docs/autograd.md. Copies of a tensor share the gradient, as they share the memory.
  bool requires_grad() const noexcept;
  Tensor& set_requires_grad(bool on = true);  // requires a floating dtype; a recorded result cannot be set to false
  // Computes the gradients of this tensor, which must have one element, with respect to the leaf tensors it was computed from, and adds
  // them to their grad(). Frees the graph.
  void backward() const;
  // The same for a tensor of any shape. `gradient` is the gradient with respect to this tensor. With create_graph, grad() of a leaf refers
  // to the graph and the graph to the leaf; zero_grad() breaks that cycle and frees the memory.
  void backward(const Tensor& gradient, bool retain_graph = false, bool create_graph = false) const;
  Tensor grad() const;  // undefined before the first backward
  void set_grad(const Tensor& gradient);
  void zero_grad();       // makes grad() undefined, which frees its memory
  Tensor detach() const;  // the same memory; functions of the result are not recorded

  // The number of in-place changes to the memory. Functions such as add_ count theirs. Call mark_changed() after you write through a
  // pointer: a backward pass that needs the old values then fails instead of using the new ones.
  uint64_t version() const noexcept;
  void mark_changed() noexcept;
  bool shares_memory() const noexcept;  // whether another Tensor refers to the same memory

  // For the implementation of autograd.
  const std::shared_ptr<detail::GradState>& grad_state() const noexcept { return grad_state_; }
  void set_grad_state(std::shared_ptr<detail::GradState> state) noexcept { grad_state_ = std::move(state); }

 private:
  static Tensor copy_of(DType dtype, const Dims& shape, const void* values, int64_t count);
  void check_flat() const;
  void check_one_element() const;

  // transpose, slice, select, reshape, as_strided, clone and to, without recording.
  Tensor transposed(int dim0, int dim1) const;
  Tensor sliced(int dim, int64_t start, int64_t stop, int64_t step) const;
  Tensor selected(int dim, int64_t index) const;
  Tensor reshaped(const Dims& shape) const;
  Tensor restrided(const Dims& shape, const Dims& strides) const;
  Tensor cloned(MemoryFormat format) const;
  Tensor converted(DType target) const;

  std::shared_ptr<detail::Storage> storage_;
  std::shared_ptr<detail::GradState> grad_state_;  // null for a tensor that never required gradients
  // Shape {0} and no strides. No valid array is like that, so that functions which get only the view can tell.
  static TensorSpan undefined_span() noexcept { return {{nullptr, DType::f32, Dims{0}, Dims{}}}; }  // NOLINT(bugprone-exception-escape)
  TensorSpan span_ = undefined_span();
};

// The parameter type of functions that read an array: accepts a Tensor, a TensorView or a TensorSpan. Calls with a Tensor that requires
// gradients are recorded; views are never recorded. Only for parameters: it holds a pointer to the argument.
class TensorArg {
 public:
  TensorArg(const Tensor& tensor) noexcept : view_(tensor.view()), tensor_(&tensor) {}  // NOLINT: implicit by design
  template <class View>
    requires(std::is_convertible_v<const View&, TensorView> && !std::is_base_of_v<Tensor, View>)
  TensorArg(const View& view) : view_(view) {}  // NOLINT: implicit by design

  const TensorView& view() const noexcept { return view_; }
  const Tensor* tensor() const noexcept { return tensor_; }  // null for borrowed memory
  const Dims& shape() const noexcept { return view_.shape; }
  DType dtype() const noexcept { return view_.dtype; }

 private:
  TensorView view_;
  const Tensor* tensor_ = nullptr;
};

// Copies the elements of src to dst. Shapes and dtypes must be equal; the memory of both may overlap. Throws Error if src is recorded.
TIDEPOOL_API void copy(const TensorArg& src, TensorSpan dst);

// Nested brackets, as NumPy prints. Arrays of more than 1,000 elements are shortened.
TIDEPOOL_API std::string to_string(const TensorArg& tensor);
TIDEPOOL_API std::ostream& operator<<(std::ostream& out, const Tensor& tensor);
TIDEPOOL_API std::ostream& operator<<(std::ostream& out, const TensorView& tensor);

}  // namespace tidepool::inline v0_1
