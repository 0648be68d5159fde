// Matrix products: with constant weights a linear layer, of two values a product.
#include "analyze/onnx/operators.h"

namespace tidepool::inline v0_1::analyze::onnx {

namespace {

// Swaps the last two dimensions.
Value transposed(Call& call, const Value& value) {
  const int rank = call.graph().shape_of(value).rank;
  Transpose layer;
  for (int dim = 0; dim < rank; ++dim) layer.order.push_back(dim);
  std::swap(layer.order[static_cast<size_t>(rank - 1)], layer.order[static_cast<size_t>(rank - 2)]);
  return call.emit(layer, value);
}

void matmul(Call& call) { call.give(matrix_product(call, call.input(0), call.input(1))); }

void gemm(Call& call) {
  const Dims a = call.shape(0), b = call.shape(1);
  if (a.rank != 2 || b.rank != 2)
    call.fail("both matrices must have 2 dimensions, got " + to_string(a) + " and " + to_string(b), ErrorCode::shape_mismatch);
  Value left = call.integer("transA", 0) != 0 ? transposed(call, call.input(0)) : call.input(0);
  Value right = call.integer("transB", 0) != 0 ? transposed(call, call.input(1)) : call.input(1);
  const Dims rows = call.graph().shape_of(left), columns = call.graph().shape_of(right);
  if (rows[1] != columns[0])
    call.fail("the inner sizes of a matrix product must be equal, got " + to_string(rows) + " and " + to_string(columns),
              ErrorCode::shape_mismatch);
  const Value* bias = call.has(2) ? &call.input(2) : nullptr;
  const bool linear_bias = bias != nullptr && bias->is_constant() && count_of(bias->shape) == columns[1];
  if (right.is_constant() && !left.is_constant()) {
    const std::string key = linear_bias ? right.weights + "+" + bias->weights : right.weights;
    Value product = call.emit(Linear{.out_features = columns[1], .bias = linear_bias}, {left}, key);
    if (bias != nullptr && !linear_bias) product = call.emit(Merge{Merge::Kind::add, "add"}, {product, *bias});
    return call.give(product);
  }
  Value product = call.emit(MatMul{}, {left, right});
  if (bias != nullptr) product = call.emit(Merge{Merge::Kind::add, "add"}, {product, *bias});
  call.give(product);
}

constexpr Operator operators[] = {{"MatMul", matmul}, {"Gemm", gemm}, {"MatMulInteger", matmul}};

}  // namespace

// As numpy: a vector on the left is a row and one on the right a column, and their dimension is not in the result.
Value matrix_product(Call& call, const Value& a, const Value& b) {
  Dims left = call.graph().shape_of(a), right = call.graph().shape_of(b);
  if (left.rank < 1 || right.rank < 1)
    call.fail("the inputs must have at least 1 dimension, got " + to_string(left) + " and " + to_string(right), ErrorCode::shape_mismatch);
  if (!a.is_constant() && b.is_constant() && right.rank == 2) {
    if (left[-1] != right[0])
      call.fail("the inner sizes of a matrix product must be equal, got " + to_string(left) + " and " + to_string(right),
                ErrorCode::shape_mismatch);
    return call.emit(Linear{.out_features = right[1], .bias = false}, {a}, b.weights);
  }
  const Value rows = left.rank == 1 ? call.reshape(a, inserted(left, 0, 1)) : a;
  const Value columns = right.rank == 1 ? call.reshape(b, inserted(right, 1, 1)) : b;
  Value product = call.emit(MatMul{}, {rows, columns});
  Dims shape = call.graph().shape_of(product);
  if (right.rank == 1) shape = erased(shape, shape.rank - 1);
  if (left.rank == 1) shape = erased(shape, shape.rank - (right.rank == 1 ? 1 : 2));
  return call.reshape(product, shape);
}

std::span<const Operator> product_operators() { return operators; }

}  // namespace tidepool::inline v0_1::analyze::onnx
