// Results leave as arrays of the kind that came in.
#include <nanobind/ndarray.h>

#include "array.h"

namespace tidepool::python {
namespace {

dlpack::DataType dlpack_dtype(DType dtype) {
  const auto bits = static_cast<uint8_t>(dtype_size(dtype) * 8);
  switch (dtype_kind(dtype)) {
    case DTypeKind::floating:
      return {dtype == DType::bf16 ? dlpack::code_bfloat : dlpack::code_float, bits, 1};
    case DTypeKind::signed_int:
      return {dlpack::code_int, bits, 1};
    case DTypeKind::unsigned_int:
      return {dlpack::code_uint, bits, 1};
    case DTypeKind::logical:
      return {dlpack::code_bool, bits, 1};
  }
  return {};
}

// A tensor that another library holds, with its shape and strides beside it.
struct Exported {
  Tensor tensor;
  Dims shape;
  Dims strides;
  dlpack::ManagedVersioned managed{};
};

nb::object to_exchange(const dlpack::ExchangeApi& api, Tensor tensor) {
  auto* out = new Exported{std::move(tensor), {}, {}, {}};
  out->shape = out->tensor.shape();
  out->strides = out->tensor.strides();
  out->managed.version = {1, 0};
  out->managed.context = out;
  out->managed.deleter = [](dlpack::ManagedVersioned* m) { delete static_cast<Exported*>(m->context); };
  const TensorSpan span = out->tensor.span();
  out->managed.tensor = {
      span.data, {dlpack::cpu, 0}, span.rank(), dlpack_dtype(span.dtype), out->shape.values.data(), out->strides.values.data(), 0};
  void* object = nullptr;
  if (api.object_from_managed(&out->managed, &object) != 0) throw nb::python_error();
  return nb::steal(static_cast<PyObject*>(object));
}

template <class... Framework>
nb::object to_ndarray(Tensor tensor) {
  const TensorSpan span = tensor.span();
  size_t shape[max_rank];
  for (int i = 0; i < span.rank(); ++i) shape[i] = static_cast<size_t>(span.size(i));
  const nb::capsule owner(new Tensor(std::move(tensor)), [](void* p) noexcept { delete static_cast<Tensor*>(p); });
  const dlpack::DataType d = dlpack_dtype(span.dtype);
  const nb::dlpack::dtype dtype{d.code, d.bits, d.lanes};
  return nb::cast(nb::ndarray<Framework...>(span.data, static_cast<size_t>(span.rank()), shape, owner, span.strides.values.data(), dtype));
}

// The from_dlpack of the library that `object` comes from, or NumPy's.
nb::object importer_of(nb::handle object) {
  if (nb::hasattr(object, "__array_namespace__")) return object.attr("__array_namespace__")().attr("from_dlpack");
  const auto module = nb::cast<std::string>(object.type().attr("__module__"));
  const nb::object library = nb::module_::import_(module.substr(0, module.find('.')).c_str());
  if (nb::hasattr(library, "from_dlpack")) return library.attr("from_dlpack");
  return nb::module_::import_("numpy").attr("from_dlpack");
}

}  // namespace

nb::object Array::same_kind(Tensor tensor) const {
  if (api_ != nullptr) return to_exchange(*api_, std::move(tensor));
  if (is_dlpack_) return importer_of(object_)(to_ndarray<>(std::move(tensor)));
  const bool wide = tensor.dtype() == DType::i64;
  const nb::object result = to_ndarray<nb::numpy>(std::move(tensor));
  // C has two 64-bit integers, and NumPy two dtypes for them, equal but printed apart: give the one that users have.
  return wide ? result.attr("view")(nb::module_::import_("numpy").attr("int64")) : result;
}

}  // namespace tidepool::python
