// `tidepool pool --compare`: before and after in one picture.
#include "run_tool.h"
#include "tidepool/creation.h"
#include "tidepool/io/npy.h"
#include "tidepool/io/png.h"

namespace tidepool::cli {
namespace {

class PoolCompare : public InFolder {
 protected:
  void write(const std::string& name, const Tensor& pixels) {
    io::AtomicFile file(path(name));
    io::write_png(file, {.pixels = pixels, .srgb = {}, .file_gamma = {}});
    file.commit();
  }
  Tensor picture(const std::string& name) { return io::read_png(path(name)).pixels; }

  // Every pixel of the result: the input, white columns, and each pooled pixel as a block.
  void expect_compared(const Tensor& in, const Tensor& out, const Tensor& both, int64_t gap, double white) {
    const int64_t height = std::max(in.size(1), out.size(1)), left = in.size(2) * height / in.size(1),
                  right = out.size(2) * height / out.size(1);
    ASSERT_EQ(both.shape(), (Dims{in.size(0), height, left + gap + right}));
    for (int64_t c = 0; c < in.size(0); ++c)
      for (int64_t y = 0; y < height; ++y)
        for (int64_t x = 0; x < both.size(2); ++x) {
          const int64_t behind = x - left - gap;
          const double expected = x < left     ? in.item({c, y * in.size(1) / height, x * in.size(2) / left})
                                  : behind < 0 ? white
                                               : out.item({c, y * out.size(1) / height, behind * out.size(2) / right});
          ASSERT_EQ(both.item({c, y, x}), expected) << c << " " << y << " " << x;
        }
  }
};

TEST_F(PoolCompare, PutsTheEnlargedOutputBesideTheInput) {
  for (const int64_t channels : {1, 2, 3, 4}) {
    const Tensor in = rand({channels, 12, 18}, 3, DType::u8);
    write("in.png", in);
    const Answer answer = tool("pool max -k 3 in.png -o out.png --compare both.png");
    ASSERT_EQ(answer.code, 0) << answer.err;
    EXPECT_NE(answer.out.find("compare: both.png " + std::to_string(channels) + "x12x38\n"), std::string::npos) << answer.out;
    expect_compared(in, picture("out.png"), picture("both.png"), 2, 255);
    EXPECT_EQ(picture("out.png").shape(), (Dims{channels, 4, 6}));
  }
}

TEST_F(PoolCompare, KeepsProportionsOfEveryOutput) {
  const Tensor in = rand({3, 70, 90}, 3, DType::u8);
  write("in.png", in);
  // Heights that do not divide, an output of one pixel, and one larger than the input.
  for (const char* op : {"avg -k 7,9", "global_avg", "avg -k 3 -s 2 -p 1", "max -k 1 -s 7,1", "adaptive_avg --output-size 140,180"}) {
    ASSERT_EQ(tool("pool " + std::string(op) + " in.png -o out.png --compare both.png").code, 0) << op;
    const Tensor out = picture("out.png"), both = picture("both.png");
    const int64_t height = std::max<int64_t>(70, out.size(1));
    EXPECT_EQ(both.size(1), height) << op;
    if (out.size(2) * height % out.size(1) == 0) expect_compared(in, out, both, std::max<int64_t>(2, height / 32), 255);
  }
}

TEST_F(PoolCompare, KeepsSixteenBits) {
  const Tensor in = full({1, 4, 4}, 40'000, DType::i32);
  write("in.png", in);
  ASSERT_EQ(tool("pool min -k 4 in.png -o out.npy --compare both.png --json").code, 0);
  EXPECT_EQ(picture("both.png").dtype(), DType::i32);
  EXPECT_EQ(picture("both.png").item({0, 0, 4}), 65'535);
  EXPECT_EQ(picture("both.png").item({0, 3, 9}), 40'000);
}

TEST_F(PoolCompare, IsRefusedBeforeAnythingIsWritten) {
  write("in.png", rand({3, 8, 6}, 3, DType::u8));
  io::AtomicFile file(path("in.npy"));
  io::write_npy(file, rand({1, 8, 8}, 1));
  file.commit();
  write("flat.png", rand({1, 1, 2000}, 3, DType::u8));
  const std::string pool = "pool max -k 2 in.png -o out.png --compare ";
  expect_refused(pool + "both.npy", 2, "pool: --compare must name a .png file, got 'both.npy'");
  expect_refused(pool + "both", 2, "pool: --compare must name a .png file, got 'both'");
  expect_refused(pool + "-", 2, "pool: --compare must name a .png file, got '-'");
  expect_refused(pool + "''", 2, "empty");
  expect_refused(pool + "./out.png", 2, "pool: --compare and -o name the same file './out.png'");
  expect_refused(pool + "in.png", 2, "pool: --compare and the input name the same file 'in.png'");
  expect_refused(pool + "nowhere/both.png", 3, "nowhere/both.png");
  expect_refused("pool max -k 2 in.npy -o out.npy --compare both.png", 2, "pool: --compare needs a picture as input, got 'in.npy'");
  expect_refused("pool max -k 2 in.png -o out.npy --dtype f32 --compare both.png", 2,
                 "pool: --compare takes pictures of u8 or i32, got f32");
  expect_refused("pool adaptive_avg --output-size 5000,1 flat.png -o out.png --compare both.png", 2,
                 "pool: --compare makes pictures of at most 65535 columns");
  std::filesystem::create_directory(path("folder.png"));
  expect_refused(pool + "folder.png", 3, "folder.png");
}

TEST_F(PoolCompare, StandsBesideStreams) {
  const Tensor in = rand({3, 8, 8}, 3, DType::u8);
  write("in.png", in);
  ASSERT_EQ(tool("pool avg -k 2 - -o - --compare both.png <in.png").code, 0);
  EXPECT_EQ(picture("both.png").shape(), (Dims{3, 8, 18}));
}

}  // namespace
}  // namespace tidepool::cli
