// Upsample and Resize. What the analysis can only approximate, such as a scale that gives a fraction of a cell, becomes unknown.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "analyze/onnx/operators.h"

namespace tidepool::inline v0_1::analyze::onnx {

namespace {

using Coordinates = Resize::Coordinates;

// Output sizes for all dimensions, from sizes or scales for some of them; nothing if a coordinate would be o / scale with a scale that is
// not the ratio of the sizes.
std::optional<Dims> sizes_of(const Call& call, const Dims& shape, const std::vector<int>& axes, const Ints* sizes, const Reals* scales,
                             bool uses_scale) {
  Dims output = shape;
  const size_t given = sizes != nullptr ? sizes->size() : scales->size();
  if (given != axes.size()) call.fail("sizes or scales must have " + std::to_string(axes.size()) + " values, got " + std::to_string(given));
  for (size_t i = 0; i < axes.size(); ++i) {
    int64_t& size = output[axes[i]];
    if (sizes != nullptr) {
      size = (*sizes)[i];
      continue;
    }
    const double scale = (*scales)[i];
    if (!(scale > 0) || scale > 1e9) call.fail("scales must be above 0, got " + std::to_string(scale));
    const double exact = static_cast<double>(size) * scale;
    // Scales are floats: 9 * 0.3333333 is 3.
    const double rounded = std::round(exact);
    const bool is_whole = std::abs(exact - rounded) <= 1e-5 * exact;
    if (!is_whole && uses_scale) return {};
    const double result = is_whole ? rounded : std::floor(exact);
    if (!(result <= 1e18)) call.fail("scales give sizes that are too large");
    size = static_cast<int64_t>(result);
  }
  return output;
}

void give_resized(Call& call, Resize layer, const std::optional<Dims>& output) {
  const Dims shape = call.shape(0);
  if (!output) return call.unknown();
  if (*output == shape) return call.give(identity(call, call.input(0), "resize"));
  // Samples and channels are not resized by any layer.
  if (shape.rank < 3 || shape.rank > 2 + max_spatial || (*output)[0] != shape[0] || (*output)[1] != shape[1]) return call.unknown();
  layer.output_size = Sizes::from(output->span().subspan(2));
  call.give(call.emit(layer, call.input(0)));
}

std::vector<int> all_axes(const Dims& shape) {
  std::vector<int> axes(shape.size());
  std::iota(axes.begin(), axes.end(), 0);
  return axes;
}

Resize::Mode mode_of(const Call& call, std::string_view otherwise) {
  const std::string_view mode = call.text("mode", otherwise);
  if (mode == "nearest") return Resize::Mode::nearest;
  if (mode == "linear" || mode == "bilinear") return Resize::Mode::linear;
  if (mode == "cubic") return Resize::Mode::cubic;
  call.fail("attribute 'mode' must be nearest, linear or cubic, got '" + shown(mode) + "'");
}

void upsample(Call& call) {
  const Dims shape = call.shape(0);
  std::optional<Reals> scales = call.reals("scales");
  if (!scales && call.has(1)) {
    scales = call.reals(1);
    if (!scales) return call.unknown();
  }
  if (!scales) call.fail("scales are missing");
  const Resize layer{.mode = mode_of(call, "nearest"), .coordinates = Coordinates::asymmetric, .rounding = Resize::Rounding::floor};
  give_resized(call, layer, sizes_of(call, shape, all_axes(shape), nullptr, &*scales, true));
}

Resize::Rounding rounding_of(const Call& call) {
  const std::string_view mode = call.text("nearest_mode", "round_prefer_floor");
  if (mode == "round_prefer_floor") return Resize::Rounding::round_down;
  if (mode == "round_prefer_ceil") return Resize::Rounding::round_up;
  if (mode == "floor") return Resize::Rounding::floor;
  if (mode == "ceil") return Resize::Rounding::ceil;
  call.fail("attribute 'nearest_mode' must be round_prefer_floor, round_prefer_ceil, floor or ceil, got '" + shown(mode) + "'");
}

// Sets coordinates and rounding; false if they cannot be represented.
bool set_coordinates(const Call& call, const Dims& shape, const Dims& output, Resize& layer) {
  const std::string_view mode = call.text("coordinate_transformation_mode", "half_pixel");
  if (mode == "align_corners") layer.coordinates = Coordinates::align_corners;
  // half_pixel_symmetric differs from half_pixel only where a scale gives a fraction of a cell.
  if (mode == "half_pixel" || mode == "half_pixel_symmetric" || mode == "pytorch_half_pixel") layer.coordinates = Coordinates::half_pixel;
  if (mode == "asymmetric") layer.coordinates = Coordinates::asymmetric;
  if (mode == "pytorch_half_pixel") {
    // Half a pixel, but the coordinate 0 where the output has one cell.
    int resized = 0, to_one = 0;
    for (int dim = 0; dim < shape.rank; ++dim) {
      resized += output[dim] != shape[dim];
      to_one += output[dim] != shape[dim] && output[dim] == 1;
    }
    if (to_one > 0) layer.coordinates = Coordinates::asymmetric;
    return to_one == 0 || to_one == resized;
  }
  if (mode == "tf_half_pixel_for_nn") {
    // floor((o + 1/2) * scale): half_pixel's coordinate is smaller by 1/2, so it is rounded to the nearest.
    layer.coordinates = Coordinates::half_pixel;
    const bool floors = layer.mode == Resize::Mode::nearest && layer.rounding == Resize::Rounding::floor;
    layer.rounding = Resize::Rounding::round_up;
    return floors;
  }
  return mode == "align_corners" || mode == "half_pixel" || mode == "half_pixel_symmetric" || mode == "asymmetric";  // not crop_and_resize
}

void resize(Call& call) {
  const Dims shape = call.shape(0);
  const bool is_first = call.opset() < 11;  // inputs X and scales, no attribute but the mode
  const size_t scales_at = is_first ? 1 : 2;
  const auto listed = call.integers("axes");
  const std::vector<int> axes = listed ? call.axes(*listed, shape.rank) : all_axes(shape);
  std::optional<Ints> sizes;
  std::optional<Reals> scales;
  if (!is_first && call.has(3) && count_of(call.shape(3)) > 0) {
    sizes = call.ints(3);
    if (!sizes) return call.unknown();
  } else if (call.has(scales_at)) {
    scales = call.reals(scales_at);
    if (!scales) return call.unknown();
  } else {
    call.fail("neither scales nor sizes are given");
  }
  Resize layer{.mode = mode_of(call, "nearest"), .rounding = rounding_of(call)};
  if (is_first) layer.rounding = Resize::Rounding::floor;
  const bool corners = call.text("coordinate_transformation_mode", "half_pixel") == "align_corners";
  const auto output = sizes_of(call, shape, axes, sizes ? &*sizes : nullptr, scales ? &*scales : nullptr, !corners);
  if (!output) return call.unknown();
  bool shrinks = false;
  for (int dim = 0; dim < shape.rank; ++dim) shrinks = shrinks || (*output)[dim] < shape[dim];
  // Averages over more cells, and sizes that keep the ratio of the sides.
  if (shrinks && call.integer("antialias", 0) != 0 && layer.mode != Resize::Mode::nearest) return call.unknown();
  if (call.text("keep_aspect_ratio_policy", "stretch") != "stretch") return call.unknown();
  if (is_first)
    layer.coordinates = Coordinates::asymmetric;
  else if (!set_coordinates(call, shape, *output, layer))
    return call.unknown();
  give_resized(call, layer, output);
}

constexpr Operator operators[] = {{"Upsample", upsample}, {"Resize", resize}};

}  // namespace

std::span<const Operator> resize_operators() { return operators; }

}  // namespace tidepool::inline v0_1::analyze::onnx
