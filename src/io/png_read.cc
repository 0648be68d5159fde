// libpng reports errors by longjmp, which runs no destructors. Functions that call setjmp or can be jumped over must not hold objects that
// need one.
#include <png.h>

#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <new>
#include <string_view>
#include <vector>

#include "io/inflate.h"
#include "io/png_memory.h"
#include "tidepool/io/io_error.h"
#include "tidepool/io/png.h"

namespace tidepool::inline v0_1::io {

namespace {

struct Reading {
  std::string_view rest;  // the bytes that libpng has not read yet
  png_structp png = nullptr;
  png_infop info = nullptr;
  int64_t file_size = 0;
  int64_t width = 0, height = 0, channels = 0, depth = 0, row_bytes = 0;
  int srgb = -1;
  png_fixed_point gamma = -1;
  char message[128] = "";
  bool no_memory = false;

  Reading() = default;
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
  ~Reading() { png_destroy_read_struct(&png, &info, nullptr); }
};

[[noreturn]] void keep_message(png_structp png, png_const_charp text) {
  auto* reading = static_cast<Reading*>(png_get_error_ptr(png));
  std::snprintf(reading->message, sizeof reading->message, "%s", text);
  png_longjmp(png, 1);
}
void ignore_warning(png_structp, png_const_charp) {}

void read_bytes(png_structp png, png_bytep to, size_t bytes) {
  std::string_view& rest = static_cast<Reading*>(png_get_io_ptr(png))->rest;
  if (bytes > rest.size()) png_error(png, "the file ends too early");
  std::memcpy(to, rest.data(), bytes);
  rest.remove_prefix(bytes);
}

// Refuses a small file whose header claims a huge picture, before memory is allocated for it.
bool fits_file(png_structp png, png_infop info, int64_t file_size) {
  const double stored = static_cast<double>(png_get_rowbytes(png, info)) * static_cast<double>(png_get_image_height(png, info));
  return stored <= static_cast<double>(max_inflate_ratio) * static_cast<double>(file_size);
}

bool read_header(Reading& r) {
  if (setjmp(png_jmpbuf(r.png)) != 0) return false;  // NOLINT: libpng's interface
  png_set_read_fn(r.png, &r, read_bytes);
  png_set_sig_bytes(r.png, 8);
  png_read_info(r.png, r.info);
  if (!fits_file(r.png, r.info, r.file_size)) png_error(r.png, "the header promises more pixels than the file can hold");
  int intent = 0;
  if (png_get_sRGB(r.png, r.info, &intent) != 0) r.srgb = intent;
  png_fixed_point gamma = 0;
  if (png_get_gAMA_fixed(r.png, r.info, &gamma) != 0) r.gamma = gamma;
  png_set_expand(r.png);
  png_set_interlace_handling(r.png);
  png_read_update_info(r.png, r.info);
  r.width = png_get_image_width(r.png, r.info);
  r.height = png_get_image_height(r.png, r.info);
  r.channels = png_get_channels(r.png, r.info);
  r.depth = png_get_bit_depth(r.png, r.info);
  r.row_bytes = static_cast<int64_t>(png_get_rowbytes(r.png, r.info));
  return true;
}

bool read_rows(Reading& r, png_bytepp rows) {
  if (setjmp(png_jmpbuf(r.png)) != 0) return false;  // NOLINT: libpng's interface
  png_read_image(r.png, rows);
  png_read_end(r.png, nullptr);
  return true;
}

[[noreturn]] void refuse(const std::string& path, const Reading& r) {
  if (r.no_memory) throw std::bad_alloc();
  throw Error(ErrorCode::parse, path + ": bad PNG: " + (r.message[0] != '\0' ? r.message : "unreadable"));
}

void unpack16(const png_byte* bytes, int32_t* samples, int64_t count) {
  for (int64_t i = 0; i < count; ++i) samples[i] = bytes[2 * i] << 8 | bytes[2 * i + 1];
}

}  // namespace

PngImage read_png(const InputFile& file) {
  const std::string& path = file.path();
  const std::string bytes = file.text(file.size(), 0);
  if (bytes.size() < 8 || png_sig_cmp(reinterpret_cast<png_const_bytep>(bytes.data()), 0, 8) != 0)
    throw Error(ErrorCode::parse, path + ": not a PNG file");
  Reading r;
  r.file_size = file.size();
  r.rest = std::string_view(bytes).substr(8);
  r.png =
      png_create_read_struct_2(PNG_LIBPNG_VER_STRING, &r, keep_message, ignore_warning, &r.no_memory, allocate_for_png, release_for_png);
  r.info = r.png != nullptr ? png_create_info_struct(r.png) : nullptr;
  if (r.info == nullptr) throw std::bad_alloc();
  if (!read_header(r)) refuse(path, r);

  const bool wide = r.depth == 16;
  Tensor memory({r.height, r.width, r.channels}, wide ? DType::i32 : DType::u8);
  std::vector<png_byte> bytes16(wide ? static_cast<size_t>(r.row_bytes * r.height) : 0);
  png_byte* first = wide ? bytes16.data() : memory.data<png_byte>();
  std::vector<png_bytep> rows(static_cast<size_t>(r.height));
  for (int64_t y = 0; y < r.height; ++y) rows[static_cast<size_t>(y)] = first + y * r.row_bytes;
  if (!read_rows(r, rows.data())) refuse(path, r);
  if (wide) unpack16(bytes16.data(), memory.data<int32_t>(), memory.numel());

  PngImage image{.pixels = memory.transpose(1, 2).transpose(0, 1), .srgb = {}, .file_gamma = {}};
  if (r.srgb >= 0) image.srgb = r.srgb;
  if (r.gamma > 0) image.file_gamma = r.gamma;
  return image;
}

PngImage read_png(const std::string& path) { return read_png(InputFile(path)); }

}  // namespace tidepool::inline v0_1::io
