// libpng reports errors by longjmp, which runs no destructors. Functions that call setjmp or can be jumped over must not hold objects that
// need one.
#include <png.h>

#include <array>
#include <csetjmp>
#include <exception>
#include <limits>
#include <new>
#include <vector>

#include "io/png_memory.h"
#include "tidepool/io/png.h"

namespace tidepool::inline v0_1::io {

namespace {

struct Writing {
  Sink* sink = nullptr;
  png_structp png = nullptr;
  png_infop info = nullptr;
  png_uint_32 width = 0, height = 0;
  int channels = 0, depth = 8;
  int srgb = -1;
  int gamma = -1;
  bool no_memory = false;
  std::exception_ptr failure;  // thrown while libpng was on the call stack; C code cannot pass an exception on

  Writing() = default;
  Writing(const Writing&) = delete;
  Writing& operator=(const Writing&) = delete;
  ~Writing() { png_destroy_write_struct(&png, &info); }
};

bool write_noexcept(Writing& w, png_bytep data, size_t bytes) noexcept {
  try {
    w.sink->write(data, bytes);
    return true;
  } catch (...) {
    w.failure = std::current_exception();
    return false;
  }
}

void write_bytes(png_structp png, png_bytep data, size_t bytes) {
  if (!write_noexcept(*static_cast<Writing*>(png_get_io_ptr(png)), data, bytes)) png_error(png, "write failed");
}
void flush_nothing(png_structp) {}
[[noreturn]] void stop(png_structp png, png_const_charp) { png_longjmp(png, 1); }
void ignore_warning(png_structp, png_const_charp) {}

bool encode(Writing& w, png_bytepp rows) {
  static constexpr std::array colour_types = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
  if (setjmp(png_jmpbuf(w.png)) != 0) return false;  // NOLINT: libpng's interface
  png_set_write_fn(w.png, &w, write_bytes, flush_nothing);
  png_set_IHDR(w.png, w.info, w.width, w.height, w.depth, colour_types[static_cast<size_t>(w.channels - 1)], PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (w.srgb >= 0) png_set_sRGB(w.png, w.info, w.srgb);
  if (w.gamma > 0) png_set_gAMA_fixed(w.png, w.info, w.gamma);
  png_write_info(w.png, w.info);
  png_write_image(w.png, rows);
  png_write_end(w.png, nullptr);
  return true;
}

void check_picture(TensorView pixels) {
  const auto refuse = [&](const std::string& rule) {
    throw Error(ErrorCode::unsupported, "PNG: " + rule + ", got " + std::string(dtype_name(pixels.dtype)) + " " + to_string(pixels.shape));
  };
  if (pixels.dtype != DType::u8 && pixels.dtype != DType::i32) refuse("a picture must be u8, or i32 from 0 to 65535");
  if (pixels.rank() != 3) refuse("a picture must have the shape C,H,W");
  if (pixels.size(0) < 1 || pixels.size(0) > 4) refuse("a picture must have 1 to 4 channels");
  for (int axis : {1, 2})
    if (pixels.size(axis) < 1 || pixels.size(axis) > 1'000'000) refuse("the sides of a picture must be from 1 to 1000000");
}

std::vector<png_byte> pack(const Tensor& hwc) {
  const auto count = static_cast<size_t>(hwc.numel());
  if (hwc.dtype() == DType::u8) return {hwc.data<uint8_t>(), hwc.data<uint8_t>() + count};
  std::vector<png_byte> bytes(2 * count);
  const int32_t* samples = hwc.data<int32_t>();
  for (size_t i = 0; i < count; ++i) {
    if (samples[i] < 0 || samples[i] > 65535)
      throw Error(ErrorCode::out_of_range, "PNG: a sample must be from 0 to 65535, got " + std::to_string(samples[i]));
    bytes[2 * i] = static_cast<png_byte>(samples[i] >> 8);
    bytes[2 * i + 1] = static_cast<png_byte>(samples[i] & 0xff);
  }
  return bytes;
}

}  // namespace

void write_png(Sink& sink, const PngImage& image) {
  const TensorView pixels = image.pixels.view();
  check_picture(pixels);
  const std::vector<png_byte> bytes = pack(image.pixels.transpose(0, 1).transpose(1, 2).clone());

  Writing w;
  w.sink = &sink;
  w.channels = static_cast<int>(pixels.size(0));
  w.height = static_cast<png_uint_32>(pixels.size(1));
  w.width = static_cast<png_uint_32>(pixels.size(2));
  w.depth = pixels.dtype == DType::u8 ? 8 : 16;
  w.srgb = image.srgb.value_or(-1);
  w.gamma = image.file_gamma.value_or(-1);
  std::vector<png_bytep> rows(w.height);
  const size_t row_bytes = bytes.size() / w.height;
  for (size_t y = 0; y < rows.size(); ++y) rows[y] = const_cast<png_bytep>(bytes.data() + y * row_bytes);

  w.png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, &w, stop, ignore_warning, &w.no_memory, allocate_for_png, release_for_png);
  w.info = w.png != nullptr ? png_create_info_struct(w.png) : nullptr;
  if (w.info == nullptr) throw std::bad_alloc();
  if (encode(w, rows.data())) return;
  if (w.failure) std::rethrow_exception(w.failure);
  if (w.no_memory) throw std::bad_alloc();
  throw Error(ErrorCode::unsupported, "PNG: the picture could not be encoded");
}

}  // namespace tidepool::inline v0_1::io
