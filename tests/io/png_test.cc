#include "tidepool/io/png.h"

#include "io/expect_parse_error.h"
#include "support/compare.h"
#include "support/in_folder.h"
#include "support/tensors.h"
#include "tidepool/creation.h"

namespace tidepool::io {
namespace {

using test::same_bits;
using test::slurp;
using test::spill;

class Png : public test::InFolder {
 protected:
  void write(const std::string& name, const PngImage& image) {
    AtomicFile file(path(name));
    write_png(file, image);
    file.commit();
  }

  static PngImage picture(int64_t channels, DType dtype, int64_t height = 5, int64_t width = 7) {
    Tensor pixels = rand({channels, height, width}, 3, dtype);
    if (dtype == DType::i32)
      for (int64_t i = 0; i < pixels.numel(); ++i) pixels.data<int32_t>()[i] &= 0xffff;
    return {.pixels = pixels, .srgb = {}, .file_gamma = {}};
  }
};

TEST_F(Png, RoundTripsEveryKind) {
  for (DType dtype : {DType::u8, DType::i32})
    for (int64_t channels = 1; channels <= 4; ++channels) {
      const PngImage image = picture(channels, dtype);
      write("x.png", image);
      const std::string bytes = slurp(path("x.png"));
      EXPECT_EQ(bytes[24], dtype == DType::u8 ? 8 : 16);
      EXPECT_EQ(bytes[25], std::string("\x00\x04\x02\x06", 4)[static_cast<size_t>(channels - 1)]);
      const PngImage back = read_png(path("x.png"));
      EXPECT_TRUE(same_bits(image.pixels, back.pixels)) << channels << " " << dtype_name(dtype);
      EXPECT_EQ(back.pixels.strides()[0], 1);
      EXPECT_EQ(back.pixels.strides()[2], channels);
    }
}

TEST_F(Png, KeepsSrgbAndGamma) {
  PngImage image = picture(3, DType::u8);
  image.srgb = 1;
  write("x.png", image);
  EXPECT_EQ(read_png(path("x.png")).srgb, 1);
  image.srgb = {};
  image.file_gamma = 45455;
  write("x.png", image);
  EXPECT_EQ(read_png(path("x.png")).file_gamma, 45455);
}

std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
  return bytes;
}

TEST_F(Png, PalettesBecomeColoursAndAlpha) {
  // 2x2 pixels of two bits, with four colours: the first is transparent, the second half transparent.
  spill(path("palette.png"), from_hex("89504e470d0a1a0a0000000d49484452000000020000000202030000000fd8e5b70000000c504c54450a141e28323c46505a"
                                      "646e78c64877df0000000274524e5300809b2b4e180000000c4944415478da631060d8000000e400c119553bfb0000000049"
                                      "454e44ae426082"));
  const Tensor expected = Tensor::from<uint8_t>({4, 2, 2}, {10, 40, 70, 100, 20, 50, 80, 110, 30, 60, 90, 120, 0, 128, 255, 255});
  EXPECT_TRUE(same_bits(expected, read_png(path("palette.png")).pixels));
}

TEST_F(Png, SingleBitsAndInterlacingAreDecoded) {
  // 3x3 pixels of one bit, interlaced by Adam7.
  spill(path("bits.png"), from_hex("89504e470d0a1a0a0000000d49484452000000030000000301000000010954b884000000104944415478da63686000410620"
                                   "7600000f4c0241ebe945470000000049454e44ae426082"));
  const Tensor expected = Tensor::from<uint8_t>({1, 3, 3}, {255, 0, 255, 0, 255, 0, 255, 255, 0});
  EXPECT_TRUE(same_bits(expected, read_png(path("bits.png")).pixels));
}

TEST_F(Png, RefusesTensorsThatAreNoPicture) {
  AtomicFile file(path("x.png"));
  const auto message = [&](Tensor pixels) {
    return test::message_of([&] { write_png(file, {.pixels = std::move(pixels), .srgb = {}, .file_gamma = {}}); });
  };
  EXPECT_EQ(message(zeros({3, 4, 4}, DType::f32)), "PNG: a picture must be u8, or i32 from 0 to 65535, got f32 3x4x4");
  EXPECT_EQ(message(zeros({5, 4, 4}, DType::u8)), "PNG: a picture must have 1 to 4 channels, got u8 5x4x4");
  EXPECT_EQ(message(zeros({4}, DType::u8)), "PNG: a picture must have the shape C,H,W, got u8 4");
  EXPECT_EQ(message(zeros({4, 4}, DType::u8)), "PNG: a picture must have the shape C,H,W, got u8 4x4");
  EXPECT_EQ(message(zeros({3, 4, 4, 1}, DType::u8)), "PNG: a picture must have the shape C,H,W, got u8 3x4x4x1");
  EXPECT_EQ(message(zeros({1, 0, 4}, DType::u8)), "PNG: the sides of a picture must be from 1 to 1000000, got u8 1x0x4");
  EXPECT_EQ(message(zeros({1, 4, 0}, DType::u8)), "PNG: the sides of a picture must be from 1 to 1000000, got u8 1x4x0");
  EXPECT_EQ(message(full({1, 2, 2}, 65536, DType::i32)), "PNG: a sample must be from 0 to 65535, got 65536");
  EXPECT_EQ(message(full({1, 2, 2}, -1, DType::i32)), "PNG: a sample must be from 0 to 65535, got -1");
}

TEST_F(Png, RefusesBrokenFiles) {
  write("in.png", picture(4, DType::u8));
  const std::string whole = slurp(path("in.png"));
  for (size_t size = 0; size + 12 < whole.size(); ++size) {
    spill(path("cut.png"), whole.substr(0, size));
    EXPECT_THROW(read_png(path("cut.png")), Error) << size;
  }
  for (size_t at = 16; at < whole.size() - 12; ++at) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
    spill(path("flipped.png"), flipped);
    // A change in a field that is not checked may be read. Anything else must be an Error.
    try {
      EXPECT_EQ(read_png(path("flipped.png")).pixels.rank(), 3);
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::parse);
    }
  }
}

TEST_F(Png, RefusesSizesThatTheFileIsTooShortFor) {
  // A valid header of 900000 x 900000 RGBA pixels of 16 bits, without the pixels.
  spill(path("bomb.png"), std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\x0d\xbb\xa0\0\x0d\xbb\xa0\x10\x06\0\0\0\x80\x2d\x4d\xcc"
                                      "\0\0\0\x01IDAT\0\x28\x38\x7d\xe8",
                                      33 + 13));
  EXPECT_TRUE(refused("promises more pixels than the file can hold", [&] { read_png(path("bomb.png")); }));
}

}  // namespace
}  // namespace tidepool::io
