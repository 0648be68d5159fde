// Tensor owns memory; TensorView (const) and TensorSpan (mutable) borrow it. All three are type-erased and strided.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "tidepool/dtype.h"
#include "tidepool/error.h"

namespace tidepool {

inline constexpr int max_rank = 8;

namespace detail {
[[noreturn]] void throw_rank(size_t rank);
}

// Up to eight sizes or strides.
struct Dims {
  std::array<int64_t, max_rank> values{};
  int rank = 0;

  constexpr Dims() = default;
  constexpr Dims(std::initializer_list<int64_t> list) : Dims(std::span<const int64_t>(list.begin(), list.size())) {}
  constexpr Dims(std::span<const int64_t> list) {  // NOLINT: implicit by design
    if (list.size() > max_rank) detail::throw_rank(list.size());
    rank = static_cast<int>(list.size());
    for (size_t i = 0; i < list.size(); ++i) values[i] = list[i];
  }

  constexpr int64_t operator[](int i) const noexcept { return values[static_cast<size_t>(i)]; }
  constexpr int64_t& operator[](int i) noexcept { return values[static_cast<size_t>(i)]; }
  constexpr std::span<const int64_t> span() const noexcept { return {values.data(), static_cast<size_t>(rank)}; }
  constexpr void push_back(int64_t v) noexcept { values[static_cast<size_t>(rank++)] = v; }
  friend constexpr bool operator==(const Dims& a, const Dims& b) noexcept {
    if (a.rank != b.rank) return false;
    for (int i = 0; i < a.rank; ++i)
      if (a[i] != b[i]) return false;
    return true;
  }
};

std::string to_string(const Dims& dims);  // "2x64x112x112"

// Number of elements, refused when a size is negative or the product leaves 63 bits.
Result<int64_t> checked_numel(const Dims& shape);

// Row-major strides, in elements.
Dims contiguous_strides(const Dims& shape);
// Strides that put dim 1 (channels) innermost: N, spatial…, C.
Dims channels_last_strides(const Dims& shape);

namespace detail {
template <class Pointer>
struct BasicView {
  Pointer data = nullptr;
  DType dtype = DType::f32;
  Dims shape;
  Dims strides;  // in elements; may be zero or negative

  int rank() const noexcept { return shape.rank; }
  int64_t size(int dim) const noexcept { return shape[dim]; }
  int64_t stride(int dim) const noexcept { return strides[dim]; }
  int64_t numel() const noexcept {
    int64_t n = 1;
    for (int64_t s : shape.span()) n *= s;
    return n;
  }
};
}  // namespace detail

// A read-only, borrowed array.
struct TensorView : detail::BasicView<const std::byte*> {
  template <class T>
  const T* data_as() const noexcept {
    return reinterpret_cast<const T*>(data);
  }
};

// A writable, borrowed array.
struct TensorSpan : detail::BasicView<std::byte*> {
  template <class T>
  T* data_as() const noexcept {
    return reinterpret_cast<T*>(data);
  }
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

class Tensor;

namespace detail {
struct Storage;

// What a tensor of a graph of gradients adds to its memory: the member functions that make tensors ask it, so that their results stay in
// the graph. autograd.h makes these; all other tensors have none.
class GraphState {
 public:
  virtual ~GraphState() = default;
  virtual Tensor transpose(const Tensor& x, int dim0, int dim1) const = 0;
  virtual Tensor slice(const Tensor& x, int dim, int64_t start, int64_t stop, int64_t step) const = 0;
  virtual Tensor reshape(const Tensor& x, const Dims& shape) const = 0;
  virtual Tensor clone(const Tensor& x, MemoryFormat format) const = 0;
  virtual Tensor to(const Tensor& x, DType target) const = 0;
};
}  // namespace detail

// Shared ownership of 64-byte aligned memory. Copies share; clone() copies.
class Tensor {
 public:
  Tensor() = default;  // no elements, shape 0
  // Uninitialised memory of that shape. Throws Error when the size overflows or memory is short.
  explicit Tensor(const Dims& shape, DType dtype = DType::f32, MemoryFormat format = MemoryFormat::contiguous);
  // Memory owned by someone else, kept alive by `owner`.
  Tensor(std::shared_ptr<void> owner, TensorSpan memory);

  // From nested values: Tensor::from<float>({2, 2}, {1, 2, 3, 4}).
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
  const Dims& shape() const noexcept { return span_.shape; }
  const Dims& strides() const noexcept { return span_.strides; }
  int64_t size(int dim) const noexcept { return span_.size(dim); }
  int64_t numel() const noexcept { return span_.numel(); }
  bool is_contiguous() const noexcept;
  bool defined() const noexcept { return storage_ != nullptr; }  // false for Tensor()

  template <class T>
  const T* data() const noexcept {
    return reinterpret_cast<const T*>(span_.data);
  }
  template <class T>
  T* data() noexcept {
    return reinterpret_cast<T*>(span_.data);
  }

  TensorView view() const noexcept { return span_; }
  TensorSpan span() noexcept { return span_; }
  operator TensorView() const noexcept { return span_; }  // NOLINT: implicit by design

  // Views that share memory. A bad argument throws Error. Negative dims count from the last.
  Tensor transpose(int dim0, int dim1) const;
  // Elements start, start + step, … before stop; to include element 0 with a negative step, stop is -1.
  Tensor slice(int dim, int64_t start, int64_t stop, int64_t step = 1) const;
  Tensor reshape(const Dims& shape) const;  // of a contiguous tensor
  // The same memory under any shape and strides, which are not checked; outside the graph.
  Tensor as_strided(const Dims& shape, const Dims& strides) const;

  Tensor clone(MemoryFormat format = MemoryFormat::contiguous) const;
  // Converts element by element into new memory: rounds once; floats to integers truncate and saturate, NaN becomes 0; integers wrap.
  Tensor to(DType target) const;

  // One element as a double (exact for all dtypes but large i64).
  double item(std::initializer_list<int64_t> index) const;
  double item() const;  // of a tensor with one element

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

  const std::shared_ptr<detail::GraphState>& graph_state() const noexcept { return graph_; }
  void set_graph_state(std::shared_ptr<detail::GraphState> state) noexcept { graph_ = std::move(state); }

 private:
  static Tensor copy_of(DType dtype, const Dims& shape, const void* values, int64_t count);

  std::shared_ptr<detail::Storage> storage_;
  std::shared_ptr<detail::GraphState> graph_;
  TensorSpan span_{{nullptr, DType::f32, Dims{0}, Dims{1}}};
};

// Copies src into dst, element by element; shapes and dtypes must be equal. They may share memory.
void copy(TensorView src, TensorSpan dst);

// Nested brackets, as NumPy prints; long arrays are shortened.
std::string to_string(TensorView tensor);

}  // namespace tidepool
