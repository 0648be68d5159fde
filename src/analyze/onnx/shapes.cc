// Reshape, Flatten, Squeeze, Unsqueeze, Transpose and Expand.
#include <algorithm>

#include "analyze/onnx/operators.h"
#include "core/checked.h"

namespace tidepool::inline v0_1::analyze::onnx {

namespace {

// Flattening of everything behind the batch has a layer of its own.
void give_reshaped(Call& call, const Dims& shape) {
  const Dims from = call.shape(0);
  if (from == shape) return call.give(identity(call, call.input(0), "identity"));
  if (call.input(0).is_constant()) return call.give(call.reshape(call.input(0), shape));
  if (from.rank > 2 && shape.rank == 2 && shape[0] == from[0]) return call.give(call.emit(Flatten{}, call.input(0)));
  call.give(call.emit(Reshape{shape}, call.input(0)));
}

void reshape(Call& call) {
  bool depends_on_data = false;
  const auto wanted = call.attribute_or_input("shape", 1, &depends_on_data);
  if (depends_on_data) return call.unknown();
  if (!wanted) call.fail("the shape is missing");
  if (wanted->size() > max_rank) call.fail("at most 8 dimensions are supported, got " + std::to_string(wanted->size()));
  const Dims from = call.shape(0);
  Dims shape;
  int inferred = -1;
  for (size_t i = 0; i < wanted->size(); ++i) {
    int64_t size = (*wanted)[i];
    if (size == 0 && call.integer("allowzero", 0) == 0) {
      if (static_cast<int>(i) >= from.rank)
        call.fail("size 0 at " + std::to_string(i) + " copies a dimension that " + to_string(from) + " lacks");
      size = from[static_cast<int>(i)];
    }
    if (size < -1) call.fail("sizes must be at least -1, got " + std::to_string(size));
    if (size == -1) {
      if (inferred >= 0) call.fail("at most one size may be -1");
      inferred = static_cast<int>(i);
    }
    shape.push_back(size);
  }
  if (inferred >= 0) {
    int64_t others = 1;
    for (int dim = 0; dim < shape.rank; ++dim)
      if (dim != inferred && !detail::checked_mul(others, shape[dim], &others))
        call.fail("the shape overflows 64 bits", ErrorCode::overflow);
    if (others == 0 || count_of(from) % others != 0)
      call.fail("the size -1 does not exist for the shape " + to_string(from) + " and " + to_string(shape), ErrorCode::shape_mismatch);
    shape[inferred] = count_of(from) / others;
  }
  give_reshaped(call, shape);
}

void flatten(Call& call) {
  const Dims from = call.shape(0);
  const int64_t said = call.integer("axis", 1);
  const int axis = said == from.rank ? from.rank : call.axis(said, std::max(from.rank, 1));
  Dims shape{1, 1};
  for (int dim = 0; dim < from.rank; ++dim) shape[dim < axis ? 0 : 1] *= from[dim];
  give_reshaped(call, shape);
}

void squeeze(Call& call) {
  const Dims from = call.shape(0);
  bool depends_on_data = false;
  const auto listed = call.attribute_or_input("axes", 1, &depends_on_data);
  if (depends_on_data) return call.unknown();
  std::vector<int> axes;
  if (listed)
    axes = call.axes(*listed, from.rank);
  else
    for (int dim = 0; dim < from.rank; ++dim)
      if (from[dim] == 1) axes.push_back(dim);
  Dims shape;
  for (int dim = 0; dim < from.rank; ++dim) {
    const bool removed = std::find(axes.begin(), axes.end(), dim) != axes.end();
    if (removed && from[dim] != 1)
      call.fail("only sizes of 1 can be removed, got " + std::to_string(from[dim]) + " (axis " + std::to_string(dim) + ")");
    if (!removed) shape.push_back(from[dim]);
  }
  give_reshaped(call, shape);
}

void unsqueeze(Call& call) {
  const Dims from = call.shape(0);
  bool depends_on_data = false;
  const auto listed = call.attribute_or_input("axes", 1, &depends_on_data);
  if (depends_on_data) return call.unknown();
  if (!listed) call.fail("axes are missing");
  if (from.size() + listed->size() > max_rank)
    call.fail("at most 8 dimensions are supported, got " + std::to_string(from.size() + listed->size()));
  std::vector<int> axes = call.axes(*listed, from.rank + static_cast<int>(listed->size()));
  std::sort(axes.begin(), axes.end());
  Dims shape = from;
  for (const int axis : axes) shape = inserted(shape, axis, 1);
  give_reshaped(call, shape);
}

void transpose(Call& call) {
  const int rank = call.shape(0).rank;
  Transpose layer;
  if (const auto order = call.integers("perm")) {
    layer.order = call.axes(*order, rank);
  } else {
    for (int dim = rank; dim-- > 0;) layer.order.push_back(dim);
  }
  if (static_cast<int>(layer.order.size()) != rank)
    call.fail("attribute 'perm' must have " + std::to_string(rank) + " values, got " + std::to_string(layer.order.size()));
  if (std::is_sorted(layer.order.begin(), layer.order.end())) return call.give(identity(call, call.input(0), "identity"));
  call.give(call.emit(layer, call.input(0)));
}

// The value together with a constant of the shape that it is enlarged to.
void give_expanded(Call& call, const Dims& shape) {
  call.give(call.emit(Merge{Merge::Kind::other, "expand"}, {call.input(0), Value{.shape = shape, .type = type_bool}}));
}

void expand(Call& call) {
  const auto shape = call.ints(1);
  if (!shape) return call.unknown();
  if (shape->size() > max_rank) call.fail("at most 8 dimensions are supported, got " + std::to_string(shape->size()));
  const Dims to(*shape);
  for (const int64_t size : to)
    if (size < 1) call.fail("sizes must be at least 1, got " + to_string(to));
  if (const Result<int64_t> count = checked_numel(to); !count) call.fail("the shape overflows 64 bits", ErrorCode::overflow);
  give_expanded(call, to);
}

// Repetition of a size of 1 is broadcasting; that of another, up to this often, a concatenation.
constexpr int64_t most_copies = 16;

void tile(Call& call) {
  const auto repeats = call.ints(1);
  const Dims from = call.shape(0);
  if (!repeats || call.inputs() > 2) return call.unknown();  // the first opset had an axis as input 2
  if (static_cast<int>(repeats->size()) != from.rank)
    call.fail("repeats must have " + std::to_string(from.rank) + " values, got " + std::to_string(repeats->size()));
  Value value = call.input(0);
  for (int dim = 0; dim < from.rank; ++dim) {
    const int64_t copies = (*repeats)[static_cast<size_t>(dim)];
    if (copies < 1) call.fail("repeats must be at least 1, got " + std::to_string(copies));
    if (copies > most_copies && from[dim] != 1) return call.unknown();
    if (copies > int64_t{1} << 30) call.fail("repeats must be at most 2^30, got " + std::to_string(copies));
  }
  for (int dim = 0; dim < from.rank; ++dim) {
    const int64_t copies = (*repeats)[static_cast<size_t>(dim)];
    if (copies == 1) continue;
    if (from[dim] == 1) {
      Dims shape = call.graph().shape_of(value);
      shape[dim] = copies;
      if (!checked_numel(shape)) call.fail("the output is too large, got " + to_string(shape), ErrorCode::overflow);
      value = call.emit(Merge{Merge::Kind::other, "expand"}, {value, Value{.shape = shape, .type = type_bool}});
    } else {
      value = call.emit(Concat{dim}, std::vector<Value>(static_cast<size_t>(copies), value));
    }
  }
  call.give(value);
}

constexpr Operator operators[] = {
    {"Reshape", reshape},     {"Flatten", flatten}, {"Squeeze", squeeze}, {"Unsqueeze", unsqueeze},
    {"Transpose", transpose}, {"Expand", expand},   {"Tile", tile},
};

}  // namespace

std::span<const Operator> shape_operators() { return operators; }

}  // namespace tidepool::inline v0_1::analyze::onnx
