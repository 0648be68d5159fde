#include "tidepool/dtype.h"

#include <iterator>

namespace tidepool::inline v0_1 {
namespace {

struct Row {
  std::string_view name;
  int64_t size;
  DTypeKind kind;
};

// One row per dtype, in the order of the enumeration.
constexpr Row rows[] = {
#define TIDEPOOL_X(name, type, kind) {#name, sizeof(type), DTypeKind::kind},
    TIDEPOOL_DTYPES(TIDEPOOL_X)
#undef TIDEPOOL_X
};

// Null for a value that is no dtype, which a view made by a caller may contain.
constexpr const Row* row_of(DType dtype) noexcept {
  const auto i = static_cast<size_t>(dtype);
  return i < std::size(rows) ? &rows[i] : nullptr;
}

}  // namespace

std::string_view dtype_name(DType dtype) noexcept {
  // The enumerator cannot have this name, because `bool` is a keyword.
  if (dtype == DType::boolean) return "bool";
  const Row* row = row_of(dtype);
  return row != nullptr ? row->name : "unknown";
}

std::optional<DType> parse_dtype(std::string_view name) noexcept {
  for (DType dtype : all_dtypes)
    if (dtype_name(dtype) == name) return dtype;
  return std::nullopt;
}

int64_t dtype_size(DType dtype) noexcept {
  const Row* row = row_of(dtype);
  return row != nullptr ? row->size : 0;
}

DTypeKind dtype_kind(DType dtype) noexcept {
  const Row* row = row_of(dtype);
  return row != nullptr ? row->kind : DTypeKind::unsigned_int;
}

}  // namespace tidepool::inline v0_1
