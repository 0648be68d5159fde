// Element types. Names, sizes and dispatch are generated from the one list TIDEPOOL_DTYPES.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "tidepool/export.h"
#include "tidepool/half.h"

namespace tidepool::inline v0_1 {

// X(name, C++ type, kind). A boolean element is one byte, 0 or 1.
#define TIDEPOOL_DTYPES(X)     \
  X(f32, float, floating)      \
  X(f64, double, floating)     \
  X(f16, Half, floating)       \
  X(bf16, BFloat16, floating)  \
  X(i8, int8_t, signed_int)    \
  X(u8, uint8_t, unsigned_int) \
  X(i16, int16_t, signed_int)  \
  X(i32, int32_t, signed_int)  \
  X(i64, int64_t, signed_int)  \
  X(boolean, bool, logical)

enum class DType : uint8_t {
#define TIDEPOOL_X(name, type, kind) name,
  TIDEPOOL_DTYPES(TIDEPOOL_X)
#undef TIDEPOOL_X
};

enum class DTypeKind : uint8_t { floating, signed_int, unsigned_int, logical };

inline constexpr std::array all_dtypes = {
#define TIDEPOOL_X(name, type, kind) DType::name,
    TIDEPOOL_DTYPES(TIDEPOOL_X)
#undef TIDEPOOL_X
};

// The short name used in problems, messages and the command line: "f32", "bf16", "bool".
TIDEPOOL_API std::string_view dtype_name(DType dtype) noexcept;
TIDEPOOL_API std::optional<DType> parse_dtype(std::string_view name) noexcept;
TIDEPOOL_API int64_t dtype_size(DType dtype) noexcept;
TIDEPOOL_API DTypeKind dtype_kind(DType dtype) noexcept;

inline bool is_floating(DType dtype) noexcept { return dtype_kind(dtype) == DTypeKind::floating; }

template <class T>
struct TypeTag {
  using type = T;
};

namespace detail {
template <class T>
struct DTypeOf;
#define TIDEPOOL_X(name, ctype, kind_)                  \
  template <>                                           \
  struct DTypeOf<ctype> {                               \
    static constexpr DType value = DType::name;         \
    static constexpr DTypeKind kind = DTypeKind::kind_; \
  };
TIDEPOOL_DTYPES(TIDEPOOL_X)
#undef TIDEPOOL_X
}  // namespace detail

// dtype_of<float> == DType::f32
template <class T>
inline constexpr DType dtype_of = detail::DTypeOf<T>::value;

// True for float, double, Half and BFloat16.
template <class T>
inline constexpr bool is_floating_type = detail::DTypeOf<T>::kind == DTypeKind::floating;

// Calls f(TypeTag<T>{}) with the C++ type of `dtype`.
template <class F>
decltype(auto) dispatch(DType dtype, F&& f) {
  switch (dtype) {
#define TIDEPOOL_X(name, type, kind) \
  case DType::name:                  \
    return std::forward<F>(f)(TypeTag<type>{});
    TIDEPOOL_DTYPES(TIDEPOOL_X)
#undef TIDEPOOL_X
  }
  return std::forward<F>(f)(TypeTag<float>{});
}

}  // namespace tidepool::inline v0_1
