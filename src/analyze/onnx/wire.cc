// Bounds-checked decoding of protobuf.
#include "analyze/onnx/wire.h"

#include <bit>

#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze::onnx {

void WireReader::fail(const std::string& message) const {
  const auto offset = static_cast<size_t>(message_.data() - file_.data()) + at_;
  detail::throw_error({ErrorCode::parse, "read_onnx: not an ONNX file: " + message + " (at byte " + std::to_string(offset) + ")"});
}

uint64_t WireReader::varint() {
  uint64_t value = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    if (at_ == message_.size()) fail("the file or a message ends inside a number");
    const auto byte = static_cast<uint8_t>(message_[at_++]);
    if (shift == 63 && byte > 1) fail("a number has more than 64 bits");
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  fail("a number has more than 64 bits");
}

uint64_t WireReader::fixed(size_t count) {
  if (message_.size() - at_ < count) fail("the file or a message ends inside a number");
  uint64_t value = 0;
  for (size_t i = 0; i < count; ++i) value |= static_cast<uint64_t>(static_cast<uint8_t>(message_[at_ + i])) << (8 * i);
  at_ += count;
  return value;
}

bool WireReader::next(WireField& field) {
  if (at_ == message_.size()) return false;
  const uint64_t tag = varint();
  if (tag > UINT32_MAX || tag >> 3 == 0) fail("field number " + std::to_string(tag >> 3) + " does not exist");
  field = {.number = static_cast<uint32_t>(tag >> 3), .type = static_cast<WireField::Type>(tag & 7)};
  switch (field.type) {
    case WireField::Type::varint:
      field.bits = varint();
      return true;
    case WireField::Type::fixed64:
      field.bits = fixed(8);
      return true;
    case WireField::Type::fixed32:
      field.bits = fixed(4);
      return true;
    case WireField::Type::bytes: {
      const uint64_t size = varint();
      const size_t left = message_.size() - at_;
      if (size > left) fail("a length of " + std::to_string(size) + " is larger than the " + std::to_string(left) + " bytes that are left");
      field.bytes = message_.substr(at_, static_cast<size_t>(size));
      at_ += static_cast<size_t>(size);
      return true;
    }
  }
  fail((tag & 7) == 3 || (tag & 7) == 4 ? "ONNX has no groups" : "wire type " + std::to_string(tag & 7) + " does not exist");
}

int64_t WireReader::integer(const WireField& field) const {
  if (field.type != WireField::Type::varint) fail("field " + std::to_string(field.number) + " must be an integer");
  return static_cast<int64_t>(field.bits);
}

float WireReader::real(const WireField& field) const {
  if (field.type != WireField::Type::fixed32) fail("field " + std::to_string(field.number) + " must be a float");
  return std::bit_cast<float>(static_cast<uint32_t>(field.bits));
}

std::string_view WireReader::bytes(const WireField& field) const {
  if (field.type != WireField::Type::bytes) fail("field " + std::to_string(field.number) + " must be a string or a message");
  return field.bytes;
}

void WireReader::append(const WireField& field, std::vector<int64_t>& to) const {
  if (field.type != WireField::Type::bytes) return to.push_back(integer(field));
  WireReader list = message(field);
  while (list.at_ < list.message_.size()) to.push_back(static_cast<int64_t>(list.varint()));
}

void WireReader::append(const WireField& field, std::vector<float>& to) const {
  if (field.type != WireField::Type::bytes) return to.push_back(real(field));
  WireReader list = message(field);
  while (list.at_ < list.message_.size()) to.push_back(std::bit_cast<float>(static_cast<uint32_t>(list.fixed(4))));
}

void WireReader::append(const WireField& field, std::vector<double>& to) const {
  WireReader list = *this;
  if (field.type == WireField::Type::fixed64) return to.push_back(std::bit_cast<double>(field.bits));
  list = message(field);
  while (list.at_ < list.message_.size()) to.push_back(std::bit_cast<double>(list.fixed(8)));
}

}  // namespace tidepool::inline v0_1::analyze::onnx
