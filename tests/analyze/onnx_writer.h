// Writes ONNX files for tests: protobuf by hand, so that wrong files can be written too.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/onnx.h"

namespace tidepool::analyze::inline onnx_writer {

// Fields of protobuf messages.
namespace wire {
std::string varint(uint64_t value);
std::string number(uint32_t field, int64_t value);
std::string real(uint32_t field, float value);
std::string bytes(uint32_t field, std::string_view value);  // strings and messages
}  // namespace wire

// The body of a TensorProto.
std::string tensor(const std::vector<int64_t>& dims, int64_t type, std::string_view name = {});  // without data
std::string int_tensor(const std::vector<int64_t>& dims, const std::vector<int64_t>& values, std::string_view name = {});
std::string real_tensor(const std::vector<int64_t>& dims, const std::vector<float>& values, std::string_view name = {});

// The body of an AttributeProto.
std::string attribute(std::string_view name, int64_t value);
std::string attribute(std::string_view name, int value);
std::string attribute(std::string_view name, std::string_view value);
std::string attribute(std::string_view name, const char* value);
std::string attribute(std::string_view name, const std::vector<int64_t>& values);
std::string real_attribute(std::string_view name, const std::vector<float>& values);
std::string tensor_attribute(std::string_view name, const std::string& tensor);

class OnnxWriter {
 public:
  using Size = std::variant<int64_t, std::string>;  // a number, or the name of a symbolic size; -1 has neither
  static constexpr int64_t f32 = 1, i8 = 3, i64 = 7;

  explicit OnnxWriter(int64_t opset = 17) : opset_(opset) {}

  OnnxWriter& input(std::string_view name, const std::vector<Size>& shape, int64_t type = f32);
  OnnxWriter& input_without_shape(std::string_view name);
  OnnxWriter& sequence_input(std::string_view name);
  OnnxWriter& weights(std::string_view name, const std::vector<int64_t>& dims, int64_t type = f32);  // of which the file has no data
  OnnxWriter& ints(std::string_view name, const std::vector<int64_t>& values);                       // a list
  OnnxWriter& scalar(std::string_view name, int64_t value);
  OnnxWriter& reals(std::string_view name, const std::vector<float>& values);
  OnnxWriter& initializer(const std::string& tensor);
  OnnxWriter& node(std::string_view op, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                   const std::vector<std::string>& attributes = {}, std::string_view name = {}, std::string_view domain = {});
  OnnxWriter& output(std::string_view name);
  OnnxWriter& raw(uint32_t field, std::string_view bytes);  // of the graph

  std::string file() const;
  Network read(const OnnxOptions& options = {}) const { return read_onnx(file(), options); }

 private:
  int64_t opset_;
  std::string graph_;
};

// A file with the input x of this shape, the nodes that `build` adds to it, and the output y.
template <class Build>
Network read_built(const std::vector<int64_t>& shape, const Build& build, int64_t opset = 17) {
  OnnxWriter writer(opset);
  writer.input("x", {shape.begin(), shape.end()});
  build(writer);
  return writer.output("y").read();
}

// The operator of an Unknown layer; empty if it is another.
std::string unknown_function(const Node& node);
// The only output.
const Node& output_of(const Network& network);
// What read_onnx says about a file that it refuses; empty if it reads it.
std::string refusal(const std::string& file, const OnnxOptions& options = {});
// Compares shapes, fields, parameters and multiply-adds of the output with those of a network in the text form. Empty if they are equal.
std::string difference(const Network& network, std::string_view text);

}  // namespace tidepool::analyze::inline onnx_writer
