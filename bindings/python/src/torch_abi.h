// What the kernel for PyTorch calls in PyTorch: its stable C interface, as torch/csrc/stable/c/shim.h declares it, and a few
// C++ functions for what this interface has no answer to. Found by name at run time, so that the package needs no PyTorch to build, and
// does without the kernel when a name is missing.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tidepool::python::torch {

struct OpaqueTensor;
struct OpaqueLibrary;
struct OpaqueList;
using Value = uint64_t;  // an argument or a result: a number, or an owned handle of one of these
using Kernel = void (*)(Value* stack, uint64_t inputs, uint64_t outputs);
using Status = int32_t;  // 0: done

struct Numbers {  // at::IntArrayRef
  const int64_t* data;
  size_t size;
};

inline constexpr uint64_t abi_version = (uint64_t{2} << 56) | (uint64_t{11} << 48);  // the oldest PyTorch with all of these

struct Abi {
  // The stable interface.
  bool (*grad_mode)();
  int32_t (*float32)();
  int32_t (*float64)();
  int32_t (*float16)();
  int32_t (*bfloat16)();
  int32_t (*uint8)();
  int32_t (*int8)();
  int32_t (*int16)();
  int32_t (*int32)();
  int32_t (*int64)();
  int32_t (*strided)();
  int32_t (*cpu)();
  Status (*dtype)(OpaqueTensor*, int32_t*);
  Status (*dim)(OpaqueTensor*, int64_t*);
  Status (*sizes)(OpaqueTensor*, int64_t**);
  Status (*strides)(OpaqueTensor*, int64_t**);
  Status (*data)(OpaqueTensor*, void**);
  Status (*from_blob)(void*, int64_t dim, const int64_t* sizes, const int64_t* strides, int64_t offset, int32_t dtype, int32_t device,
                      int32_t device_index, OpaqueTensor** out, int32_t layout, const uint8_t* metadata, int64_t metadata_size,
                      void (*deleter)(void* data, void* context), void* context);
  Status (*delete_tensor)(OpaqueTensor*);
  Status (*list_size)(OpaqueList*, size_t*);
  Status (*list_item)(OpaqueList*, size_t, Value*);
  Status (*delete_list)(OpaqueList*);
  Status (*library)(const char* name, const char* key, const char* file, uint32_t line, OpaqueLibrary**);
  Status (*library_add)(OpaqueLibrary*, const char* operation, Kernel, uint64_t version);
  Status (*delete_library)(OpaqueLibrary*);
  const char* (*what)();

  // C++: a handle is a pointer to an at::Tensor, and that a pointer to its c10::TensorImpl.
  bool (*in_mode)();                          // a mode wants to see every operation
  bool (*has_dispatch)(const OpaqueTensor*);  // so does the tensor's own class
  bool (*is_negated)(const OpaqueTensor*);    // the numbers in memory are those of -x
  bool (*requires_grad)(const void* impl);
  void* const* (*tangent)(const void* impl, uint64_t level, const OpaqueTensor*);
  const void* undefined;
  // PyTorch's own making, which writes an at::Tensor and throws.
  using Pool = void* (*)(void* out, const OpaqueTensor*, Numbers kernel_size, Numbers stride, Numbers padding, Numbers dilation, bool ceil);
  Pool max_pool1d;
  Pool max_pool2d;
  Pool max_pool3d;

  template <class F>
  void visit(const F& f) {
    f("aoti_torch_grad_mode_is_enabled", grad_mode);
    f("aoti_torch_dtype_float32", float32);
    f("aoti_torch_dtype_float64", float64);
    f("aoti_torch_dtype_float16", float16);
    f("aoti_torch_dtype_bfloat16", bfloat16);
    f("aoti_torch_dtype_uint8", uint8);
    f("aoti_torch_dtype_int8", int8);
    f("aoti_torch_dtype_int16", int16);
    f("aoti_torch_dtype_int32", int32);
    f("aoti_torch_dtype_int64", int64);
    f("aoti_torch_layout_strided", strided);
    f("aoti_torch_device_type_cpu", cpu);
    f("aoti_torch_get_dtype", dtype);
    f("aoti_torch_get_dim", dim);
    f("aoti_torch_get_sizes", sizes);
    f("aoti_torch_get_strides", strides);
    f("aoti_torch_get_data_ptr", data);
    f("torch_from_blob", from_blob);
    f("aoti_torch_delete_tensor_object", delete_tensor);
    f("torch_list_size", list_size);
    f("torch_list_get_item", list_item);
    f("torch_delete_list", delete_list);
    f("aoti_torch_library_init_impl", library);
    f("torch_library_impl", library_add);
    f("aoti_torch_delete_library_object", delete_library);
    f("torch_exception_get_what_without_backtrace", what);
    f("_ZN3c104impl21dispatch_mode_enabledEv", in_mode);
    f("_ZN2at4impl19tensor_has_dispatchERKNS_6TensorE", has_dispatch);
    f("_ZN2at6native6is_negERKNS_6TensorE", is_negated);
    f("_ZNK3c1010TensorImpl13requires_gradEv", requires_grad);
    f("_ZNK3c1010TensorImpl8_fw_gradEmRKN2at10TensorBaseE", tangent);
    f("_ZN3c1019UndefinedTensorImpl10_singletonE", undefined);
    f("_ZN2at6native10max_pool1dERKNS_6TensorEN3c108ArrayRefIlEES6_S6_S6_b", max_pool1d);
    f("_ZN2at6native10max_pool2dERKNS_6TensorEN3c108ArrayRefIlEES6_S6_S6_b", max_pool2d);
    f("_ZN2at6native10max_pool3dERKNS_6TensorEN3c108ArrayRefIlEES6_S6_S6_b", max_pool3d);
  }
};

}  // namespace tidepool::python::torch
