// The parts of an ONNX file that decide shapes and layers. Names and data are views of the file's bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tidepool::inline v0_1::analyze::onnx {

// TensorProto. Its data stay where they are until numbers.h reads them.
struct TensorProto {
  std::string_view name = {};
  std::vector<int64_t> dims = {};
  int64_t type = 0;
  bool is_external = false;       // the data are in another file
  std::string_view message = {};  // all of it, for the data
};

struct Attribute {
  // As AttributeProto::AttributeType. Types that no operator here reads are only counted.
  enum class Type : uint8_t {
    undefined = 0,
    real = 1,
    integer = 2,
    string = 3,
    tensor = 4,
    graph = 5,
    reals = 6,
    integers = 7,
    strings = 8
  };
  std::string_view name;
  int64_t type = 0;
  int64_t integer = 0;
  float real = 0;
  std::string_view string;
  std::vector<int64_t> integers;
  std::vector<float> reals;
  TensorProto tensor;
};

struct NodeProto {
  std::string_view name, op, domain;
  std::vector<std::string_view> inputs, outputs;  // an empty name is an input that is left out
  std::vector<Attribute> attributes;

  // Null if there is none.
  const Attribute* find(std::string_view attribute) const noexcept;
};

struct Dimension {
  int64_t size = -1;      // negative: not known
  std::string_view name;  // of a symbolic size; may be empty
};

// ValueInfoProto
struct ValueInfo {
  std::string_view name;
  int64_t type = 0;        // of the elements
  bool is_tensor = false;  // or a sequence, a map, an optional value
  bool has_shape = false;
  std::vector<Dimension> shape;
};

struct Model {
  std::string_view file;
  int64_t opset = 1;  // of the operators of ONNX itself
  std::vector<NodeProto> nodes = {};
  std::vector<TensorProto> initializers = {};
  std::vector<ValueInfo> inputs = {}, outputs = {};
};

// Throws Error(parse).
Model parse_model(std::string_view file);

// A name as it can be shown: control characters and bytes that are not UTF-8 become '?', and it ends after 200 bytes.
std::string shown(std::string_view name);

}  // namespace tidepool::inline v0_1::analyze::onnx
