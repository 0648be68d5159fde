// Operators that cut out or add cells: Slice, Split, Gather and Pad.
#include <algorithm>

#include "analyze/onnx/operators.h"
#include "core/checked.h"

namespace tidepool::inline v0_1::analyze::onnx {

namespace {

void slice(Call& call) {
  const Dims shape = call.shape(0);
  const bool has_inputs = call.opset() >= 10;
  std::optional<Ints> starts, ends, axes, steps;
  if (has_inputs) {
    starts = call.ints(1);
    ends = call.ints(2);
    if (!starts || !ends) return call.unknown();
    if (call.has(3)) axes = call.ints(3);
    if (call.has(4)) steps = call.ints(4);
    if ((call.has(3) && !axes) || (call.has(4) && !steps)) return call.unknown();
  } else {
    starts = call.integers("starts");
    ends = call.integers("ends");
    axes = call.integers("axes");
    if (!starts || !ends) call.fail("starts and ends are missing");
  }
  if (!axes) {
    axes = Ints();
    for (size_t i = 0; i < starts->size(); ++i) axes->push_back(static_cast<int64_t>(i));
  }
  if (ends->size() != starts->size() || axes->size() != starts->size() || (steps && steps->size() != starts->size()))
    call.fail("starts, ends, axes and steps must have the same number of values");
  const std::vector<int> dims = call.axes(*axes, shape.rank);
  Value value = call.input(0);
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t size = shape[dims[i]], step = steps ? (*steps)[i] : 1;
    if (step == 0) call.fail("steps must not be 0");
    if (step < 0 && size > 1) return call.unknown();  // reversed
    const auto counted = [&](int64_t at) { return std::clamp<int64_t>(at < 0 ? at + size : at, 0, size); };
    const int64_t begin = counted((*starts)[i]), end = counted((*ends)[i]);
    if (step < 0) {  // of one cell: it is kept or not, and an end of -1 - size is in front of it
      if ((*ends)[i] >= -size) call.fail("the slice is empty");
      continue;
    }
    value = call.slice(value, dims[i], begin, end, std::min(step, int64_t{1} << 30));
  }
  call.give(identity(call, value, "slice"));
}

void split(Call& call) {
  const Dims shape = call.shape(0);
  const int axis = call.axis(call.integer("axis", 0), shape.rank);
  bool depends_on_data = false;
  auto sizes = call.attribute_or_input("split", 1, &depends_on_data);
  if (depends_on_data) return call.unknown();
  const auto parts = static_cast<int64_t>(call.outputs());
  if (parts == 0) call.fail("outputs are missing");
  if (!sizes) {  // equal parts; from opset 18 on, the last may be smaller
    const int64_t part = detail::ceil_div(shape[axis], parts);
    sizes = Ints(static_cast<size_t>(parts), part);
    sizes->back() = shape[axis] - part * (parts - 1);
  }
  if (static_cast<int64_t>(sizes->size()) != parts)
    call.fail("split must have " + std::to_string(parts) + " values, got " + std::to_string(sizes->size()));
  int64_t begin = 0;
  for (size_t i = 0; i < sizes->size(); ++i) {
    const int64_t size = (*sizes)[i];
    if (size == 0) call.fail("parts must not be empty");
    if (size < 1 || size > shape[axis] - begin)
      call.fail("parts must have at least 1 cell and together " + std::to_string(shape[axis]) + ", got " + std::to_string(size) + " at " +
                std::to_string(begin));
    if (call.wants(i)) call.give(i, call.slice(call.input(0), axis, begin, begin + size));
    begin += size;
  }
  if (begin != shape[axis]) call.fail("parts must have together " + std::to_string(shape[axis]) + " cells, got " + std::to_string(begin));
}

// Indices with equal distances are a slice; others have no layer.
void gather(Call& call) {
  const Value& indices = call.input(1);
  const Dims shape = call.shape(0);
  const auto list = indices.is_constant() ? call.ints(1) : std::nullopt;
  if (call.input(0).is_constant() || !list || list->empty()) return call.unknown();
  const int axis = call.axis(call.integer("axis", 0), shape.rank);
  const int64_t size = shape[axis];
  Ints cells;
  for (const int64_t index : *list) {
    if (index < -size || index >= size)
      call.fail(
          "index " + std::to_string(index) + " is out of range for " + std::to_string(size) + " cells (axis " + std::to_string(axis) + ")",
          ErrorCode::out_of_range);
    cells.push_back(index < 0 ? index + size : index);
  }
  const int64_t step = cells.size() > 1 ? cells[1] - cells[0] : 1;
  for (size_t i = 1; i < cells.size(); ++i)
    if (step < 1 || cells[i] - cells[i - 1] != step) return call.unknown();
  const Value cut = call.slice(call.input(0), axis, cells.front(), cells.back() + 1, step);
  call.give(identity(call, indices.shape.rank == 0 ? call.reshape(cut, erased(call.graph().shape_of(cut), axis)) : cut, "gather"));
}

void pad(Call& call) {
  const Dims shape = call.shape(0);
  bool depends_on_data = false;
  auto sides = call.attribute_or_input(call.has_attribute("paddings") ? "paddings" : "pads", 1, &depends_on_data);
  if (depends_on_data) return call.unknown();
  if (!sides) call.fail("pads are missing");
  std::vector<int> axes;
  if (call.opset() >= 18 && call.has(3)) {
    const auto listed = call.ints(3);
    if (!listed) return call.unknown();
    axes = call.axes(*listed, shape.rank);
  } else {
    for (int dim = 0; dim < shape.rank; ++dim) axes.push_back(dim);
  }
  if (sides->size() != 2 * axes.size())
    call.fail("pads must have " + std::to_string(2 * axes.size()) + " values, got " + std::to_string(sides->size()));
  Pad layer{.sides = std::vector<Sides>(shape.size())};
  bool any = false;
  for (size_t i = 0; i < axes.size(); ++i) {
    layer.sides[static_cast<size_t>(axes[i])] = Sides((*sides)[i], (*sides)[i + axes.size()]);
    any = any || (*sides)[i] != 0 || (*sides)[i + axes.size()] != 0;
  }
  const std::string_view mode = call.text("mode", "constant");
  if (mode == "reflect")
    layer.mode = Pad::Mode::reflect;
  else if (mode == "edge")
    layer.mode = Pad::Mode::replicate;
  else if (mode == "wrap")
    layer.mode = Pad::Mode::circular;
  else if (mode != "constant")
    call.fail("attribute 'mode' must be constant, reflect, edge or wrap, got '" + shown(mode) + "'");
  call.give(any ? call.emit(layer, call.input(0)) : identity(call, call.input(0), "pad"));
}

constexpr Operator operators[] = {{"Slice", slice}, {"Split", split}, {"Gather", gather}, {"Pad", pad}};

}  // namespace

std::span<const Operator> slice_operators() { return operators; }

}  // namespace tidepool::inline v0_1::analyze::onnx
