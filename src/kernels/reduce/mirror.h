// Maxima and minima of several types by one code: where a bit operation on every cell as it comes and on every result as it goes is not
// felt, kernels mirror them onto signed numbers whose maxima are asked, and whose least is what a window without cells gives.
//
//   bits changed   signed   floating   unsigned       bool
//   max            none     none       the sign       the sign
//   min            all      the sign   all but that   the sign and the last
#pragma once

#include "tidepool/problem.h"

namespace tidepool::inline v0_1::detail {

// In as many low bits as an element has.
inline uint64_t mirror_bits(Op op, DType dtype) noexcept {
  const uint64_t sign = uint64_t{1} << (8 * dtype_size(dtype) - 1);
  const bool min = op == Op::min;
  switch (dtype_kind(dtype)) {
    case DTypeKind::floating:
      return min ? sign : 0;
    case DTypeKind::signed_int:
      return min ? ~uint64_t{0} : 0;
    case DTypeKind::unsigned_int:
      return min ? ~sign : sign;
    case DTypeKind::logical:
      return min ? sign | 1 : sign;
  }
  return 0;
}

}  // namespace tidepool::inline v0_1::detail
