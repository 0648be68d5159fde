// The operators that become layers, in families of one file each.
#pragma once

#include <span>
#include <string_view>

#include "analyze/onnx/call.h"

namespace tidepool::inline v0_1::analyze::onnx {

// Converts a node whose inputs all have known shapes. Gives its outputs, or calls unknown().
struct Operator {
  std::string_view op;
  void (*convert)(Call& call);
};

std::span<const Operator> convolution_operators();
std::span<const Operator> pooling_operators();
std::span<const Operator> resize_operators();
std::span<const Operator> product_operators();
std::span<const Operator> unary_operators();
std::span<const Operator> binary_operators();
std::span<const Operator> normalisation_operators();
std::span<const Operator> reduction_operators();
std::span<const Operator> shape_operators();
std::span<const Operator> slice_operators();
std::span<const Operator> arrangement_operators();
std::span<const Operator> quantised_operators();

// Null if the operator is not known.
const Operator* find_operator(std::string_view domain, std::string_view op);

// Adds the layers of a node and defines its outputs.
void add_node(Graph& graph, const NodeProto& node);

// Computes the outputs of a node from constants and known shapes alone. False if it must become a layer.
bool fold(Call& call);

// Inputs that are weights: a network input that is read only there is no input. `input` counts from 0.
bool is_weight(std::string_view op, size_t input);

// Helpers that several families use.
Value convolution(Call& call, const Value& x, const Value& weights, const Value* bias);
Value matrix_product(Call& call, const Value& a, const Value& b);
Pads padding_of(const Call& call, int axes);
Value identity(Call& call, const Value& input, std::string_view function);
// The number of axes behind batch and channels, or an error.
int spatial_axes_of(const Call& call, const Dims& shape);

}  // namespace tidepool::inline v0_1::analyze::onnx
