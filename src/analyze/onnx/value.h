// What a name in an ONNX graph stands for while it is read: a node of the network, or a constant.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "analyze/onnx/model.h"
#include "tidepool/dims.h"

namespace tidepool::inline v0_1::analyze::onnx {

using Ints = std::vector<int64_t>;
using Reals = std::vector<double>;
using Numbers = std::variant<Ints, Reals>;  // of integers and booleans, or of floats

// TensorProto::DataType, as far as it matters.
enum ElementType : int64_t {
  type_f32 = 1,
  type_u8 = 2,
  type_i8 = 3,
  type_i32 = 6,
  type_i64 = 7,
  type_bool = 9,
  type_f16 = 10,
  type_f64 = 11,
  type_bf16 = 16
};
bool is_float(int64_t type) noexcept;

struct Value {
  int node = -1;          // of the network; -1 for a constant
  std::string name = {};  // the first that it was given, to know it again

  // Of constants only.
  Dims shape = {};
  int64_t type = 0;
  // The elements in order, if there are few; shapes and axes are made of them. Null if they are not known.
  std::shared_ptr<const Numbers> numbers = {};
  std::string weights = {};  // the name of the initializer that it was computed from, or its own
  int64_t parameters = 0;    // those of them that are trained when nothing says so but their use

  bool is_constant() const noexcept { return node < 0; }
};

// Constants with more elements are not computed, and their elements not read.
inline constexpr int64_t most_numbers = 4096;

// The number of elements, of a shape that checked_numel accepts.
int64_t count_of(const Dims& shape) noexcept;

// The shape of a tensor of the file. Throws Error if it cannot be a shape, or if the data are too few or too many for it.
Dims shape_of(const TensorProto& tensor, std::string_view file);
// Its elements; null if there are more than most_numbers, or if they are in another file or of a type that shapes are not made of.
std::shared_ptr<const Numbers> numbers_of(const TensorProto& tensor, const Dims& shape, std::string_view file);

}  // namespace tidepool::inline v0_1::analyze::onnx
