// NumPy's names of the element types, for reading and writing.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "tidepool/dtype.h"

namespace tidepool::inline v0_1::io {

struct NpyDType {
  std::string_view name;  // without the byte order
  DType dtype;
};

inline constexpr std::array npy_dtypes = {
    NpyDType{"f4", DType::f32},     NpyDType{"f8", DType::f64},    NpyDType{"f2", DType::f16}, NpyDType{"i1", DType::i8},
    NpyDType{"u1", DType::u8},      NpyDType{"i2", DType::i16},    NpyDType{"i4", DType::i32}, NpyDType{"i8", DType::i64},
    NpyDType{"b1", DType::boolean}, NpyDType{"?", DType::boolean},
};

inline std::optional<DType> npy_dtype(std::string_view name) noexcept {
  for (const NpyDType& entry : npy_dtypes)
    if (entry.name == name) return entry.dtype;
  return std::nullopt;
}

inline std::string npy_dtype_list() {
  std::string list;
  for (const NpyDType& entry : npy_dtypes) list.append(list.empty() ? "" : " ").append(entry.name);
  return list;
}

}  // namespace tidepool::inline v0_1::io
