#include "clipping.h"

#include <limits>

namespace tidepool::cli {

namespace {

struct Range {
  int64_t lowest, highest;
};

Range range_of(DType dtype) {
  const auto range = [](auto zero) -> Range {
    return {std::numeric_limits<decltype(zero)>::min(), std::numeric_limits<decltype(zero)>::max()};
  };
  switch (dtype) {
    case DType::u8:
      return range(uint8_t{});
    case DType::i8:
      return range(int8_t{});
    case DType::i16:
      return range(int16_t{});
    default:
      return range(int32_t{});
  }
}

bool can_clip(const PoolOp& op, DType dtype) {
  // Averages are clipped when a divisor is given that is smaller than the window.
  return (op.op == Op::sum || op.op == Op::avg) && (dtype == DType::u8 || dtype == DType::i8 || dtype == DType::i16 || dtype == DType::i32);
}

// The number of elements for which `is_counted` holds.
template <class Condition>
int64_t count_if(const Tensor& tensor, const Condition& is_counted) {
  const Tensor wide = tensor.to(DType::i64).clone();
  const int64_t* elements = wide.data<int64_t>();
  int64_t count = 0;
  for (int64_t i = 0; i < wide.numel(); ++i) count += is_counted(elements[i]) ? 1 : 0;
  return count;
}

}  // namespace

int64_t count_clipped(const PoolOp& op, int rank, const OptionFlags& flags, const Tensor& x, const Tensor& values) {
  if (!can_clip(op, x.dtype())) return 0;
  const Range range = range_of(x.dtype());
  if (count_if(values, [&](int64_t v) { return v == range.lowest || v == range.highest; }) == 0) return 0;
  // A result that the wider type clamps as well lies outside the narrower range too.
  const Tensor wide = x.to(x.dtype() == DType::i32 ? DType::i64 : DType::i32);
  const Tensor exact = op.run(rank, flags, {.x = wide, .indices = {}, .wants_indices = false}).pooled.values;
  return count_if(exact, [&](int64_t v) { return v < range.lowest || v > range.highest; });
}

std::string range_text(DType dtype) {
  const Range range = range_of(dtype);
  return std::string(dtype_name(dtype)) + " holds " + std::to_string(range.lowest) + " to " + std::to_string(range.highest);
}

}  // namespace tidepool::cli
