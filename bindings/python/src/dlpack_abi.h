// DLPack as it lies in memory, with the exchange table that newer producers carry on their type. Declared here because the header that
// systems package is older than the table, and a build from the package index should need no system package for it.
#pragma once

#include <cstdint>

namespace tidepool::python::dlpack {

inline constexpr int32_t cpu = 1;
enum Code : uint8_t { code_int = 0, code_uint = 1, code_float = 2, code_bfloat = 4, code_bool = 6 };

struct Device {
  int32_t type;
  int32_t id;
};

struct DataType {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};

struct DLTensor {
  void* data;
  Device device;
  int32_t ndim;
  DataType dtype;
  int64_t* shape;
  int64_t* strides;  // in elements; null: row-major
  uint64_t byte_offset;
};

struct Managed {
  DLTensor tensor;
  void* context;
  void (*deleter)(Managed*);
};

struct Version {
  uint32_t major;
  uint32_t minor;
};

struct ManagedVersioned {
  Version version;
  void* context;
  void (*deleter)(ManagedVersioned*);
  uint64_t flags;
  DLTensor tensor;
};

// type(x).__dlpack_c_exchange_api__, a capsule named "dlpack_exchange_api". Functions return 0, or -1 with a Python error set.
struct ExchangeApi {
  Version version;
  ExchangeApi* previous;
  int (*allocate)(DLTensor* prototype, ManagedVersioned** out, void* error, void (*set_error)(void*, const char*, const char*));
  int (*managed_from_object)(void* object, ManagedVersioned** out);
  int (*object_from_managed)(ManagedVersioned* tensor, void** out);
  int (*tensor_from_object)(void* object, DLTensor* out);  // borrowed while the object lives; may be null
};

}  // namespace tidepool::python::dlpack
