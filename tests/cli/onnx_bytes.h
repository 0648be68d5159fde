// The bytes of a small ONNX model, written by hand.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tidepool::cli {

inline std::string onnx_varint(uint64_t number) {
  std::string bytes;
  for (; number >= 0x80; number >>= 7) bytes += static_cast<char>(number | 0x80);
  return bytes + static_cast<char>(number);
}
inline std::string onnx_number(int field, uint64_t number) { return onnx_varint(static_cast<uint64_t>(field) << 3) + onnx_varint(number); }
inline std::string onnx_bytes(int field, const std::string& bytes) {
  return onnx_varint(static_cast<uint64_t>(field) << 3 | 2) + onnx_varint(bytes.size()) + bytes;
}

inline std::string onnx_ints(const std::string& name, const std::vector<int64_t>& values) {
  std::string attribute = onnx_bytes(1, name);
  for (const int64_t value : values) attribute += onnx_number(8, static_cast<uint64_t>(value));
  return onnx_bytes(5, attribute + onnx_number(20, 7));
}

// A 2x2 max pooling of an input 1x3xHx8, whose height has a name.
inline std::string onnx_max_pool(const std::string& height) {
  const auto size = [](uint64_t number) { return onnx_bytes(1, onnx_number(1, number)); };
  const std::string shape = size(1) + size(3) + onnx_bytes(1, onnx_bytes(2, height)) + size(8);
  const std::string type = onnx_bytes(2, onnx_bytes(1, onnx_number(1, 1) + onnx_bytes(2, shape)));
  const std::string node = onnx_bytes(1, "x") + onnx_bytes(2, "y") + onnx_bytes(3, "pool") + onnx_bytes(4, "MaxPool") +
                           onnx_ints("kernel_shape", {2, 2}) + onnx_ints("strides", {2, 2});
  const std::string graph =
      onnx_bytes(1, node) + onnx_bytes(2, "graph") + onnx_bytes(11, onnx_bytes(1, "x") + type) + onnx_bytes(12, onnx_bytes(1, "y"));
  return onnx_number(1, 8) + onnx_bytes(7, graph) + onnx_bytes(8, onnx_number(2, 13));
}

}  // namespace tidepool::cli
