// Pictures through `tidepool pool`.
#include <algorithm>

#include "run_tool.h"
#include "tidepool/creation.h"
#include "tidepool/io/png.h"

namespace tidepool::cli {
namespace {

class PoolPng : public InFolder {
 protected:
  void write(const std::string& name, const io::PngImage& image) {
    io::AtomicFile file(path(name));
    io::write_png(file, image);
    file.commit();
  }
};

TEST_F(PoolPng, EveryChannelIsPooled) {
  const io::PngImage image = {.pixels = rand({3, 8, 6}, 3, DType::u8), .srgb = {}, .file_gamma = {}};
  write("in.png", image);
  const Answer answer = tool("pool max -k 2 in.png -o out.png");
  EXPECT_EQ(answer.code, 0) << answer.err;
  const io::PngImage pooled = io::read_png(path("out.png"));
  EXPECT_EQ(to_string(pooled.pixels.shape()), "3x4x3");
  for (int64_t c = 0; c < 3; ++c)
    for (int64_t h = 0; h < 4; ++h)
      for (int64_t w = 0; w < 3; ++w) {
        double best = 0;
        for (int64_t i = 0; i < 4; ++i) best = std::max(best, image.pixels.item({c, 2 * h + i / 2, 2 * w + i % 2}));
        EXPECT_EQ(pooled.pixels.item({c, h, w}), best);
      }
}

TEST_F(PoolPng, SixteenBitsStaySixteen) {
  write("in.png", {.pixels = full({1, 4, 4}, 40'000, DType::i32), .srgb = {}, .file_gamma = {}});
  EXPECT_EQ(tool("pool min -k 4 in.png -o out.png").code, 0);
  EXPECT_EQ(io::read_png(path("out.png")).pixels.dtype(), DType::i32);
}

TEST_F(PoolPng, ABrokenPictureEndsWithExitCodeTwo) {
  // A valid header of 900000 x 900000 RGBA pixels of 16 bits, without the pixels.
  spill(path("bomb.png"), std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\x0d\xbb\xa0\0\x0d\xbb\xa0\x10\x06\0\0\0\x80\x2d\x4d\xcc"
                                      "\0\0\0\x01IDAT\0\x28\x38\x7d\xe8",
                                      33 + 13));
  expect_refused("pool max -k 2 bomb.png -o out.png", 2, "promises more pixels than the file can hold");
}

}  // namespace
}  // namespace tidepool::cli
