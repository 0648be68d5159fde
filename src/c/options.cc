#include "c/options.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "c/guard.h"
#include "c/struct_size.h"

namespace tidepool::inline v0_1::c {
namespace {

// The C enumerations have the same values as those of C++. Comparing the last value of each finds a value that was added to only one.
static_assert(all_dtypes.size() == TP_BOOL + 1 && all_ops.size() == TP_UNPOOL + 1 && all_passes.size() == TP_DOUBLE_BACKWARD_INPUT + 1 &&
              all_layouts.size() == TP_STRIDED + 1 && static_cast<int>(PaddingMode::same_lower) == TP_SAME_LOWER &&
              static_cast<int>(Rounding::ceil_full) == TP_CEIL_FULL && static_cast<int>(Divisor::fixed) == TP_FIXED &&
              static_cast<int>(IntegerRounding::nearest_even) == TP_NEAREST_EVEN && static_cast<int>(NanPolicy::ignore) == TP_NAN_IGNORE &&
              all_index_bases.size() == TP_INDEX_WINDOW);

tp_options default_options() {
  tp_options o{};
  o.spatial_rank = 2;
  std::fill(std::begin(o.dilation), std::end(o.dilation), 1);
  o.limit_padding = 1;
  o.norm = 2;
  o.scale_overhang = 1;
  return o;
}

[[noreturn]] void refuse(const std::string& text) { throw Error(ErrorCode::invalid_argument, "tp_plan_create: " + text); }

int32_t checked(const char* name, int32_t value, int32_t last) {
  if (value < 0 || value > last) refuse(std::string(name) + " must be one of its named values, got " + std::to_string(value));
  return value;
}

template <class Enum>
Enum checked(const char* name, int32_t value, Enum last) {
  return static_cast<Enum>(checked(name, value, static_cast<int32_t>(last)));
}

Sizes sizes(const int64_t (&list)[3], int rank) { return Sizes::from(std::span<const int64_t>(list, static_cast<size_t>(rank))); }

WindowOptions windows_of(const tp_options& o, int rank) {
  WindowOptions w{.kernel_size = sizes(o.kernel_size, rank),
                  .stride = sizes(o.stride, rank),
                  .padding = {.mode = checked("padding", o.padding, PaddingMode::same_lower), .count = rank},
                  .dilation = sizes(o.dilation, rank),
                  .ceil_mode = checked("rounding", o.rounding, Rounding::ceil_full),
                  .preset = o.limit_padding != 0 ? Preset::torch : Preset::onnx};
  for (size_t i = 0; i < static_cast<size_t>(rank); ++i) {
    if (w.stride.values[i] == 0) w.stride.values[i] = o.kernel_size[i];
    w.padding.sides[i] = {o.pad_before[i], o.pad_after[i]};
  }
  return w;
}

Geometry geometry_of(const tp_options& o, Op op, int rank, const Dims& shape) {
  const std::string name = function_name(op, rank);
  const Sizes output = sizes(o.output_size, rank);
  if (op == Op::unpool) {
    const bool given = output.values != std::array<int64_t, 3>{};
    return Geometry::unpooled(name, rank, shape, windows_of(o, rank), given ? output : Sizes{}).value();
  }
  switch (checked("windows", o.windows, TP_FRACTIONAL)) {
    case TP_ADAPTIVE:
      return Geometry::adaptive(name, rank, shape, output).value();
    case TP_FRACTIONAL:
      if (op != Op::max && op != Op::min) refuse("fractional windows belong to max and min alone");
      return Geometry::fractional(name, rank, shape, sizes(o.kernel_size, rank), output).value();
    default:
      return Geometry::windowed(name, rank, shape, windows_of(o, rank)).value();
  }
}

Reduction reduction_of(const tp_options& o, Op op) {
  if (op == Op::sum) return {.divisor = Divisor::fixed, .fixed_divisor = 1};
  if (op == Op::lp) {
    if (std::isnan(o.norm) || o.norm == 0 || (o.norm < 0 && o.signed_power == 0)) refuse("norm must be above 0");
    return {.norm = o.norm, .signed_power = o.signed_power != 0, .scale_overhang = o.scale_overhang != 0};
  }
  if (op != Op::avg) return {};
  Reduction r{.divisor = checked("divisor", o.divisor, Divisor::fixed),
              .rounding = checked("integer_rounding", o.integer_rounding, IntegerRounding::nearest_even)};
  if (r.divisor != Divisor::fixed) return r;
  if (o.fixed_divisor == 0) refuse("fixed_divisor must not be 0");
  r.fixed_divisor = o.fixed_divisor;
  return r;
}

}  // namespace

Problem problem_of(const tp_options& given) {
  // Padding at the end would be taken for the first members of a later version.
  constexpr size_t first = offsetof(tp_options, scale_overhang) + sizeof(int32_t);
  static_assert(sizeof(tp_options) == first);
  tp_options o = default_options();
  read_struct("tp_plan_create", {.name = "tp_options", .first = first, .known = sizeof o}, &given, &o);
  const Op op = checked("op", o.op, all_ops.back());
  const Pass pass = checked("pass", o.pass, all_passes.back());
  if (o.spatial_rank < 1 || o.spatial_rank > 3) refuse("spatial_rank must be 1, 2 or 3, got " + std::to_string(o.spatial_rank));
  if (o.shape_rank < 0 || o.shape_rank > 5) refuse("shape_rank must be at most 5, got " + std::to_string(o.shape_rank));
  if (pass == Pass::double_backward_input && op != Op::lp) refuse("TP_DOUBLE_BACKWARD_INPUT is a pass of TP_LP only");
  Problem p{.op = op,
            .pass = pass,
            .dtype = checked("dtype", o.dtype, all_dtypes.back()),
            .layout = checked("layout", o.layout, all_layouts.back()),
            .nan = checked("nan", o.nan, NanPolicy::ignore)};
  p.geometry = geometry_of(o, op, o.spatial_rank, Dims(std::span<const int64_t>(o.shape, static_cast<size_t>(o.shape_rank))));
  p.reduction = reduction_of(o, op);
  if (const int32_t base = checked("indices", o.indices, TP_INDEX_WINDOW); base != TP_NO_INDICES) {
    if (!has_indices(op)) refuse(std::string(op_name(op)) + " has no indices");
    p.indices = static_cast<IndexBase>(base - 1);
  }
  return p;
}

}  // namespace tidepool::inline v0_1::c

void tp_options_init_sized(tp_options* options, size_t struct_size) {
  if (options == nullptr || struct_size < sizeof options->struct_size) return;
  const tp_options defaults = tidepool::c::default_options();
  std::memset(options, 0, struct_size);
  std::memcpy(options, &defaults, std::min(struct_size, sizeof defaults));
  options->struct_size = struct_size;
}
