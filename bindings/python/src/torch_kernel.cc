// PyTorch's max_pool1d, 2d and 3d, where nobody will ask for a gradient: values without indices, and no Python on the way.
//
// PyTorch makes these operators of max_pool*d_with_indices, and so computes indices whether or not anyone looks. A kernel that stands in
// for such a composite sees calls before the rest of PyTorch does, so it leaves to PyTorch's own making whatever is more than numbers in
// memory: gradients in either direction, subclasses, modes, negated views, and all that tidepool refuses.
#include <atomic>
#include <memory>
#include <stdexcept>
#include <vector>

#include "call.h"
#include "torch_abi.h"

namespace tidepool::python {
namespace {

using torch::OpaqueLibrary;
using torch::OpaqueList;
using torch::OpaqueTensor;
using torch::Value;

torch::Abi abi;
std::atomic<int64_t> answered{0};  // calls, of all threads

template <class T>
T* handle(Value value) {
  return reinterpret_cast<T*>(static_cast<uintptr_t>(value));
}

bool only_numbers(const OpaqueTensor* x) {
  const void* impl = *reinterpret_cast<void* const*>(x);
  return !abi.in_mode() && !abi.has_dispatch(x) && !abi.is_negated(x) && !(abi.requires_grad(impl) && abi.grad_mode()) &&
         *abi.tangent(impl, 0, x) == abi.undefined;
}

std::optional<DType> dtype_of(int32_t code) {
  struct Name {
    int32_t code;
    DType dtype;
  };
  static const Name names[] = {{abi.float32(), DType::f32},   {abi.float64(), DType::f64}, {abi.float16(), DType::f16},
                               {abi.bfloat16(), DType::bf16}, {abi.uint8(), DType::u8},    {abi.int8(), DType::i8},
                               {abi.int16(), DType::i16},     {abi.int32(), DType::i32},   {abi.int64(), DType::i64}};
  for (const Name& name : names)
    if (name.code == code) return name.dtype;
  return std::nullopt;
}

struct Input {
  TensorView view;
  int32_t code;
};

std::optional<Input> read(OpaqueTensor* x) {
  int64_t dim = 0;
  int64_t *sizes = nullptr, *strides = nullptr;
  void* data = nullptr;
  Input in{};
  if (!only_numbers(x) || abi.dtype(x, &in.code) != 0 || abi.dim(x, &dim) != 0 || dim > max_rank) return std::nullopt;
  const std::optional<DType> dtype = dtype_of(in.code);
  if (!dtype || abi.sizes(x, &sizes) != 0 || abi.strides(x, &strides) != 0 || abi.data(x, &data) != 0) return std::nullopt;
  in.view.dtype = *dtype;
  in.view.data = static_cast<const std::byte*>(data);
  in.view.shape = Dims(std::span<const int64_t>(sizes, static_cast<size_t>(dim)));
  in.view.strides = Dims(std::span<const int64_t>(strides, static_cast<size_t>(dim)));
  if (data == nullptr && in.view.numel() > 0) return std::nullopt;
  return in;
}

// The arguments after the tensor.
struct Arguments {
  std::vector<int64_t> kernel_size, stride, padding, dilation;
  bool ceil;
};

std::vector<int64_t> read(OpaqueList* list) {
  size_t size = 0;
  if (abi.list_size(list, &size) != 0) throw std::runtime_error(abi.what());
  std::vector<int64_t> out(size);
  for (size_t i = 0; i < size; ++i) {
    Value item = 0;
    if (abi.list_item(list, i, &item) != 0) throw std::runtime_error(abi.what());
    out[i] = static_cast<int64_t>(item);
  }
  abi.delete_list(list);
  return out;
}

Arguments read(const Value* stack) {
  const auto list = [&](int i) { return read(handle<OpaqueList>(stack[i])); };
  return {list(1), list(2), list(3), list(4), (stack[5] & 0xff) != 0};
}

template <int N>
MaxPoolOptions<N> options(const Arguments& a) {
  std::vector<Sides> padding;
  for (const int64_t p : a.padding) padding.emplace_back(p);
  return {.kernel_size = std::span(a.kernel_size),
          .stride = std::span(a.stride),
          .padding = std::span<const Sides>(padding),
          .dilation = std::span(a.dilation),
          .ceil_mode = a.ceil};
}

// PyTorch's tensor of our memory, which it gives back.
OpaqueTensor* to_torch(Tensor tensor, int32_t code) {
  auto* kept = new Tensor(std::move(tensor));
  const auto release = [](void*, void* context) { delete static_cast<Tensor*>(context); };
  const Dims shape = kept->shape(), strides = kept->strides();
  OpaqueTensor* out = nullptr;
  if (abi.from_blob(kept->span().data, shape.rank, shape.values.data(), strides.values.data(), 0, code, abi.cpu(), -1, &out, abi.strided(),
                    nullptr, 0, release, kept) != 0) {
    delete kept;
    throw std::runtime_error(abi.what());
  }
  return out;
}

Tensor pool(TensorView x, const MaxPoolOptions<1>& o) { return max_pool1d(x, o); }
Tensor pool(TensorView x, const MaxPoolOptions<2>& o) { return max_pool2d(x, o); }
Tensor pool(TensorView x, const MaxPoolOptions<3>& o) { return max_pool3d(x, o); }

template <int N>
OpaqueTensor* values_only(OpaqueTensor* x, const Arguments& a) {
  const std::optional<Input> in = read(x);
  if (!in) return nullptr;
  try {
    OpaqueTensor* out = to_torch(pool(in->view, options<N>(a)), in->code);
    answered.fetch_add(1, std::memory_order_relaxed);
    return out;
  } catch (const Error&) {
    return nullptr;
  }
}

// Computes it, or refuses it in PyTorch's words. A handle is an at::Tensor on the heap.
OpaqueTensor* theirs(torch::Abi::Pool pool, const OpaqueTensor* x, const Arguments& a) {
  const auto numbers = [](const std::vector<int64_t>& v) { return torch::Numbers{v.data(), v.size()}; };
  void* out = ::operator new(sizeof(void*));
  try {
    pool(out, x, numbers(a.kernel_size), numbers(a.stride), numbers(a.padding), numbers(a.dilation), a.ceil);
  } catch (...) {
    ::operator delete(out);
    throw;
  }
  return static_cast<OpaqueTensor*>(out);
}

template <int N, auto Theirs>
void max_pool(Value* stack, uint64_t /*inputs*/, uint64_t /*outputs*/) {
  const std::unique_ptr<OpaqueTensor, void (*)(OpaqueTensor*)> x(handle<OpaqueTensor>(stack[0]),
                                                                 [](OpaqueTensor* t) { abi.delete_tensor(t); });
  const Arguments a = read(stack);
  OpaqueTensor* out = values_only<N>(x.get(), a);
  if (out == nullptr) out = theirs(abi.*Theirs, x.get(), a);
  stack[0] = reinterpret_cast<uintptr_t>(out);
}

// Puts the kernels in PyTorch's place for one dispatch key, until `close`.
class Library {
 public:
  explicit Library(const char* key) {
    if (abi.library("aten", key, "tidepool", 0, &handle_) != 0) throw std::runtime_error(abi.what());
    static constexpr std::pair<const char*, torch::Kernel> kernels[] = {{"max_pool1d", max_pool<1, &torch::Abi::max_pool1d>},
                                                                        {"max_pool2d", max_pool<2, &torch::Abi::max_pool2d>},
                                                                        {"max_pool3d", max_pool<3, &torch::Abi::max_pool3d>}};
    for (const auto& [name, kernel] : kernels)
      if (abi.library_add(handle_, name, kernel, torch::abi_version) != 0) {
        close();
        throw std::runtime_error(abi.what());
      }
  }
  void close() {
    if (handle_ != nullptr) abi.delete_library(std::exchange(handle_, nullptr));
  }

 private:
  OpaqueLibrary* handle_ = nullptr;
};

}  // namespace

// `address` is a function from a symbol of PyTorch's library to its address.
void define_torch_kernel(nb::module_& m) {
  nb::class_<Library>(m, "TorchLibrary")
      .def("__init__",
           [](Library* self, const nb::callable& address, const char* key) {
             abi.visit([&](const char* name, auto& entry) {
               entry = reinterpret_cast<std::remove_reference_t<decltype(entry)>>(nb::cast<uintptr_t>(address(name)));
             });
             new (self) Library(key);
           })
      .def("_destroy", &Library::close)
      .def_prop_ro_static("calls", [](nb::handle) { return answered.load(); });
}

}  // namespace tidepool::python
