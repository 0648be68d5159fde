// Concat, and the moves between channels and places: SpaceToDepth and DepthToSpace.
#include "analyze/onnx/operators.h"

namespace tidepool::inline v0_1::analyze::onnx {

namespace {

void concat(Call& call) {
  const std::vector<Value> values = call.values();
  if (values.empty()) call.fail("inputs are missing");
  if (call.opset() >= 4 && !call.has_attribute("axis")) call.fail("attribute 'axis' is missing");
  const int axis = call.axis(call.integer("axis", 1), call.shape(0).rank);
  // Arrays without cells add nothing.
  std::vector<Value> cells;
  for (const Value& value : values)
    if (!value.is_constant() || count_of(value.shape) > 0) cells.push_back(value);
  if (cells.size() == 1) return call.give(identity(call, cells[0], "concat"));
  call.give(call.emit(Concat{axis}, cells.empty() ? values : cells));
}

constexpr int64_t largest_block = 4;  // it becomes block * block slices

int64_t block_of(const Call& call, const Dims& shape) {
  if (shape.rank != 4) call.fail("the input must have 4 dimensions, got " + to_string(shape), ErrorCode::shape_mismatch);
  const int64_t block = call.integer("blocksize", 0);
  if (block < 1) call.fail("attribute 'blocksize' must be at least 1, got " + std::to_string(block));
  return block;
}

// Every place of a block becomes channels of its own: strided slices, one behind the other.
void space_to_depth(Call& call) {
  const Dims shape = call.shape(0);
  const int64_t block = block_of(call, shape);
  if (shape[2] % block != 0 || shape[3] % block != 0)
    call.fail("blocksize must divide height and width, got " + std::to_string(block) + " for " + to_string(shape),
              ErrorCode::shape_mismatch);
  if (block == 1) return call.give(identity(call, call.input(0), "space_to_depth"));
  if (block > largest_block) return call.unknown();
  std::vector<Value> parts;
  for (int64_t row = 0; row < block; ++row) {
    const Value rows = call.slice(call.input(0), 2, row, shape[2], block);
    for (int64_t column = 0; column < block; ++column) parts.push_back(call.slice(rows, 3, column, shape[3], block));
  }
  call.give(call.emit(Concat{1}, parts));
}

void depth_to_space(Call& call) {
  const Dims shape = call.shape(0);
  const int64_t block = block_of(call, shape);
  if (block > shape[1] || shape[1] % (block * block) != 0)
    call.fail("the square of blocksize must divide the channels, got " + std::to_string(block) + " for " + to_string(shape),
              ErrorCode::shape_mismatch);
  const int64_t channels = shape[1] / (block * block);
  const bool columns_first = call.text("mode", "DCR") == "CRD";
  const Dims split = columns_first ? Dims{shape[0], channels, block, block, shape[2], shape[3]}
                                   : Dims{shape[0], block, block, channels, shape[2], shape[3]};
  const Value blocks = call.reshape(call.input(0), split);
  const Value moved = call.emit(Transpose{columns_first ? std::vector{0, 1, 4, 2, 5, 3} : std::vector{0, 3, 4, 1, 5, 2}}, blocks);
  call.give(call.reshape(moved, Dims{shape[0], channels, shape[2] * block, shape[3] * block}));
}

constexpr Operator operators[] = {{"Concat", concat}, {"SpaceToDepth", space_to_depth}, {"DepthToSpace", depth_to_space}};

}  // namespace

std::span<const Operator> arrangement_operators() { return operators; }

}  // namespace tidepool::inline v0_1::analyze::onnx
