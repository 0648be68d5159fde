// Tensor owns memory; TensorView (const) and TensorSpan (mutable) borrow it. All three are type-erased and strided.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "tidepool/dtype.h"
#include "tidepool/error.h"
#include "tidepool/extent.h"

// Compilers that know the attribute warn when a view outlives the tensor it was taken of.
#if defined(__has_cpp_attribute)
#if __has_cpp_attribute(clang::lifetimebound)
#define TIDEPOOL_LIFETIMEBOUND [[clang::lifetimebound]]
#endif
#endif
#ifndef TIDEPOOL_LIFETIMEBOUND
#define TIDEPOOL_LIFETIMEBOUND
#endif

namespace tidepool {

inline constexpr int max_rank = 8;

namespace detail {
[[noreturn]] void throw_rank(size_t rank);
[[noreturn]] void throw_dim(int dim, int rank);
[[noreturn]] void throw_element_type(DType asked, DType dtype);
}  // namespace detail

// Up to eight sizes or strides: {1, 3, 224, 224}, or a vector, array or span of any integer type.
struct Dims {
  std::array<int64_t, max_rank> values{};
  int rank = 0;

  constexpr Dims() = default;
  constexpr Dims(std::initializer_list<Size> list) : rank(checked_rank(list.size())) {
    for (size_t i = 0; i < list.size(); ++i) values[i] = list.begin()[i];
  }
  template <IntegerRange R>
  constexpr Dims(const R& list) : rank(checked_rank(std::size(list))) {  // NOLINT: implicit by design
    for (size_t i = 0; i < std::size(list); ++i) values[i] = detail::to_int64(std::data(list)[i]);
  }

  // Negative dims count from the last: shape[-1]. Throws Error for a dim that there is not.
  constexpr int64_t operator[](int dim) const { return values[checked_index(dim)]; }
  constexpr int64_t& operator[](int dim) { return values[checked_index(dim)]; }
  constexpr size_t size() const noexcept { return static_cast<size_t>(rank); }
  constexpr const int64_t* begin() const noexcept { return values.data(); }
  constexpr const int64_t* end() const noexcept { return values.data() + rank; }
  constexpr std::span<const int64_t> span() const noexcept { return {values.data(), size()}; }
  constexpr void push_back(int64_t value) {
    rank = checked_rank(size() + 1);
    values[size() - 1] = value;
  }
  friend constexpr bool operator==(const Dims& a, const Dims& b) noexcept {
    if (a.rank != b.rank) return false;
    for (size_t i = 0; i < a.size(); ++i)
      if (a.values[i] != b.values[i]) return false;
    return true;
  }

 private:
  static constexpr int checked_rank(size_t count) {
    if (count > max_rank) detail::throw_rank(count);
    return static_cast<int>(count);
  }
  constexpr size_t checked_index(int dim) const {
    if (dim < -rank || dim >= rank) detail::throw_dim(dim, rank);
    return static_cast<size_t>(dim < 0 ? dim + rank : dim);
  }
};

std::string to_string(const Dims& dims);  // "2x64x112x112"
std::ostream& operator<<(std::ostream& out, const Dims& dims);

// Number of elements, refused when a size is negative or the product leaves 63 bits.
Result<int64_t> checked_numel(const Dims& shape);

// Row-major strides, in elements.
Dims contiguous_strides(const Dims& shape);
// Strides that put dim 1 (channels) innermost: N, spatial…, C.
Dims channels_last_strides(const Dims& shape);

namespace detail {
// The elements as T. std::byte stands for the memory itself; every other type must be the dtype's own.
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

// Shared ownership of 64-byte aligned memory. Copies share; clone() copies.
class Tensor {
 public:
  Tensor() = default;  // no elements, shape 0
  // Uninitialised memory of that shape. Throws Error when the size overflows or memory is short.
  explicit Tensor(const Dims& shape, DType dtype = DType::f32, MemoryFormat format = MemoryFormat::contiguous);
  // Memory owned by someone else, kept alive by `owner`.
  Tensor(std::shared_ptr<void> owner, TensorSpan memory);

  // From values in row-major order: Tensor::from<float>({2, 2}, {1, 2, 3, 4}).
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
  int64_t size(int dim) const { return span_.size(dim); }  // negative dims count from the last
  int64_t numel() const noexcept { return span_.numel(); }
  bool is_contiguous() const noexcept;
  bool defined() const noexcept { return storage_ != nullptr; }  // false for Tensor()

