// Protobuf's wire format: a message is a list of fields, each with a number and a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tidepool::inline v0_1::analyze::onnx {

struct WireField {
  enum class Type : uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };
  uint32_t number = 0;
  Type type = Type::varint;
  uint64_t bits = 0;         // varint, fixed32 and fixed64
  std::string_view bytes{};  // strings, messages and packed lists: a part of the file
};

// The fields of one message. Nothing is copied, and messages inside are not read before they are opened, so that nesting costs nothing.
class WireReader {
 public:
  explicit WireReader(std::string_view file) : WireReader(file, file) {}
  // A message that is a part of `file`.
  WireReader(std::string_view message, std::string_view file) : message_(message), file_(file) {}

  // Reads the next field; false at the end. Throws Error(parse), with the position in the file, for bytes that are not protobuf.
  bool next(WireField& field);

  // What the field that was read last must be. These throw Error(parse) too.
  int64_t integer(const WireField& field) const;
  float real(const WireField& field) const;
  std::string_view bytes(const WireField& field) const;
  WireReader message(const WireField& field) const { return {bytes(field), file_}; }
  // Appends one number, or those of a packed list.
  void append(const WireField& field, std::vector<int64_t>& to) const;
  void append(const WireField& field, std::vector<float>& to) const;
  void append(const WireField& field, std::vector<double>& to) const;

  std::string_view all() const noexcept { return message_; }
  [[noreturn]] void fail(const std::string& message) const;

 private:
  uint64_t varint();
  uint64_t fixed(size_t count);

  std::string_view message_, file_;
  size_t at_ = 0;
};

}  // namespace tidepool::inline v0_1::analyze::onnx
