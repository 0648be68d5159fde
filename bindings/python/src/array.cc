#include "array.h"

#include <cstring>
#include <optional>
#include <string>

namespace tidepool::python {
namespace {

using dlpack::ExchangeApi;

constexpr const char* api_attribute = "__dlpack_c_exchange_api__";

// The table a type carries, if it has one we understand. The last type is remembered: a program pools one kind of array.
const ExchangeApi* exchange_api(PyTypeObject* type) {
  static PyTypeObject* last_type = nullptr;
  static const ExchangeApi* last_api = nullptr;
  if (type == last_type) return last_api;
  nb::object capsule = nb::steal(PyObject_GetAttrString(reinterpret_cast<PyObject*>(type), api_attribute));
  if (!capsule.is_valid()) {
    PyErr_Clear();
    return nullptr;
  }
  if (!PyCapsule_CheckExact(capsule.ptr())) return nullptr;
  const auto* api = static_cast<const ExchangeApi*>(PyCapsule_GetPointer(capsule.ptr(), "dlpack_exchange_api"));
  if (api == nullptr) PyErr_Clear();
  while (api != nullptr && api->version.major != 1) api = api->previous;
  if (api == nullptr || api->tensor_from_object == nullptr) return nullptr;
  Py_INCREF(reinterpret_cast<PyObject*>(type));  // so that no other type can take its address
  last_type = type;
  last_api = api;
  return api;
}

// The dtype of a buffer's format, in struct's notation.
std::optional<DType> dtype_of_format(const char* format, Py_ssize_t itemsize) {
  if (format == nullptr) return DType::u8;
  if (std::strchr("@=<", *format) != nullptr && *format != '\0') ++format;
  if (format[0] == '\0' || format[1] != '\0') return std::nullopt;
  const auto integer = [&]() -> std::optional<DType> {
    switch (itemsize) {
      case 1:
        return DType::i8;
      case 2:
        return DType::i16;
      case 4:
        return DType::i32;
      case 8:
        return DType::i64;
      default:
        return std::nullopt;
    }
  };
  switch (*format) {
    case 'f':
      return DType::f32;
    case 'd':
      return DType::f64;
    case 'e':
      return DType::f16;
    case '?':
      return DType::boolean;
    case 'B':
      return DType::u8;
    case 'b':
    case 'h':
    case 'i':
    case 'l':
    case 'q':
      return integer();
    default:
      return std::nullopt;
  }
}

std::optional<DType> dtype_of_dlpack(dlpack::DataType t) {
  if (t.lanes != 1) return std::nullopt;
  const auto is = [&](uint8_t code, int bits) { return t.code == code && t.bits == bits; };
  if (is(dlpack::code_float, 32)) return DType::f32;
  if (is(dlpack::code_float, 64)) return DType::f64;
  if (is(dlpack::code_float, 16)) return DType::f16;
  if (is(dlpack::code_bfloat, 16)) return DType::bf16;
  if (is(dlpack::code_int, 8)) return DType::i8;
  if (is(dlpack::code_uint, 8)) return DType::u8;
  if (is(dlpack::code_int, 16)) return DType::i16;
  if (is(dlpack::code_int, 32)) return DType::i32;
  if (is(dlpack::code_int, 64)) return DType::i64;
  if (is(dlpack::code_bool, 8)) return DType::boolean;
  return std::nullopt;
}

// What Python has to say about its own refusal; further lines are the other library's call stack.
std::string first_line(const nb::python_error& e) {
  const auto text = nb::cast<std::string>(nb::str(e.value()));
  return text.substr(0, text.find('\n'));
}
std::string python_error() { return first_line(nb::python_error()); }

// Whether memory holds the negative of the tensor's numbers, as PyTorch's lazy views may. Producers without that notion never do.
bool is_lazy_negative(nb::handle tensor) {
  static PyObject* const name = PyUnicode_InternFromString("is_neg");
  PyObject* const arguments[] = {tensor.ptr()};
  const nb::object answer = nb::steal(PyObject_VectorcallMethod(name, arguments, 1, nullptr));
  if (!answer.is_valid()) PyErr_Clear();
  return answer.ptr() == Py_True;
}

}  // namespace

std::string name_of_type(nb::handle object) {
  const nb::handle type = object.type();
  const auto name = nb::cast<std::string>(type.attr("__name__"));
  if ((PyType_GetFlags(Py_TYPE(object.ptr())) & Py_TPFLAGS_HEAPTYPE) != 0) return name;
  const auto module = nb::cast<std::string>(type.attr("__module__"));
  return module == "builtins" ? name : module + "." + name;
}

void Array::refuse(ErrorCode code, const std::string& text) const { throw Error(code, std::string(function_) + ": " + name_ + " " + text); }

Array::Array(const char* function, const char* name, nb::handle object, Access access) : function_(function), name_(name), object_(object) {
  if (const ExchangeApi* api = exchange_api(Py_TYPE(object.ptr()))) {
    from_exchange(*api);
  } else if (!from_buffer(access)) {
    if (!nb::hasattr(object, "__dlpack__"))
      throw nb::type_error((std::string(function) + ": " + name + " must be an array, got " + name_of_type(object)).c_str());
    from_dlpack();
  }
}

Array::~Array() {
  if (buffer_.obj != nullptr) PyBuffer_Release(&buffer_);
}

void Array::take(const dlpack::DLTensor& t) {
  if (t.device.type != dlpack::cpu)
    refuse(ErrorCode::unsupported, "must be on the CPU, got DLPack device type " + std::to_string(t.device.type));
  const std::optional<DType> dtype = dtype_of_dlpack(t.dtype);
  if (!dtype)
    refuse(ErrorCode::dtype_mismatch,
           "must have a known dtype, got DLPack code " + std::to_string(t.dtype.code) + " of " + std::to_string(t.dtype.bits) + " bits");
  span_.dtype = *dtype;
  span_.shape = Dims(std::span<const int64_t>(t.shape, static_cast<size_t>(t.ndim)));
  span_.strides =
      t.strides == nullptr ? contiguous_strides(span_.shape) : Dims(std::span<const int64_t>(t.strides, static_cast<size_t>(t.ndim)));
  span_.data = static_cast<std::byte*>(t.data) + t.byte_offset;
}

void Array::from_exchange(const ExchangeApi& api) {
  api_ = &api;
  dlpack::DLTensor tensor{};
  if (api.tensor_from_object(object_.ptr(), &tensor) != 0) refuse(ErrorCode::unsupported, "cannot be exported: " + python_error());
  if (is_lazy_negative(object_)) refuse(ErrorCode::unsupported, "is a view of negated numbers: call resolve_neg() first");
  take(tensor);
}

bool Array::from_buffer(Access access) {
  if (!PyObject_CheckBuffer(object_.ptr())) return false;
  if (PyObject_GetBuffer(object_.ptr(), &buffer_, access == Access::write ? PyBUF_RECORDS : PyBUF_RECORDS_RO) != 0)
    refuse(ErrorCode::unsupported, "cannot be " + std::string(access == Access::write ? "written to: " : "read: ") + python_error());
  const std::optional<DType> dtype = dtype_of_format(buffer_.format, buffer_.itemsize);
  if (!dtype || dtype_size(*dtype) != buffer_.itemsize)
    refuse(ErrorCode::dtype_mismatch,
           "must have a known dtype in this machine's byte order, got format \"" + std::string(buffer_.format) + "\"");
  span_.dtype = *dtype;
  span_.data = static_cast<std::byte*>(buffer_.buf);
  Dims shape, strides;
  if (buffer_.ndim > max_rank) refuse(ErrorCode::shape_mismatch, "must have at most 8 dimensions, got " + std::to_string(buffer_.ndim));
  for (int i = 0; i < buffer_.ndim; ++i) {
    if (buffer_.strides[i] % buffer_.itemsize != 0)
      refuse(ErrorCode::unsupported, "must have strides of whole elements, got " + std::to_string(buffer_.strides[i]) + " bytes");
    shape.push_back(buffer_.shape[i]);
    strides.push_back(buffer_.strides[i] / buffer_.itemsize);
  }
  span_.shape = shape;
  span_.strides = strides;
  return true;
}

void Array::from_dlpack() {
  is_dlpack_ = true;
  try {
    const auto device = nb::cast<nb::tuple>(object_.attr("__dlpack_device__")());
    if (const int type = nb::cast<int>(device[0]); type != dlpack::cpu)
      refuse(ErrorCode::unsupported, "must be on the CPU, got DLPack device type " + std::to_string(type));
    capsule_ = object_.attr("__dlpack__")();
  } catch (const nb::python_error& e) {
    refuse(ErrorCode::unsupported, "cannot be exported: " + first_line(e));
  } catch (const nb::cast_error&) {
    refuse(ErrorCode::unsupported, "must tell its device as a pair of numbers");
  }
  // Left in its capsule, whose destructor frees it.
  const auto* managed = static_cast<const dlpack::Managed*>(PyCapsule_GetPointer(capsule_.ptr(), "dltensor"));
  if (managed == nullptr) {
    PyErr_Clear();
    refuse(ErrorCode::unsupported, "gave something that is no DLPack capsule");
  }
  take(managed->tensor);
}

}  // namespace tidepool::python
