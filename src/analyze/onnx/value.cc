// Shapes and small contents of tensors.
#include "analyze/onnx/value.h"

#include <algorithm>
#include <bit>

#include "analyze/onnx/wire.h"
#include "core/checked.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze::onnx {

namespace {

[[noreturn]] void bad(const TensorProto& tensor, const std::string& rule) {
  detail::throw_error({ErrorCode::parse, "read_onnx: tensor '" + shown(tensor.name) + "': " + rule});
}

// Bytes of an element; 0 for types whose size is not checked.
int64_t size_of(int64_t type) {
  switch (type) {
    case 2:
    case 3:
    case 9:  // u8, i8, bool
      return 1;
    case 4:
    case 5:
    case 10:
    case 16:  // u16, i16, f16, bf16
      return 2;
    case 1:
    case 6:
    case 12:  // f32, i32, u32
      return 4;
    case 7:
    case 11:
    case 13:  // i64, f64, u64
      return 8;
    default:
      return 0;
  }
}

uint64_t little_endian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = bytes.size(); i-- > 0;) value = value << 8 | static_cast<uint8_t>(bytes[i]);
  return value;
}

Numbers decode(std::string_view raw, int64_t type) {
  const auto size = static_cast<size_t>(size_of(type));
  Ints ints;
  Reals reals;
  for (size_t at = 0; at < raw.size(); at += size) {
    const uint64_t bits = little_endian(raw.substr(at, size));
    switch (type) {
      case type_f32:
        reals.push_back(static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(bits))));
        break;
      case type_f64:
        reals.push_back(std::bit_cast<double>(bits));
        break;
      case type_i8:
        ints.push_back(static_cast<int8_t>(bits));
        break;
      case 5:
        ints.push_back(static_cast<int16_t>(bits));
        break;
      case type_i32:
        ints.push_back(static_cast<int32_t>(bits));
        break;
      default:
        ints.push_back(static_cast<int64_t>(bits));
        break;
    }
  }
  if (type == type_f32 || type == type_f64) return reals;
  return ints;
}

}  // namespace

bool is_float(int64_t type) noexcept {
  return type == type_f32 || type == type_f16 || type == type_f64 || type == type_bf16 || (type >= 17 && type <= 20);  // the last: 8 bits
}

int64_t count_of(const Dims& shape) noexcept {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;  // the other sizes may have any product
  int64_t count = 1;
  for (const int64_t size : shape) count *= size;
  return count;
}

Dims shape_of(const TensorProto& tensor, std::string_view file) {
  if (tensor.dims.size() > max_rank)
    bad(tensor, "at most " + std::to_string(max_rank) + " dimensions are supported, got " + std::to_string(tensor.dims.size()));
  const Dims shape(tensor.dims);
  for (const int64_t size : shape)
    if (size < 0) bad(tensor, "sizes must not be negative, got " + to_string(shape));
  const Result<int64_t> count = checked_numel(shape);
  if (!count) bad(tensor, "the number of elements does not fit 64 bits, got " + to_string(shape));
  if (tensor.is_external) return shape;
  WireReader in(tensor.message, file);
  for (WireField field; in.next(field);) {
    if (field.number != 9) continue;
    const auto got = static_cast<int64_t>(in.bytes(field).size());
    int64_t bytes = 0;
    if (const int64_t size = size_of(tensor.type); size > 0 && (!detail::checked_mul(*count, size, &bytes) || bytes != got))
      bad(tensor, "the data must have " + std::to_string(*count) + " elements of " + std::to_string(size) + " bytes for the shape " +
                      to_string(shape) + ", got " + std::to_string(got) + " bytes");
  }
  return shape;
}

std::shared_ptr<const Numbers> numbers_of(const TensorProto& tensor, const Dims& shape, std::string_view file) {
  const int64_t count = count_of(shape);
  const bool reals = tensor.type == type_f32 || tensor.type == type_f64;
  if (count > most_numbers || tensor.is_external || size_of(tensor.type) == 0 || (is_float(tensor.type) && !reals)) return nullptr;
  Numbers numbers = reals ? Numbers(Reals()) : Numbers(Ints());
  std::vector<float> floats;
  bool has_data = false;
  WireReader in(tensor.message, file);
  for (WireField field; in.next(field);) {
    const bool typed = field.number == 4 || field.number == 5 || field.number == 7 || field.number == 10 || field.number == 11;
    has_data = has_data || typed || field.number == 9;
    if (field.number == 9) numbers = decode(in.bytes(field), tensor.type);
    if (!typed) continue;
    const auto wants = [&](bool right) {
      if (!right) bad(tensor, "its data are not of its type");
    };
    wants((field.number == 4) == (tensor.type == type_f32) && (field.number == 10) == (tensor.type == type_f64));
    if (field.number == 4)
      in.append(field, floats);
    else if (field.number == 10)
      in.append(field, std::get<Reals>(numbers));
    else
      in.append(field, std::get<Ints>(numbers));
  }
  if (!floats.empty()) std::get<Reals>(numbers).assign(floats.begin(), floats.end());
  if (!has_data && count > 0) return nullptr;  // a file without weights
  const size_t got = std::visit([](const auto& list) { return list.size(); }, numbers);
  if (static_cast<int64_t>(got) != count)
    bad(tensor, "the shape " + to_string(shape) + " has " + std::to_string(count) + " elements, got " + std::to_string(got));
  return std::make_shared<const Numbers>(std::move(numbers));
}

}  // namespace tidepool::inline v0_1::analyze::onnx
