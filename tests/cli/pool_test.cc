#include <nlohmann/json.hpp>

#include "pool_files.h"
#include "tidepool/creation.h"
#include "tidepool/ops/max_pool.h"
#include "tidepool/ops/min_pool.h"

namespace tidepool::cli {
namespace {

TEST_F(Pool, MaxOfTheFirstWorkedExample) {
  write("in.npy", Tensor::from<float>({4, 4}, {1, 3, 2, 1, 4, 2, 1, 0, 5, 6, 1, 2, 7, 8, 3, 4}));
  const Answer answer = tool("pool max -k 2 in.npy -o out.npy");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.out, "max_pool2d: in.npy f32 1x4x4 -> out.npy 1x2x2\n");
  expect_file("out.npy", Tensor::from<float>({2, 2}, {4, 2, 8, 4}));
  EXPECT_EQ(files(), (std::set<std::string>{"in.npy", "out.npy"}));
}

TEST_F(Pool, EveryFlagReachesTheLibrary) {
  const Tensor x = randn({2, 3, 17, 19}, 5);
  write("in.npy", x);
  const Answer answer =
      tool("pool max -k 3,2 -s 2x1 -p 1:0,0:1 --dilation 1,2 --ceil-mode=ceil_full --preset onnx in.npy -o out.npy --indices idx.npy");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto [values, indices] = max_pool2d_with_indices(x, {.kernel_size = {3, 2},
                                                             .stride = {2, 1},
                                                             .padding = {{1, 0}, {0, 1}},
                                                             .dilation = {1, 2},
                                                             .ceil_mode = Rounding::ceil_full,
                                                             .preset = Preset::onnx});
  expect_file("out.npy", values);
  expect_file("idx.npy", indices);
}

TEST_F(Pool, CeilModeWithoutAValueDoesNotTakeTheFileName) {
  const Tensor x = randn({1, 2, 7, 7}, 5);
  write("in.npy", x);
  ASSERT_EQ(tool("pool max -k 2 --ceil-mode in.npy -o out.npy").code, 0);
  expect_file("out.npy", max_pool2d(x, {.kernel_size = 2, .ceil_mode = true}));
}

TEST_F(Pool, SamePaddingWindowIndicesAndNanPolicy) {
  Tensor x = randn({1, 2, 9, 9}, 5, DType::f64);
  x.data<double>()[4] = std::numeric_limits<double>::quiet_NaN();
  write("in.npy", x);
  const Answer answer = tool("pool min -k 3 -s 2 -p same --nan ignore --index-base window in.npy -o out.npy --indices idx.npy");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto [values, indices] = min_pool2d_with_indices(
      x, {.kernel_size = 3, .stride = 2, .padding = same, .nan = NanPolicy::ignore, .index_base = IndexBase::window});
  expect_file("out.npy", values);
  expect_file("idx.npy", indices);
}

TEST_F(Pool, RanksOneAndThree) {
  const Tensor signal = rand({100}, 1, DType::i16), volume = rand({2, 8, 8, 8}, 2, DType::u8);
  write("signal.npy", signal);
  write("volume.npy", volume);
  ASSERT_EQ(tool("pool max --rank 1 -k 5 signal.npy -o out1.npy").code, 0);
  ASSERT_EQ(tool("pool max --rank 3 -k 2 volume.npy -o out3.npy").code, 0);
  expect_file("out1.npy", max_pool1d(signal.reshape({1, 100}), {.kernel_size = 5}).reshape({20}));
  expect_file("out3.npy", max_pool3d(volume, {.kernel_size = 2}));
}

TEST_F(Pool, ChannelsLastAndFortranOrder) {
  const Tensor nchw = randn({2, 3, 8, 6}, 9);
  const Tensor expected = max_pool2d(nchw, {.kernel_size = 2});
  const auto to_last = [](const Tensor& t) { return t.transpose(1, 2).transpose(2, 3); };
  write("last.npy", to_last(nchw));
  ASSERT_EQ(tool("pool max -k 2 --layout channels_last last.npy -o out.npy").code, 0);
  expect_file("out.npy", to_last(expected));

  // The transpose in row-major order is the same array in column-major order.
  const Tensor reversed = nchw.transpose(0, 3).transpose(1, 2).clone();
  write("order.npy", reversed);
  std::string bytes = slurp(path("order.npy"));
  const std::string before = "False, 'shape': (6, 8, 3, 2), }", after = "True, 'shape': (2, 3, 8, 6), } ";
  ASSERT_NE(bytes.find(before), std::string::npos);
  spill(path("order.npy"), bytes.replace(bytes.find(before), before.size(), after));
  ASSERT_EQ(tool("pool max -k 2 order.npy -o out.npy").code, 0);
  expect_file("out.npy", expected);
}

TEST_F(Pool, SaysWhenCellsAreDropped) {
  write("in.npy", randn({7, 7}));
  EXPECT_NE(tool("pool max -k 2 in.npy -o out.npy").out.find("note: 1 row and 1 column at the end are read by no window"),
            std::string::npos);
  const auto json = nlohmann::json::parse(tool("pool max -k 2 in.npy -o out.npy --json").out);
  EXPECT_EQ(json["output_shape"], nlohmann::json({1, 3, 3}));
  EXPECT_EQ(json["note"], "1 row and 1 column at the end are read by no window");
}

TEST_F(Pool, RefusalsAreOneLineAndLeaveNoFile) {
  write("in.npy", randn({1, 2, 8, 8}));
  write("flat.npy", randn({8}));
  spill(path("junk.npy"), "junk");
  spill(path("junk.png"), "junk");
  std::filesystem::create_directory(path("dir.npy"));
  expect_refused("pool max -k 2 -s 0 in.npy -o out.npy", 2, "max_pool2d: stride must be at least 1, got 0 (axis h)");
  expect_refused("pool max -k 0 in.npy -o out.npy", 2, "kernel_size");
  expect_refused("pool max in.npy -o out.npy", 2, "kernel_size");
  expect_refused("pool max -k 2,2,2 in.npy -o out.npy", 2, "kernel_size");
  expect_refused("pool max -k '' in.npy -o out.npy", 2, "--kernel-size: expected a number");
  expect_refused("pool max -k two in.npy -o out.npy", 2, "--kernel-size: expected a number or one per axis (3 or 3,2), got 'two'");
  expect_refused("pool max -k 99999999999999999999 in.npy -o out.npy", 2, "fit in 64 bits");
  expect_refused("pool max -k 2 -p 1:2:3 in.npy -o out.npy", 2, "--padding: expected");
  expect_refused("pool max -k 2 -p -1 in.npy -o out.npy", 2, "padding");
  expect_refused("pool max -k 2 -p 2 in.npy -o out.npy", 2, "padding");
  expect_refused("pool max -k 9 in.npy -o out.npy", 2, "max_pool2d");
  expect_refused("pool max -k 2 --nan never in.npy -o out.npy", 2, "--nan: expected one of propagate, ignore, got 'never'");
  expect_refused("pool max -k 2 --ceil-mode=up in.npy -o out.npy", 2, "--ceil-mode: expected one of floor, ceil, ceil_full");
  expect_refused("pool max -k 2 --rank 4 in.npy -o out.npy", 2, "--rank");
  expect_refused("pool max -k 2 --rank 1 in.npy -o out.npy", 2, "takes arrays of 1 to 3 dims, got 4");
  expect_refused("pool max -k 2 flat.npy -o out.npy", 2, "takes arrays of 2 to 4 dims, got 1");
  expect_refused("pool max -k 2 in.npy", 2, "--out is required");
  expect_refused("pool max -k 2 -o out.npy", 2, "in is required");
  expect_refused("pool max -k 2 in.npy -o out.txt", 2, "must end in .npy, .npz, .png or .safetensors, got 'out.txt'");
  expect_refused("pool max -k 2 in.npy -o out.png", 2, "PNG: a picture must be u8");
  expect_refused("pool max -k 2 in.npy -o out.npy --indices out.npy", 2, "the same file");
  expect_refused("pool max -k 2 in.npy -o out.npy --indices no/such/idx.npy", 3, "cannot write no/such/idx.npy");
  expect_refused("pool max -k 2 junk.npy -o out.npy", 2, "junk.npy: not a .npy file");
  expect_refused("pool max -k 2 junk.png -o out.png", 2, "junk.png: not a PNG file");
  expect_refused("pool max -k 2 none.npy -o out.npy", 3, "cannot open none.npy: No such file or directory");
  expect_refused("pool max -k 2 in.npy -o no/such/out.npy", 3, "cannot write no/such/out.npy: No such file or directory");
  expect_refused("pool max -k 2 in.npy -o dir.npy", 3, "cannot write dir.npy: it is a directory");
  expect_refused("pool max -k 2 dir.npy -o out.npy", 3, "it is not a regular file");
  expect_refused("pool mode -k 2 in.npy -o out.npy", 2, "pool: unknown op or option 'mode' (there are max min avg sum lp ");
  expect_refused("pool -k 2 max in.npy -o out.npy", 2, "pool: unknown op or option '-k'");
  expect_refused("pool max -k 2 --nonsense in.npy -o out.npy", 2, "--nonsense");
  expect_refused("pool max -k 2 in.npy second.npy -o out.npy", 2, "second.npy");
  expect_refused("pool", 2, "pool: which op?");
}

TEST_F(Pool, AnErrorKeepsTheOldOutput) {
  write("in.npy", randn({4, 4}));
  spill(path("out.npy"), "precious");
  expect_refused("pool max -k 5 in.npy -o out.npy", 2, "max_pool2d");
  EXPECT_EQ(slurp(path("out.npy")), "precious");
}

TEST_F(Pool, MayReplaceItsInputAndWritesBehindLinks) {
  const Tensor x = randn({4, 4});
  write("in.npy", x);
  std::filesystem::create_symlink("in.npy", path("link.npy"));
  ASSERT_EQ(tool("pool max -k 2 in.npy -o link.npy").code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.npy")));
  expect_file("in.npy", max_pool2d(x.reshape({1, 4, 4}), {.kernel_size = 2}).reshape({2, 2}));
  EXPECT_EQ(files(), (std::set<std::string>{"in.npy", "link.npy"}));
}

}  // namespace
}  // namespace tidepool::cli
