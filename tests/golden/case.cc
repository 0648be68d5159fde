#include "golden/case.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "support/cells.h"

namespace tidepool::golden {
namespace {

constexpr std::string_view magic = "tidepool golden 1\n";

// Little-endian numbers from a string; refuses to read past its end.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

  std::string_view take(size_t count) {
    if (count > bytes_.size()) throw std::runtime_error("golden file: cut short");
    const std::string_view head = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return head;
  }
  template <class T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string text() { return std::string(take(number<uint8_t>())); }
  Dims dims(int count) {
    Dims d;
    for (int i = 0; i < count; ++i) d.push_back(number<uint8_t>());
    return d;
  }
  Tensor tensor(const Dims& shape, DType dtype) {
    Tensor t(shape, dtype);
    const auto cells = take(static_cast<size_t>(t.numel() * dtype_size(dtype)));
    if (!cells.empty()) std::memcpy(t.span().data, cells.data(), cells.size());
    return t;
  }
  // One byte each when the plane is small enough; all bits set stands for -1.
  Tensor indices(const Dims& shape, int64_t plane) {
    Tensor t(shape, DType::i64);
    for (int64_t i = 0; i < t.numel(); ++i) {
      const int64_t stored = plane < 255 ? number<uint8_t>() : number<uint16_t>();
      t.data<int64_t>()[i] = stored == (plane < 255 ? 0xff : 0xffff) ? -1 : stored;
    }
    return t;
  }
  bool empty() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

template <class Enum>
Enum checked(uint8_t value, Enum last) {
  if (value > static_cast<uint8_t>(last)) throw std::runtime_error("golden file: damaged");
  return static_cast<Enum>(value);
}

int64_t product(const Dims& sizes) {
  int64_t n = 1;
  for (int64_t s : sizes.span()) n *= s;
  return n;
}

Case parse_case(Bytes& bytes, const std::string& family) {
  Case c;
  c.family = family;
  c.rank = bytes.number<uint8_t>();
  if (c.rank < 1 || c.rank > 3) throw std::runtime_error("golden file: damaged");
  c.dtype = checked(bytes.number<uint8_t>(), DType::i64);
  c.arrangement = checked(bytes.number<uint8_t>(), Arrangement::transposed);
  c.contents = checked(bytes.number<uint8_t>(), Contents::unit);
  const auto options = bytes.number<uint8_t>();
  c.batched = (options & 1) != 0;
  c.ceil_mode = (options & 2) != 0;
  c.count_include_pad = (options & 4) != 0;
  c.size_given = (options & 8) != 0;
  c.passes = bytes.number<uint8_t>();
  c.marks = bytes.number<uint8_t>();
  c.hard = bytes.number<uint32_t>();
  c.divisor = bytes.number<int8_t>();
  c.norm = bytes.number<float>();
  const Dims whole = bytes.dims(c.rank + 2);
  c.shape = c.batched ? whole : Dims(whole.span().subspan(1));
  for (Dims* sizes : {&c.output, &c.kernel, &c.stride, &c.padding, &c.dilation}) *sizes = bytes.dims(c.rank);

  c.values = bytes.tensor(c.output_shape(), c.dtype);
  // Unpooling takes indices, of the plane it makes; the others give them, of the plane they read.
  const bool unpool = family == "max_unpool";
  if (c.has(has_indices)) c.indices = bytes.indices(unpool ? c.shape : c.output_shape(), product(unpool ? c.output : c.spatial()));
  if (c.has(has_backward)) c.grad_input = bytes.tensor(c.shape, c.dtype);
  if (c.has(has_double_backward)) c.double_backward = bytes.tensor(c.output_shape(), c.dtype);
  if (c.has(has_double_backward_input)) c.double_backward_input = bytes.tensor(c.shape, c.dtype);
  return c;
}

}  // namespace

Dims Case::spatial() const { return shape.span().last(static_cast<size_t>(rank)); }

Dims Case::shape_with(const Dims& spatial_sizes) const {
  Dims d = shape.span().first(static_cast<size_t>(shape.rank - rank));
  for (int64_t s : spatial_sizes.span()) d.push_back(s);
  return d;
}

std::string to_string(const Case& c) {
  static constexpr const char* arrangements[] = {"contiguous", "channels_last", "sliced", "transposed"};
  static constexpr const char* contents[] = {"eighths", "full", "ties", "specials", "minus_inf", "zeros", "positive", "sparse", "unit"};
  std::ostringstream text;
  text << c.op() << ' ' << dtype_name(c.dtype) << ' ' << arrangements[static_cast<int>(c.arrangement)] << ' ' << to_string(c.shape)
       << (c.batched ? "" : " unbatched") << " kernel " << to_string(c.kernel) << " stride " << to_string(c.stride) << " padding "
       << to_string(c.padding) << " dilation " << to_string(c.dilation) << " output " << to_string(c.output);
  if (c.ceil_mode) text << " ceil_mode";
  if (!c.count_include_pad) text << " without padding";
  if (c.divisor != 0) text << " divisor " << c.divisor;
  if (c.norm != 0) text << " p " << c.norm;
  text << " of " << contents[static_cast<int>(c.contents)] << " (" << c.family << ".bin, case " << c.number << ")";
  return text.str();
}

std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error("golden file: cannot open " + path.filename().string());
  return {std::istreambuf_iterator<char>(in), {}};
}

File parse_file(const std::string& content) {
  Bytes bytes(content);
  if (bytes.take(magic.size()) != magic) throw std::runtime_error("golden file: not one");
  File file;
  file.torch_version = bytes.text();
  file.family = bytes.text();
  const auto count = bytes.number<uint32_t>();
  const auto first_seed = bytes.number<uint32_t>();
  for (uint32_t i = 0; i < count; ++i) {
    file.cases.push_back(parse_case(bytes, file.family));
    file.cases.back().number = i;
    file.cases.back().seed = uint64_t{first_seed} + i;
  }
  if (!bytes.empty()) throw std::runtime_error("golden file: bytes after the last case");
  return file;
}

File read_file(const std::filesystem::path& path) { return parse_file(read_bytes(path)); }

}  // namespace tidepool::golden
