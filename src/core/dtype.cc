#include "tidepool/dtype.h"

namespace tidepool {

std::string_view dtype_name(DType dtype) noexcept {
  // `bool` is a keyword, so the enumerator cannot carry the name that people type.
  if (dtype == DType::boolean) return "bool";
  switch (dtype) {
#define TIDEPOOL_X(name, type, kind) \
  case DType::name:                  \
    return #name;
    TIDEPOOL_DTYPES(TIDEPOOL_X)
#undef TIDEPOOL_X
  }
  return "unknown";
}

std::optional<DType> parse_dtype(std::string_view name) noexcept {
  for (DType dtype : all_dtypes)
    if (dtype_name(dtype) == name) return dtype;
  return std::nullopt;
}

int64_t dtype_size(DType dtype) noexcept {
  switch (dtype) {
#define TIDEPOOL_X(name, type, kind) \
  case DType::name:                  \
    return sizeof(type);
    TIDEPOOL_DTYPES(TIDEPOOL_X)
#undef TIDEPOOL_X
  }
  return 0;
}

DTypeKind dtype_kind(DType dtype) noexcept {
  switch (dtype) {
#define TIDEPOOL_X(name, type, kind) \
  case DType::name:                  \
    return DTypeKind::kind;
    TIDEPOOL_DTYPES(TIDEPOOL_X)
#undef TIDEPOOL_X
  }
  return DTypeKind::unsigned_int;
}

}  // namespace tidepool
