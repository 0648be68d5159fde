// Python arrays as views, and tensors as Python arrays: NumPy's, anything with a buffer, anything that speaks DLPack.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include "dlpack_abi.h"
#include "tidepool/tensor.h"

namespace tidepool::python {

namespace nb = nanobind;

enum class Access : uint8_t { read, write };

// The name of an object's type, for messages: as CPython prints it, "list" or "numpy.ndarray". The stable ABI has no tp_name.
std::string name_of_type(nb::handle object);

// Borrows the memory of a Python object for as long as it lives. Never copies.
class Array {
 public:
  // `function` and `name` are for messages. Throws Error for what is no array on the CPU of a type we know.
  Array(const char* function, const char* name, nb::handle object, Access access = Access::read);
  ~Array();
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  const TensorSpan& span() const noexcept { return span_; }
  operator TensorView() const noexcept { return span_; }  // NOLINT: implicit by design
  nb::object object() const { return nb::borrow(object_); }

  // A tensor of ours as an array of this kind, without a copy.
  nb::object same_kind(Tensor tensor) const;

 private:
  void from_exchange(const dlpack::ExchangeApi& api);
  bool from_buffer(Access access);
  void from_dlpack();
  void take(const dlpack::DLTensor& tensor);
  [[noreturn]] void refuse(ErrorCode code, const std::string& text) const;

  const char* function_;
  const char* name_;
  nb::handle object_;
  TensorSpan span_;
  const dlpack::ExchangeApi* api_ = nullptr;
  bool is_dlpack_ = false;
  Py_buffer buffer_{};  // obj is null unless it is held
  nb::object capsule_;
};

}  // namespace tidepool::python