  // The first element. Throws Error unless T is the element type of dtype(); std::byte stands for the memory itself.
  template <class T>
  const T* data() const TIDEPOOL_LIFETIMEBOUND {
    return detail::elements_as<T>(static_cast<const std::byte*>(span_.data), dtype());
  }
  template <class T>
  T* data() TIDEPOOL_LIFETIMEBOUND {
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
  std::span<T> flat() && = delete;  // the memory would be gone before the loop begins: name the tensor first

  // Borrowed memory. A view of a temporary would outlive its memory, so it does not compile; functions take temporary tensors themselves.
  TensorView view() const& noexcept TIDEPOOL_LIFETIMEBOUND { return span_; }
  TensorSpan span() & noexcept TIDEPOOL_LIFETIMEBOUND { return span_; }
  operator TensorView() const& noexcept TIDEPOOL_LIFETIMEBOUND { return span_; }  // NOLINT: implicit by design
  TensorView view() const&& = delete;
  TensorSpan span() && = delete;
  operator TensorView() const&& = delete;

  // Views that share memory and stay in the graph of gradients. A bad argument throws Error. Negative dims count from the last.
  Tensor transpose(int dim0, int dim1) const;
  // Elements start, start + step, … before stop; to include element 0 with a negative step, stop is -1.
  Tensor slice(int dim, Size start, Size stop, Size step = 1) const;
  Tensor select(int dim, Size index) const;                 // one slice, without that dim
  Tensor operator[](Size index) const;                      // x[0][2]: select of dim 0
  Tensor index(std::initializer_list<Size> leading) const;  // x.index({0, 2}) is x[0][2]
  Tensor reshape(const Dims& shape) const;                  // of a contiguous tensor
  // The same memory under any shape and strides, which are not checked.
  Tensor as_strided(const Dims& shape, const Dims& strides) const;

  Tensor clone(MemoryFormat format = MemoryFormat::contiguous) const;
  // Converts element by element into new memory: rounds once; floats to integers truncate and saturate, NaN becomes 0; integers wrap.
  // The result of a conversion to integers has no gradient.
  Tensor to(DType target) const;

  // One element as a double (exact for all dtypes but large i64).
  double item(std::initializer_list<Size> index) const;
  double item() const;  // of a tensor with one element
  // One element as it is stored. Throws Error unless T is the element type of dtype().
  template <class T>
  T item() const {
    check_one_element();
    return *data<T>();
  }

  // Gradients: see autograd.h and docs/autograd.md. Copies of a tensor share them as they share memory.
  bool requires_grad() const noexcept;
  Tensor& set_requires_grad(bool on = true);  // of a floating tensor that no recorded function made
  // Adds the gradient of this one element to grad() of every tensor it was computed from, and frees the graph.
  void backward() const;
  // The same from any shape, with the gradient of this tensor given. After create_graph, zero_grad() lets the memory go.
  void backward(const Tensor& gradient, bool retain_graph = false, bool create_graph = false) const;
  Tensor grad() const;  // Tensor() before the first backward
  void set_grad(const Tensor& gradient);
  void zero_grad();       // back to Tensor()
  Tensor detach() const;  // the same memory outside the graph

  // How often the memory was changed in place, by functions such as add_, or by you: mark_changed() says that you wrote through a pointer,
  // so that a graph that kept the old values can refuse to use the new ones.
  uint64_t version() const noexcept;
  void mark_changed() noexcept;
  bool shares_memory() const noexcept;  // another tensor holds the same memory

  const std::shared_ptr<detail::GradState>& grad_state() const noexcept { return grad_state_; }
  void set_grad_state(std::shared_ptr<detail::GradState> state) noexcept { grad_state_ = std::move(state); }

 private:
  static Tensor copy_of(DType dtype, const Dims& shape, const void* values, int64_t count);
  void check_flat() const;
  void check_one_element() const;

  // What the public functions of the same meaning compute, outside the graph.
  Tensor transposed(int dim0, int dim1) const;
  Tensor sliced(int dim, int64_t start, int64_t stop, int64_t step) const;
  Tensor selected(int dim, int64_t index) const;
  Tensor reshaped(const Dims& shape) const;
  Tensor restrided(const Dims& shape, const Dims& strides) const;
  Tensor cloned(MemoryFormat format) const;
  Tensor converted(DType target) const;

  std::shared_ptr<detail::Storage> storage_;
  std::shared_ptr<detail::GradState> grad_state_;  // null for a tensor that never required gradients
  TensorSpan span_{{nullptr, DType::f32, Dims{0}, Dims{1}}};
};

// What a function reads: a Tensor, or borrowed memory. A parameter type only: it refers to its argument. A Tensor that requires gradients
// is recorded; borrowed memory never is.
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

// Copies src into dst, element by element; shapes and dtypes must be equal. They may share memory.
void copy(const TensorArg& src, TensorSpan dst);

// Nested brackets, as NumPy prints; long arrays are shortened.
std::string to_string(const TensorArg& tensor);
std::ostream& operator<<(std::ostream& out, const Tensor& tensor);
std::ostream& operator<<(std::ostream& out, const TensorView& tensor);

}  // namespace tidepool
