#include "onnx/vector.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace tidepool::onnx_test {
namespace {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

template <class Message>
Message parse_message(const std::string& bytes, const std::string& where) {
  Message message;
  if (!message.ParseFromString(bytes)) throw std::runtime_error(where + ": not the expected protobuf message");
  return message;
}

DType dtype_of_onnx(int type) {
  using onnx::TensorProto;
  switch (type) {
    case TensorProto::FLOAT:
      return DType::f32;
    case TensorProto::DOUBLE:
      return DType::f64;
    case TensorProto::FLOAT16:
      return DType::f16;
    case TensorProto::BFLOAT16:
      return DType::bf16;
    case TensorProto::INT8:
      return DType::i8;
    case TensorProto::UINT8:
      return DType::u8;
    case TensorProto::INT16:
      return DType::i16;
    case TensorProto::INT32:
      return DType::i32;
    case TensorProto::INT64:
      return DType::i64;
    case TensorProto::BOOL:
      return DType::boolean;
    default:
      throw std::runtime_error("element type " + std::to_string(type) + " has no dtype here");
  }
}

Tensor to_tensor(const onnx::TensorProto& proto) {
  Dims shape;
  for (int64_t size : proto.dims()) shape.push_back(size);
  Tensor tensor(shape, dtype_of_onnx(proto.data_type()));
  const auto copy_in = [&](const void* data, size_t bytes) {
    if (bytes != static_cast<size_t>(tensor.numel() * dtype_size(tensor.dtype())))
      throw std::runtime_error("tensor of shape " + to_string(shape) + " holds " + std::to_string(bytes) + " bytes");
    std::memcpy(tensor.span().data, data, bytes);
  };
  // The typed lists hold narrow types widened; only those that are stored as they are occur besides raw_data.
  if (proto.has_raw_data())
    copy_in(proto.raw_data().data(), proto.raw_data().size());
  else if (tensor.dtype() == DType::f32)
    copy_in(proto.float_data().data(), sizeof(float) * static_cast<size_t>(proto.float_data_size()));
  else if (tensor.dtype() == DType::i64)
    copy_in(proto.int64_data().data(), sizeof(int64_t) * static_cast<size_t>(proto.int64_data_size()));
  else
    throw std::runtime_error("only f32 and i64 are read from typed lists");
  return tensor;
}

Tensor read_tensor(const fs::path& path) { return to_tensor(parse_message<onnx::TensorProto>(read_file(path), path.string())); }

fs::path data_set(const fs::path& folder, int number) { return folder / ("test_data_set_" + std::to_string(number)); }

}  // namespace

bool is_pooling(const std::string& op_type) {
  static const std::string ops[] = {"MaxPool", "AveragePool", "LpPool", "GlobalMaxPool", "GlobalAveragePool", "GlobalLpPool", "MaxUnpool"};
  return std::find(std::begin(ops), std::end(ops), op_type) != std::end(ops);
}

Vector read_graph(const fs::path& folder) {
  const fs::path path = folder / "model.onnx";
  const auto model = parse_message<onnx::ModelProto>(read_file(path), path.string());
  Vector vector;
  vector.name = folder.parent_path().filename() / folder.filename();
  vector.nodes.assign(model.graph().node().begin(), model.graph().node().end());
  for (const auto& input : model.graph().input()) vector.input_names.push_back(input.name());
  for (const auto& output : model.graph().output()) vector.output_names.push_back(output.name());
  return vector;
}

int count_data_sets(const fs::path& folder) {
  int count = 0;
  while (fs::exists(data_set(folder, count))) ++count;
  return count;
}

void read_data_set(const fs::path& folder, int number, Vector& vector) {
  const auto read_all = [&](const std::string& kind, size_t count) {
    std::vector<Tensor> tensors;
    for (size_t i = 0; i < count; ++i) tensors.push_back(read_tensor(data_set(folder, number) / (kind + std::to_string(i) + ".pb")));
    return tensors;
  };
  vector.inputs = read_all("input_", vector.input_names.size());
  vector.outputs = read_all("output_", vector.output_names.size());
}

std::vector<Vector> read_cases(const fs::path& file) {
  const std::string bytes = read_file(file);
  size_t at = 0;
  const auto take = [&](size_t count) {
    if (count > bytes.size() - at) throw std::runtime_error(file.string() + " ends early");
    at += count;
    return bytes.substr(at - count, count);
  };
  const auto take_number = [&] {
    uint32_t number = 0;
    std::memcpy(&number, take(sizeof number).data(), sizeof number);
    return number;
  };
  std::vector<Vector> cases;
  while (at < bytes.size()) {
    const uint32_t parts = take_number();
    Vector& v = cases.emplace_back();
    v.name = take(take_number());
    v.nodes = {parse_message<onnx::NodeProto>(take(take_number()), v.name)};
    v.input_names.assign(v.nodes[0].input().begin(), v.nodes[0].input().end());
    v.output_names.assign(v.nodes[0].output().begin(), v.nodes[0].output().end());
    for (uint32_t i = 2; i < parts; ++i) {
      std::vector<Tensor>& side = v.inputs.size() < v.input_names.size() ? v.inputs : v.outputs;
      side.push_back(to_tensor(parse_message<onnx::TensorProto>(take(take_number()), v.name)));
    }
  }
  return cases;
}

}  // namespace tidepool::onnx_test
