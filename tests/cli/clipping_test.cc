// Results of integers that do not fit: the result is clipped, and the user is told.
#include <nlohmann/json.hpp>

#include "pool_files.h"
#include "tidepool/creation.h"
#include "tidepool/io/png.h"

namespace tidepool::cli {
namespace {

class Clipping : public Pool {};

TEST_F(Clipping, IsCountedOnStandardError) {
  // Sums of 2x2: 256 is clipped, 255 fits exactly, 0 fits, 1020 is clipped.
  write("x.npy", Tensor::from<uint8_t>({4, 4}, {64, 64, 100, 100, 64, 64, 55, 0, 0, 0, 255, 255, 0, 0, 255, 255}));
  const Answer answer = tool("pool sum -k 2 x.npy -o out.npy");
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.err, "tidepool: warning: 2 of 4 results were clipped, u8 holds 0 to 255; --dtype i32 or f32 keeps them\n");
  EXPECT_EQ(answer.out, "sum_pool2d: x.npy u8 1x4x4 -> out.npy 1x2x2\n");
  expect_file("out.npy", Tensor::from<uint8_t>({2, 2}, {255, 255, 0, 255}));
  EXPECT_EQ(nlohmann::json::parse(tool("pool sum -k 2 x.npy -o out.npy --json").out)["clipped"], 2);
}

TEST_F(Clipping, OfNegativeSumsAndOtherTypes) {
  write("i8.npy", Tensor::from<int8_t>({2, 2}, {-100, -100, -100, -100}));
  write("i16.npy", Tensor::from<int16_t>({2, 2}, {-32768, -1, 0, 0}));
  write("i32.npy", Tensor::from<int32_t>({2, 2}, {2147483647, 1, 0, 0}));
  for (const auto& [name, words] :
       {std::pair{"i8", "i8 holds -128 to 127"}, {"i16", "i16 holds -32768 to 32767"}, {"i32", "i32 holds -2147483648 to 2147483647"}}) {
    const Answer answer = tool(std::string("pool sum -k 2 ") + name + ".npy -o out.npy");
    EXPECT_NE(answer.err.find(std::string("warning: 1 of 1 results were clipped, ") + words), std::string::npos) << answer.err;
    EXPECT_NE(tool(std::string("pool global_sum ") + name + ".npy -o out.npy").err.find("1 of 1 results"), std::string::npos);
  }
}

TEST_F(Clipping, IsNotReportedWithoutIt) {
  write("fits.npy", Tensor::from<uint8_t>({2, 2}, {255, 0, 0, 0}));
  write("big.npy", full({2, 2}, 200, DType::u8));
  write("float.npy", full({2, 2}, 3e38));
  EXPECT_EQ(tool("pool sum -k 2 fits.npy -o out.npy").err, "");
  EXPECT_EQ(tool("pool max -k 2 big.npy -o out.npy").err, "");
  EXPECT_EQ(tool("pool avg -k 2 big.npy -o out.npy").err, "");
  EXPECT_EQ(tool("pool sum -k 2 float.npy -o out.npy").err, "");
  EXPECT_EQ(nlohmann::json::parse(tool("pool sum -k 2 fits.npy -o out.npy --json").out)["clipped"], 0);
}

TEST_F(Clipping, OfAveragesWithASmallDivisor) {
  write("x.npy", full({2, 2}, 200, DType::u8));
  write("i32.npy", full({2, 2}, 2147483647, DType::i32));
  EXPECT_NE(tool("pool avg -k 2 --divisor-override 1 x.npy -o out.npy").err.find("1 of 1 results were clipped"), std::string::npos);
  EXPECT_NE(tool("pool avg -k 2 --divisor-override 1 i32.npy -o out.npy").err.find("1 of 1 results were clipped"), std::string::npos);
  EXPECT_EQ(tool("pool avg -k 2 --divisor-override 4 x.npy -o out.npy").err, "");
}

TEST_F(Clipping, AWiderTypeKeepsTheSums) {
  io::AtomicFile file(path("x.png"));
  io::write_png(file, {.pixels = full({1, 2, 2}, 200, DType::u8), .srgb = {}, .file_gamma = {}});
  file.commit();
  EXPECT_NE(tool("pool sum -k 2 x.png -o out.png").err.find("1 of 1 results were clipped"), std::string::npos);
  const Answer answer = tool("pool sum -k 2 --dtype i32 x.png -o out.png");
  EXPECT_EQ(answer.err, "");
  EXPECT_EQ(io::read_png(path("out.png")).pixels.item({0, 0, 0}), 800);
  expect_runs("sum -k 2 --dtype f32 x.png -o out.npy");
  expect_file("out.npy", full({1, 1, 1}, 800));
  expect_refused("pool sum -k 2 --dtype f12 x.png -o out.npy", 2, "--dtype");
}

}  // namespace
}  // namespace tidepool::cli
