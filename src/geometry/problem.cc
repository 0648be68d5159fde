#include "tidepool/problem.h"

#include <bit>
#include <iterator>
#include <limits>

namespace tidepool::inline v0_1 {

namespace {

// The text of an enumerator, by position.
template <class Enum, size_t N>
std::string_view name_in(const std::string_view (&names)[N], Enum value) noexcept {
  const auto i = static_cast<size_t>(value);
  return i < N ? names[i] : "?";
}

constexpr std::string_view op_names[] = {"max", "min", "avg", "sum", "lp", "unpool"};
constexpr std::string_view pass_names[] = {"fwd", "bwd", "bwd2", "bwd2x"};
constexpr std::string_view index_base_names[] = {"plane", "tensor", "window"};
static_assert(std::size(op_names) == all_ops.size() && std::size(pass_names) == all_passes.size() &&
              std::size(index_base_names) == all_index_bases.size());

}  // namespace

std::string_view op_name(Op op) noexcept { return name_in(op_names, op); }
std::string_view pass_name(Pass pass) noexcept { return name_in(pass_names, pass); }
std::string_view index_base_name(IndexBase base) noexcept { return name_in(index_base_names, base); }

std::string_view layout_name(Layout layout, int rank) noexcept {
  constexpr std::string_view first[] = {"ncl", "nchw", "ncdhw"};
  constexpr std::string_view last[] = {"nlc", "nhwc", "ndhwc"};
  if (layout == Layout::strided) return "strided";
  return (layout == Layout::channels_first ? first : last)[rank - 1];
}

std::string function_name(Op op, int rank) {
  std::string name = op == Op::unpool ? "max_unpool" : std::string(op_name(op)) + "_pool";
  return name + std::to_string(rank) + "d";
}

bool has_indices(Op op) noexcept { return op == Op::max || op == Op::min || op == Op::unpool; }

bool reads_indices(const Problem& p) noexcept { return p.op == Op::unpool || (has_indices(p.op) && p.pass != Pass::forward); }

bool reads_saved(const Problem& p) noexcept { return p.op == Op::lp && p.pass != Pass::forward; }

bool enlarges(const Problem& p) noexcept { return (p.pass == Pass::backward) != (p.op == Op::unpool); }

Dims source_shape(const Problem& p) noexcept { return enlarges(p) ? p.geometry.output_shape() : p.geometry.input_shape(); }

Dims result_shape(const Problem& p) noexcept {
  return enlarges(p) || p.pass == Pass::double_backward_input ? p.geometry.input_shape() : p.geometry.output_shape();
}

// Numbers are added up with factors of their own before they are mixed: the products do not wait for each other, and mixing one number
// after the other would take as long as pooling a small array.
size_t hash_value(const Problem& p) noexcept {
  uint64_t h = 0xcbf29ce484222325u;
  const auto mix = [&h](auto... values) {
    uint64_t sum = 0, factor = 0x9e3779b97f4a7c15u;
    ((sum += static_cast<uint64_t>(values) * factor, factor = factor * 0xd1342543de82ef95u + 2), ...);
    h = (h ^ sum) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
  };
  mix(p.op, p.pass, p.dtype, p.layout, p.nan, p.indices ? static_cast<int>(*p.indices) + 1 : 0);
  mix(p.reduction.divisor, p.reduction.fixed_divisor, p.reduction.rounding, std::bit_cast<uint64_t>(p.reduction.norm),
      p.reduction.signed_power, p.reduction.scale_overhang);
  const Geometry& g = p.geometry;
  mix(g.rank(), g.batched(), g.batch(), g.channels());
  for (int i = 3 - g.rank(); i < 3; ++i) {
    const Axis& a = g.axis(i);
    mix(a.input(), a.output(), a.kernel(), a.stride(), a.dilation(), a.pad_before(), a.pad_after(), a.rounding(), a.padding_mode(),
        a.is_adaptive(), a.is_fractional());
  }
  return static_cast<size_t>(h);
}

DType index_dtype(IndexBase base, const Geometry& geometry, NanPolicy nan) noexcept {
  if (base != IndexBase::window) return DType::i64;
  const int64_t last = geometry.window_taps() - 1;
  if (last <= std::numeric_limits<uint8_t>::max() - (nan == NanPolicy::ignore ? 1 : 0)) return DType::u8;
  if (last <= std::numeric_limits<int16_t>::max()) return DType::i16;
  if (last <= std::numeric_limits<int32_t>::max()) return DType::i32;
  return DType::i64;
}

Layout layout_of(const Dims& shape, const Dims& strides, int spatial_rank, bool batched) noexcept {
  const int c = batched ? 1 : 0;
  const int w = c + spatial_rank;
  if (strides[w] == 1 && shape[w] > 1) return Layout::channels_first;
  if (strides[c] == 1 && shape[c] > 1) return Layout::channels_last;
  return shape[w] <= 1 || strides[w] == 1 ? Layout::channels_first : Layout::strided;
}

}  // namespace tidepool::inline v0_1
