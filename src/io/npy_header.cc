// The header of an .npy file is a Python dict literal. This parser accepts exactly the three keys that NumPy writes.
#include <array>
#include <charconv>
#include <optional>

#include "io/elements.h"
#include "io/npy_dtypes.h"
#include "io/npy_format.h"
#include "io/printable.h"
#include "io/text_cursor.h"

namespace tidepool::inline v0_1::io {

namespace {

class HeaderText : public TextCursor {
 public:
  using TextCursor::TextCursor;

  // For a place where accept() has skipped white space and found no other token.
  std::string_view quoted(const char* what) {
    if (rest_.empty() || (rest_[0] != '\'' && rest_[0] != '"')) fail(std::string("expected a quoted ") + what);
    const size_t end = rest_.find(rest_[0], 1);
    if (end == std::string_view::npos) fail("a quote that never ends");
    const std::string_view text = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return text;
  }

  bool boolean() {
    if (accept("True")) return true;
    if (accept("False")) return false;
    fail("fortran_order must be True or False");
  }

  Dims shape() {
    Dims dims;
    expect("(");
    while (!accept(")")) {
      if (dims.rank == max_rank) fail("more than 8 dimensions");
      int64_t size = 0;
      const auto [end, code] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), size);
      if (code == std::errc::result_out_of_range) fail("a size that does not fit in 64 bits");
      if (code != std::errc()) fail("shape must be a tuple of whole numbers");
      if (size < 0) fail("negative size " + std::to_string(size) + " in shape");
      rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
      dims.push_back(size);
      if (!accept(",")) {
        expect(")");
        break;
      }
    }
    return dims;
  }
};

struct Descr {
  DType dtype;
  bool big_endian;
};

Descr read_descr(HeaderText& text) {
  if (text.accept("[")) text.fail("structured dtypes are not supported");
  const std::string_view descr = text.quoted("dtype");
  const bool has_order = !descr.empty() && std::string_view("<>|=").find(descr[0]) != std::string_view::npos;
  const auto dtype = npy_dtype(has_order ? descr.substr(1) : descr);
  if (!dtype) text.fail("dtype '" + printable(descr) + "' is not supported (known: " + npy_dtype_list() + ")");
  return {*dtype, descr[0] == '>'};
}

struct Preamble {
  size_t text_begin;
  size_t text_size;
};

Preamble read_preamble(std::string_view start, const std::string& name) {
  static constexpr std::string_view magic = "\x93NUMPY";
  if (!start.starts_with(magic) || start.size() < 10) throw Error(ErrorCode::parse, name + ": not a .npy file");
  const auto byte = [&](size_t i) { return static_cast<size_t>(static_cast<unsigned char>(start[i])); };
  const size_t major = byte(6);
  if (major < 1 || major > 3 || byte(7) != 0)
    throw Error(ErrorCode::parse, name + ": .npy version " + std::to_string(major) + "." + std::to_string(byte(7)) + " is not supported");
  if (major == 1) return {10, byte(8) | byte(9) << 8};
  if (start.size() < 12) throw Error(ErrorCode::parse, name + ": bad .npy header: the file ends inside it");
  return {12, byte(8) | byte(9) << 8 | byte(10) << 16 | byte(11) << 24};
}

}  // namespace

NpyHeader parse_npy_header(std::string_view start, int64_t file_size, const std::string& name) {
  const Preamble preamble = read_preamble(start, name);
  HeaderText text(start.substr(preamble.text_begin, preamble.text_size), name + ": bad .npy header");
  if (preamble.text_size > static_cast<size_t>(npy_header_limit)) text.fail("longer than 1 MiB");
  if (preamble.text_begin + preamble.text_size > start.size()) text.fail("the file ends inside it");

  std::optional<Descr> descr;
  std::optional<bool> fortran_order;
  std::optional<Dims> shape;
  text.expect("{");
  while (!text.accept("}")) {
    const std::string_view key = text.quoted("key");
    text.expect(":");
    if (key == "descr" && !descr) {
      descr = read_descr(text);
    } else if (key == "fortran_order" && !fortran_order) {
      fortran_order = text.boolean();
    } else if (key == "shape" && !shape) {
      shape = text.shape();
    } else {
      text.fail("key '" + printable(key) + "' is unknown or there twice");
    }
    if (!text.accept(",")) {
      text.expect("}");
      break;
    }
  }
  if (!text.at_end()) text.fail("text after the closing brace");
  if (!descr || !fortran_order || !shape) text.fail("descr, fortran_order and shape must all be there");

  const DType dtype = descr->dtype;
  NpyHeader header{.dtype = dtype,
                   .big_endian = descr->big_endian,
                   .fortran_order = *fortran_order,
                   .shape = *shape,
                   .data_offset = static_cast<int64_t>(preamble.text_begin + preamble.text_size),
                   .data_bytes = 0};
  const auto bytes = checked_bytes(*shape, dtype);
  if (!bytes) text.fail("shape " + to_string(*shape) + " overflows");
  header.data_bytes = *bytes;
  const int64_t present = file_size - header.data_offset;
  if (present != header.data_bytes)
    throw Error(ErrorCode::parse, name + ": shape " + to_string(*shape) + " of " + std::string(dtype_name(dtype)) + " needs " +
                                      std::to_string(header.data_bytes) + " bytes, the file has " + std::to_string(present));
  return header;
}

}  // namespace tidepool::inline v0_1::io
