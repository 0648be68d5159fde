// Poolings with windows, over whole planes, and their inverse.
#include "analyze/onnx/operators.h"

namespace tidepool::inline v0_1::analyze::onnx {

namespace {

WindowOptions windows_of(const Call& call, int axes) {
  if (!call.has_attribute("kernel_shape")) call.fail("attribute 'kernel_shape' is missing");
  // ONNX's default stride is 1.
  WindowOptions options{.kernel_size = call.sizes("kernel_shape", axes, 1),
                        .stride = call.sizes("strides", axes, 1),
                        .padding = padding_of(call, axes),
                        .dilation = call.sizes("dilations", axes, 1),
                        .preset = Preset::onnx};
  options.ceil_mode = call.integer("ceil_mode", 0) != 0;
  return options;
}

template <Op op>
void pool(Call& call) {
  const Value pooled = call.emit(Pool{op, windows_of(call, spatial_axes_of(call, call.shape(0)))}, call.input(0));
  call.give(0, pooled);
  call.give(1, pooled);  // the indices: of the same shape, from the same windows
}

template <Op op>
void global_pool(Call& call) {
  const Dims shape = call.shape(0);
  if (shape.rank < 3) call.fail("the input must have spatial dimensions, got " + to_string(shape), ErrorCode::shape_mismatch);
  if (shape.rank <= 2 + max_spatial) return call.give(call.emit(AdaptivePool{op, Sizes{{1}, 1}}, call.input(0)));
  Reduce layer{.function = op == Op::max ? "max" : op == Op::avg ? "mean" : "lp_norm", .dims = {}, .keepdim = true};
  for (int dim = 2; dim < shape.rank; ++dim) layer.dims.push_back(dim);
  call.give(call.emit(layer, call.input(0)));
}

void max_unpool(Call& call) {
  const Dims shape = call.shape(0);
  const int axes = spatial_axes_of(call, shape);
  Unpool layer{.windows = windows_of(call, axes)};
  if (call.has(2)) {
    const auto output = call.ints(2);
    if (!output) return call.unknown();
    if (static_cast<int>(output->size()) != shape.rank)
      call.fail("output_shape must have " + std::to_string(shape.rank) + " values, got " + std::to_string(output->size()));
    layer.output_size = Sizes::from(std::span(*output).subspan(2));
  }
  call.give(call.emit(layer, call.input(0)));
}

constexpr Operator operators[] = {
    {"MaxPool", pool<Op::max>},
    {"AveragePool", pool<Op::avg>},
    {"LpPool", pool<Op::lp>},
    {"GlobalMaxPool", global_pool<Op::max>},
    {"GlobalAveragePool", global_pool<Op::avg>},
    {"GlobalLpPool", global_pool<Op::lp>},
    {"MaxUnpool", max_unpool},
    {"QLinearGlobalAveragePool", global_pool<Op::avg>},
};

}  // namespace

int spatial_axes_of(const Call& call, const Dims& shape) {
  if (shape.rank < 3 || shape.rank > 2 + max_spatial)
    call.fail("the input must have 3 to 5 dimensions (N, C, and 1 to 3 spatial), got " + to_string(shape), ErrorCode::shape_mismatch);
  return shape.rank - 2;
}

Pads padding_of(const Call& call, int axes) {
  const std::string_view mode = call.text("auto_pad", "NOTSET");
  Pads pads{.count = axes};
  if (mode == "SAME_UPPER") {
    pads.mode = PaddingMode::same_upper;
  } else if (mode == "SAME_LOWER") {
    pads.mode = PaddingMode::same_lower;
  } else if (mode == "VALID") {
    pads.mode = PaddingMode::valid;
  } else if (mode != "NOTSET" && !mode.empty()) {
    call.fail("attribute 'auto_pad' must be NOTSET, SAME_UPPER, SAME_LOWER or VALID, got '" + shown(mode) + "'");
  }
  const auto list = call.integers("pads");
  if (!list || pads.mode != PaddingMode::explicit_sides) return pads;
  if (static_cast<int>(list->size()) != 2 * axes)
    call.fail("attribute 'pads' must have " + std::to_string(2 * axes) + " values, got " + std::to_string(list->size()));
  for (size_t i = 0; i < static_cast<size_t>(axes); ++i) pads.sides[i] = Sides((*list)[i], (*list)[i + static_cast<size_t>(axes)]);
  return pads;
}

std::span<const Operator> pooling_operators() { return operators; }

}  // namespace tidepool::inline v0_1::analyze::onnx
