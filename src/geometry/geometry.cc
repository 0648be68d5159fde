#include "tidepool/geometry.h"

#include <algorithm>
#include <initializer_list>
#include <string>

#include "core/checked.h"

namespace tidepool::inline v0_1 {
namespace {

Error prefixed(std::string_view function, const Error& error, std::string_view axis) {
  return {error.code(), std::string(function) + ": " + error.message() + " (axis " + std::string(axis) + ")"};
}

Error invalid(std::string_view function, const std::string& text) {
  return {ErrorCode::invalid_argument, std::string(function) + ": " + text};
}

Status check_count(std::string_view function, std::string_view name, int64_t count, int rank) {
  if (count == 1 || count == rank) return Ok{};
  const std::string allowed = rank == 1 ? "1 value" : "1 or " + std::to_string(rank) + " values";
  return invalid(function, std::string(name) + " must have " + allowed + ", got " + std::to_string(count));
}

Status check_lists(std::string_view function, int rank, const WindowOptions& o) {
  if (Status s = check_count(function, "kernel_size", o.kernel_size.count, rank); !s) return s;
  if (o.stride.is_set())
    if (Status s = check_count(function, "stride", o.stride.count, rank); !s) return s;
  if (Status s = check_count(function, "padding", o.padding.count, rank); !s) return s;
  return check_count(function, "dilation", o.dilation.count, rank);
}

template <class Enum>
Status check_enum(std::string_view function, std::string_view name, Enum value, Enum last) {
  if (value <= last) return Ok{};
  return invalid(function, std::string(name) + " must be one of its named values, got " + std::to_string(static_cast<int>(value)));
}

Status check_enums(std::string_view function, const WindowOptions& o) {
  if (Status s = check_enum(function, "padding", o.padding.mode, PaddingMode::same_lower); !s) return s;
  if (Status s = check_enum(function, "ceil_mode", o.ceil_mode.rounding.value_or(Rounding::floor), Rounding::ceil_full); !s) return s;
  return check_enum(function, "preset", o.preset, Preset::caffe);
}

Status check_shape(std::string_view function, int rank, const Dims& shape) {
  constexpr std::string_view forms[] = {"C, L or N, C, L", "C, H, W or N, C, H, W", "C, D, H, W or N, C, D, H, W"};
  if (shape.rank != rank + 1 && shape.rank != rank + 2)
    return Error(ErrorCode::shape_mismatch, std::string(function) + ": input must have " + std::to_string(rank + 1) + " or " +
                                                std::to_string(rank + 2) + " dimensions (" + std::string(forms[rank - 1]) + "), got " +
                                                std::to_string(shape.rank));
  const bool batched = shape.rank == rank + 2;
  if (batched && shape[0] < 0) return invalid(function, "batch must not be negative, got " + std::to_string(shape[0]));
  const int64_t channels = shape[batched ? 1 : 0];
  if (channels < 1) return invalid(function, "channels must be at least 1, got " + std::to_string(channels));
  return Ok{};
}

// The number of bytes, at 8 bytes per element, must fit 64 bits, so that no later product of sizes or strides can overflow. Sizes of 0
// count as 1: an empty batch of planes that are too large fails as well.
bool fits_total(std::initializer_list<int64_t> sizes) noexcept {
  int64_t total = 8;
  for (const int64_t size : sizes)
    if (!detail::checked_mul(total, std::max<int64_t>(size, 1), &total)) return false;
  return true;
}

Error total_overflow(std::string_view function, std::string_view which, const Dims& shape) {
  return {ErrorCode::overflow,
          std::string(function) + ": tensor sizes overflow 64 bits (" + std::string(which) + " " + to_string(shape) + ")"};
}

// One row per preset.
constexpr PresetRules preset_table[] = {
    {"torch", true, Rounding::floor, IndexBase::plane, Divisor::window_in_padded, true, false},
    {"onnx", false, Rounding::floor, IndexBase::tensor, Divisor::valid_only, false, true},
    {"tensorflow", false, Rounding::floor, IndexBase::tensor, Divisor::valid_only, false, false},
    {"caffe", false, Rounding::ceil, IndexBase::plane, Divisor::window_in_padded, false, false},
};

}  // namespace

const PresetRules& preset_rules(Preset preset) noexcept { return preset_table[static_cast<size_t>(preset)]; }

std::string_view axis_name(int rank, int spatial_dim) noexcept {
  constexpr std::string_view dhw[] = {"d", "h", "w"};
  return rank == 1 ? "l" : dhw[3 - rank + spatial_dim];
}

Result<Geometry> Geometry::start(std::string_view function, int rank, const Dims& shape) {
  if (Status s = check_shape(function, rank, shape); !s) return s.error();
  Geometry g;
  g.rank_ = rank;
  g.batched_ = shape.rank == rank + 2;
  g.batch_ = g.batched_ ? shape[0] : 1;
  g.channels_ = shape[g.batched_ ? 1 : 0];
  return g;
}

Status Geometry::finish(std::string_view function) const {
  const auto& [d, h, w] = axes_;
  int64_t taps = 1;
  if (!detail::checked_mul(d.kernel(), h.kernel(), &taps) || !detail::checked_mul(taps, w.kernel(), &taps))
    return Error(ErrorCode::overflow, std::string(function) + ": kernel_size overflows 64 bits");
  if (!fits_total({batch_, channels_, d.input(), h.input(), w.input()})) return total_overflow(function, "input", input_shape());
  if (!fits_total({batch_, channels_, d.output(), h.output(), w.output()})) return total_overflow(function, "output", output_shape());
  return Ok{};
}

// axis_of(i, length) returns the axis of spatial dimension i.
template <class AxisOf>
Result<Geometry> Geometry::build(std::string_view function, int rank, const Dims& shape, AxisOf axis_of) {
  Result<Geometry> started = start(function, rank, shape);
  if (!started) return started;
  Geometry& g = *started;
  for (int i = 0; i < rank; ++i) {
    Result<Axis> axis = axis_of(i, shape[shape.rank - rank + i]);
    if (!axis) return prefixed(function, axis.error(), axis_name(rank, i));
    g.axes_[static_cast<size_t>(3 - rank + i)] = *axis;
  }
  if (Status s = g.finish(function); !s) return s.error();
  return started;
}

static AxisSpec axis_spec(const WindowOptions& o, int i, int64_t length) {
  const PresetRules& rules = preset_rules(o.preset);
  return {.length = length,
          .kernel = o.kernel_size[i],
          .stride = o.stride.is_set() ? o.stride[i] : o.kernel_size[i],
          .dilation = o.dilation[i],
          .padding = o.padding[i],
          .padding_mode = o.padding.mode,
          .rounding = o.ceil_mode.rounding.value_or(rules.rounding),
          .limit_padding = rules.limit_padding};
}

static bool is_same(const Pads& p) noexcept { return p.mode == PaddingMode::same_upper || p.mode == PaddingMode::same_lower; }

Result<Geometry> Geometry::windowed(std::string_view function, int rank, const Dims& shape, const WindowOptions& o) {
  if (Status s = check_enums(function, o); !s) return s.error();
  if (Status s = check_lists(function, rank, o); !s) return s.error();
  if (is_same(o.padding) && o.ceil_mode.rounding.value_or(Rounding::floor) != Rounding::floor)
    return invalid(function, "padding mode same does not go with ceil_mode");
  return build(function, rank, shape, [&](int i, int64_t length) { return Axis::regular(axis_spec(o, i, length)); });
}

Result<Geometry> Geometry::adaptive(std::string_view function, int rank, const Dims& shape, const Sizes& output) {
  if (Status s = check_count(function, "output_size", output.count, rank); !s) return s.error();
  return build(function, rank, shape,
               [&](int i, int64_t length) { return Axis::adaptive(length, output[i] == keep_size ? length : output[i]); });
}

Result<Geometry> Geometry::fractional(std::string_view function, int rank, const Dims& shape, const Sizes& kernel, const Sizes& output) {
  if (Status s = check_count(function, "kernel_size", kernel.count, rank); !s) return s.error();
  if (Status s = check_count(function, "output_size", output.count, rank); !s) return s.error();
  return build(function, rank, shape, [&](int i, int64_t length) { return Axis::fractional(length, kernel[i], output[i]); });
}

Result<Geometry> Geometry::unpooled(std::string_view function, int rank, const Dims& pooled, const WindowOptions& o, const Sizes& size) {
  if (Status s = check_enums(function, o); !s) return s.error();
  if (Status s = check_lists(function, rank, o); !s) return s.error();
  if (size.is_set())
    if (Status s = check_count(function, "output_size", size.count, rank); !s) return s.error();
  if (is_same(o.padding)) return invalid(function, "padding must be given in numbers: same does not say which size was pooled");
  return build(function, rank, pooled, [&](int i, int64_t length) {
    return Axis::unpooled(axis_spec(o, i, length), size.is_set() ? std::optional(size[i]) : std::nullopt);
  });
}

Dims Geometry::input_shape() const noexcept {
  Dims dims;
  if (batched_) dims.push_back(batch_);
  dims.push_back(channels_);
  for (int i = 3 - rank_; i < 3; ++i) dims.push_back(axis(i).input());
  return dims;
}

Dims Geometry::output_shape() const noexcept {
  Dims dims;
  if (batched_) dims.push_back(batch_);
  dims.push_back(channels_);
  for (int i = 3 - rank_; i < 3; ++i) dims.push_back(axis(i).output());
  return dims;
}

}  // namespace tidepool::inline v0_1
