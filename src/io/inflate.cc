#include "io/inflate.h"

#include <zlib.h>

#include <algorithm>
#include <climits>
#include <new>

#include "core/checked.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::io {

namespace {

class Inflater {
 public:
  // `window_bits` selects the container format, as in zlib: negative for raw deflate, 16 + MAX_WBITS for gzip.
  Inflater(int window_bits, std::string_view packed, const std::string& name) : name_(name), rest_(packed) {
    if (inflateInit2(&stream_, window_bits) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  [[noreturn]] void fail(const std::string& why) const { throw Error(ErrorCode::parse, name_ + ": bad compressed data: " + why); }

  // Decompresses up to `room` bytes and sets `made` to their number. Returns true at the end of the compressed stream.
  bool step(char* to, size_t room, size_t& made) {
    made = 0;
    while (made < room) {
      if (stream_.avail_in == 0) {
        const size_t piece = std::min<size_t>(rest_.size(), UINT_MAX / 2);
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest_.data()));  // zlib does not write through next_in
        stream_.avail_in = static_cast<uInt>(piece);
        rest_.remove_prefix(piece);
      }
      const auto out = static_cast<uInt>(std::min<size_t>(room - made, UINT_MAX / 2));
      stream_.next_out = reinterpret_cast<Bytef*>(to + made);
      stream_.avail_out = out;
      const int status = inflate(&stream_, Z_NO_FLUSH);
      made += out - stream_.avail_out;
      if (status == Z_STREAM_END) return true;
      if (status == Z_MEM_ERROR) throw std::bad_alloc();
      if (status != Z_OK && status != Z_BUF_ERROR) fail(stream_.msg != nullptr ? stream_.msg : "it is damaged");
      if (stream_.avail_in == 0 && rest_.empty() && stream_.avail_out > 0) fail("it ends too early");
    }
    return false;
  }
  // The bytes after the end of the compressed stream.
  std::string_view left() const { return {reinterpret_cast<const char*>(stream_.next_in), stream_.avail_in + rest_.size()}; }

 private:
  z_stream stream_{};
  const std::string& name_;
  std::string_view rest_;
};

}  // namespace

std::string inflate_raw(std::string_view packed, int64_t size, const std::string& name) {
  Inflater inflater(-MAX_WBITS, packed, name);
  if (size / max_inflate_ratio > static_cast<int64_t>(packed.size()))
    inflater.fail(std::to_string(packed.size()) + " bytes cannot give " + std::to_string(size));
  if (size > detail::max_bytes) inflater.fail(std::to_string(size) + " bytes are more than this platform can hold");
  std::string bytes(static_cast<size_t>(size), '\0');
  size_t made = 0, extra = 0;
  bool ended = inflater.step(bytes.data(), bytes.size(), made);
  char beyond = 0;
  if (!ended) ended = inflater.step(&beyond, 1, extra);
  if (!ended || extra > 0 || made != bytes.size())
    inflater.fail("expected " + std::to_string(size) + " bytes, got " + (made == bytes.size() ? "more" : std::to_string(made)));
  return bytes;
}

std::string gunzip(std::string bytes, int64_t limit, const std::string& name) {
  if (!bytes.starts_with("\x1f\x8b")) return bytes;
  std::string plain, piece(size_t{1} << 18, '\0');
  std::string_view packed = bytes;
  while (!packed.empty()) {
    Inflater inflater(16 + MAX_WBITS, packed, name);
    for (bool ended = false; !ended;) {
      size_t made = 0;
      ended = inflater.step(piece.data(), piece.size(), made);
      plain.append(piece.data(), made);
      if (static_cast<int64_t>(plain.size()) > limit) inflater.fail("it holds more than " + std::to_string(limit) + " bytes");
    }
    packed = inflater.left();
  }
  return plain;
}

uint32_t crc32_of(const void* data, int64_t bytes, uint32_t so_far) {
  return static_cast<uint32_t>(crc32_z(so_far, static_cast<const Bytef*>(data), static_cast<size_t>(bytes)));
}

}  // namespace tidepool::inline v0_1::io
