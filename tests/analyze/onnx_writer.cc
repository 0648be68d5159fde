// Protobuf messages of ONNX. Field numbers are those of onnx.proto.
#include "analyze/onnx_writer.h"

#include <bit>

#include "tidepool/analyze/report.h"
#include "tidepool/analyze/text.h"
#include "tidepool/error.h"

namespace tidepool::analyze::inline onnx_writer {

namespace wire {

std::string varint(uint64_t value) {
  std::string text;
  for (; value >= 0x80; value >>= 7) text += static_cast<char>(value | 0x80);
  return text + static_cast<char>(value);
}

std::string number(uint32_t field, int64_t value) { return varint(field << 3) + varint(static_cast<uint64_t>(value)); }

std::string real(uint32_t field, float value) {
  std::string text = varint(field << 3 | 5);
  for (int i = 0; i < 4; ++i) text += static_cast<char>(std::bit_cast<uint32_t>(value) >> (8 * i));
  return text;
}

std::string bytes(uint32_t field, std::string_view value) { return varint(field << 3 | 2) + varint(value.size()) + std::string(value); }

}  // namespace wire

using wire::bytes;
using wire::number;

std::string tensor(const std::vector<int64_t>& dims, int64_t type, std::string_view name) {
  std::string text;
  for (const int64_t size : dims) text += number(1, size);
  return text + number(2, type) + bytes(8, name);
}

std::string int_tensor(const std::vector<int64_t>& dims, const std::vector<int64_t>& values, std::string_view name) {
  std::string packed;
  for (const int64_t value : values) packed += wire::varint(static_cast<uint64_t>(value));
  return tensor(dims, OnnxWriter::i64, name) + bytes(7, packed);
}

std::string real_tensor(const std::vector<int64_t>& dims, const std::vector<float>& values, std::string_view name) {
  std::string raw;
  for (const float value : values) raw += wire::real(1, value).substr(1);
  return tensor(dims, OnnxWriter::f32, name) + bytes(9, raw);
}

std::string attribute(std::string_view name, int64_t value) { return bytes(1, name) + number(3, value) + number(20, 2); }
std::string attribute(std::string_view name, int value) { return attribute(name, int64_t{value}); }
std::string attribute(std::string_view name, std::string_view value) { return bytes(1, name) + bytes(4, value) + number(20, 3); }
std::string attribute(std::string_view name, const char* value) { return attribute(name, std::string_view(value)); }

std::string attribute(std::string_view name, const std::vector<int64_t>& values) {
  std::string text = bytes(1, name);
  for (const int64_t value : values) text += number(8, value);
  return text + number(20, 7);
}

std::string real_attribute(std::string_view name, const std::vector<float>& values) {
  std::string text = bytes(1, name);
  for (const float value : values) text += wire::real(7, value);
  return text + number(20, 6);
}

std::string tensor_attribute(std::string_view name, const std::string& tensor) { return bytes(1, name) + bytes(5, tensor) + number(20, 4); }

OnnxWriter& OnnxWriter::input(std::string_view name, const std::vector<Size>& shape, int64_t type) {
  std::string dims;
  for (const Size& size : shape) {
    const auto* known = std::get_if<int64_t>(&size);
    dims += bytes(1, known == nullptr ? bytes(2, std::get<std::string>(size)) : *known < 0 ? std::string() : number(1, *known));
  }
  return raw(11, bytes(1, name) + bytes(2, bytes(1, number(1, type) + bytes(2, dims))));
}

OnnxWriter& OnnxWriter::input_without_shape(std::string_view name) { return raw(11, bytes(1, name) + bytes(2, bytes(1, number(1, f32)))); }
OnnxWriter& OnnxWriter::sequence_input(std::string_view name) { return raw(11, bytes(1, name) + bytes(2, bytes(4, ""))); }
OnnxWriter& OnnxWriter::weights(std::string_view name, const std::vector<int64_t>& dims, int64_t type) {
  return initializer(tensor(dims, type, name));
}
OnnxWriter& OnnxWriter::ints(std::string_view name, const std::vector<int64_t>& values) {
  return initializer(int_tensor({static_cast<int64_t>(values.size())}, values, name));
}
OnnxWriter& OnnxWriter::scalar(std::string_view name, int64_t value) { return initializer(int_tensor({}, {value}, name)); }
OnnxWriter& OnnxWriter::reals(std::string_view name, const std::vector<float>& values) {
  return initializer(real_tensor({static_cast<int64_t>(values.size())}, values, name));
}
OnnxWriter& OnnxWriter::initializer(const std::string& tensor) { return raw(5, tensor); }

OnnxWriter& OnnxWriter::node(std::string_view op, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                             const std::vector<std::string>& attributes, std::string_view name, std::string_view domain) {
  std::string text;
  for (const std::string& input : inputs) text += bytes(1, input);
  for (const std::string& output : outputs) text += bytes(2, output);
  if (!name.empty()) text += bytes(3, name);
  text += bytes(4, op);
  for (const std::string& attribute : attributes) text += bytes(5, attribute);
  if (!domain.empty()) text += bytes(7, domain);
  return raw(1, text);
}

OnnxWriter& OnnxWriter::output(std::string_view name) { return raw(12, bytes(1, name)); }

OnnxWriter& OnnxWriter::raw(uint32_t field, std::string_view text) {
  graph_ += bytes(field, text);
  return *this;
}

std::string OnnxWriter::file() const { return number(1, 8) + bytes(8, bytes(1, "") + number(2, opset_)) + bytes(7, graph_); }

std::string unknown_function(const Node& node) {
  const auto* layer = std::get_if<Unknown>(&node.layer);
  return layer == nullptr ? std::string() : layer->function;
}

const Node& output_of(const Network& network) {
  const std::vector<int> outputs = network.outputs();
  if (outputs.size() != 1) throw Error(ErrorCode::invalid_argument, "the network has " + std::to_string(outputs.size()) + " outputs");
  return network.node(outputs[0]);
}

std::string refusal(const std::string& file, const OnnxOptions& options) {
  try {
    read_onnx(file, options);
    return {};
  } catch (const Error& error) {
    return error.message();
  }
}

namespace {

std::string described(const Network& network) {
  const Report report = analyze(network);
  const auto at = static_cast<size_t>(network.outputs().at(0));
  std::string text = to_string(network.nodes()[at].shape) + ", " + std::to_string(report.parameters) + " parameters, " +
                     std::to_string(report.multiply_adds) + " multiply-adds";
  for (const Field& field : report.layers[at].fields)
    text += ", " + std::to_string(field.size) + "/" + to_string(field.stride) + "/" + std::to_string(field.begin) + "/" +
            to_string(field.centre);
  return text;
}

}  // namespace

std::string difference(const Network& network, std::string_view text) {
  Dims shape = network.node(network.inputs().at(0)).shape;
  if (shape.rank == 3) shape = Dims{shape[1], shape[2]};  // with three sizes, the text form means C, H, W
  const std::string actual = described(network), expected = described(parse_network(shape, text));
  return actual == expected ? "" : actual + " instead of " + expected;
}

}  // namespace tidepool::analyze::inline onnx_writer
