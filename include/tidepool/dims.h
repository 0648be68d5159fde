// Sizes and strides of up to eight dimensions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <iterator>
#include <span>
#include <string>

#include "tidepool/error.h"
#include "tidepool/export.h"
#include "tidepool/extent.h"

namespace tidepool::inline v0_1 {

inline constexpr int max_rank = 8;

namespace detail {
[[noreturn]] TIDEPOOL_API void throw_rank(size_t rank);
[[noreturn]] TIDEPOOL_API void throw_dim(int dim, int rank);
}  // namespace detail

// Up to eight sizes or strides: {1, 3, 224, 224}, or a vector, array or span of any integer type.
struct Dims {
  std::array<int64_t, max_rank> values{};
  int rank = 0;

  constexpr Dims() = default;
  constexpr Dims(std::initializer_list<Size> list) : rank(checked_rank(list.size())) {
    for (size_t i = 0; i < list.size(); ++i) values[i] = list.begin()[i];
  }
  template <IntegerRange R>
  constexpr Dims(const R& list) : rank(checked_rank(std::size(list))) {  // NOLINT: implicit by design
    for (size_t i = 0; i < std::size(list); ++i) values[i] = detail::to_int64(std::data(list)[i]);
  }

  // A negative dim counts from the end: shape[-1] is the last size. Throws Error if dim is out of range.
  constexpr int64_t operator[](int dim) const { return values[checked_index(dim)]; }
  constexpr int64_t& operator[](int dim) { return values[checked_index(dim)]; }
  constexpr size_t size() const noexcept { return static_cast<size_t>(rank); }
  constexpr const int64_t* begin() const noexcept { return values.data(); }
  constexpr const int64_t* end() const noexcept { return values.data() + rank; }
  constexpr std::span<const int64_t> span() const noexcept { return {values.data(), size()}; }
  constexpr void push_back(int64_t value) {
    rank = checked_rank(size() + 1);
    values[size() - 1] = value;
  }
  friend constexpr bool operator==(const Dims& a, const Dims& b) noexcept {
    if (a.rank != b.rank) return false;
    for (size_t i = 0; i < a.size(); ++i)
      if (a.values[i] != b.values[i]) return false;
    return true;
  }

 private:
  static constexpr int checked_rank(size_t count) {
    if (count > max_rank) detail::throw_rank(count);
    return static_cast<int>(count);
  }
  constexpr size_t checked_index(int dim) const {
    if (dim < -rank || dim >= rank) detail::throw_dim(dim, rank);
    return static_cast<size_t>(dim < 0 ? dim + rank : dim);
  }
};

TIDEPOOL_API std::string to_string(const Dims& dims);  // "2x64x112x112"
TIDEPOOL_API std::ostream& operator<<(std::ostream& out, const Dims& dims);

// The number of elements. Fails when a size is negative or the product does not fit int64_t.
TIDEPOOL_API Result<int64_t> checked_numel(const Dims& shape);

// Row-major strides, in elements.
TIDEPOOL_API Dims contiguous_strides(const Dims& shape);
// Strides, in elements, of an array whose memory order is N, spatial…, C: channels (dim 1) are adjacent.
TIDEPOOL_API Dims channels_last_strides(const Dims& shape);

}  // namespace tidepool::inline v0_1
