#include "pool_files.h"
#include "tidepool/creation.h"
#include "tidepool/io/png.h"
#include "tidepool/ops/max_pool.h"
#include "tidepool/ops/max_unpool.h"

namespace tidepool::cli {
namespace {

class Unpool : public Pool {};

TEST_F(Unpool, UndoesTheFirstWorkedExample) {
  write("in.npy", Tensor::from<float>({4, 4}, {1, 3, 2, 1, 4, 2, 1, 0, 5, 6, 1, 2, 7, 8, 3, 4}));
  expect_runs("max -k 2 in.npy -o y.npy --indices i.npy");
  const Answer answer = tool("pool unpool -k 2 y.npy --indices i.npy -o x.npy");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.out, "max_unpool2d: y.npy f32 1x2x2 -> x.npy 1x4x4\nindices: i.npy i64\n");
  expect_file("x.npy", Tensor::from<float>({4, 4}, {0, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 4}));
}

TEST_F(Unpool, GivesWhatTheLibraryGives) {
  const Tensor x = randn({2, 3, 11, 13}, 5), signal = randn({2, 30}, 6), volume = rand({2, 3, 4, 6, 8}, 7, DType::u8);
  const auto pooled = max_pool2d_with_indices(x, {.kernel_size = 3, .stride = 2, .padding = 1, .index_base = IndexBase::tensor});
  write("x.npy", x);
  write("signal.npy", signal);
  write("volume.npy", volume);
  expect_runs("max -k 3 -s 2 -p 1 --index-base tensor x.npy -o y.npy --indices i.npy");
  const Tensor expected =
      max_unpool2d(pooled.values, pooled.indices,
                   {.kernel_size = 3, .stride = 2, .padding = 1, .output_size = {11, 13}, .index_base = IndexBase::tensor});
  expect_runs("unpool -k 3 -s 2 -p 1 --index-base tensor --output-size 11,13 y.npy --indices i.npy -o out.npy");
  expect_file("out.npy", expected);
  expect_runs("unpool -k 3 -s 2 -p 1 --index-base tensor --output-size 2x3x11x13 y.npy --indices i.npy -o out.npy");
  expect_file("out.npy", expected);

  expect_runs("max --rank 1 -k 5 --index-base window signal.npy -o y.npy --indices i.npy");
  expect_runs("unpool --rank 1 -k 5 --index-base window y.npy --indices i.npy -o out.npy");
  const auto one = max_pool1d_with_indices(signal, {.kernel_size = 5});
  expect_file("out.npy", max_unpool1d(one.values, one.indices, {.kernel_size = 5}));

  expect_runs("max --rank 3 -k 2 volume.npy -o y.npy --indices i.npy");
  expect_runs("unpool --rank 3 -k 2 y.npy --indices i.npy -o out.npy");
  const auto three = max_pool3d_with_indices(volume, {.kernel_size = 2});
  expect_file("out.npy", max_unpool3d(three.values, three.indices, {.kernel_size = 2}));
}

TEST_F(Unpool, ChannelsLastFilesKeepTheirOrder) {
  const Tensor nchw = randn({2, 3, 8, 6}, 9);
  const auto to_last = [](const Tensor& t) { return t.transpose(1, 2).transpose(2, 3); };
  write("x.npy", to_last(nchw));
  expect_runs("max -k 2 --layout channels_last x.npy -o y.npy --indices i.npy");
  expect_runs("unpool -k 2 --layout channels_last y.npy --indices i.npy -o out.npy");
  const auto [values, indices] = max_pool2d_with_indices(nchw, {.kernel_size = 2});
  expect_file("out.npy", to_last(max_unpool2d(values, indices, {.kernel_size = 2})));
}

TEST_F(Unpool, PicturesComeBackAsPictures) {
  const Tensor pixels = rand({3, 6, 8}, 3, DType::u8);
  io::AtomicFile file(path("x.png"));
  io::write_png(file, {.pixels = pixels, .srgb = {}, .file_gamma = {}});
  file.commit();
  expect_runs("max -k 2 x.png -o y.png --indices i.npy");
  expect_runs("unpool -k 2 y.png --indices i.npy -o out.png");
  const auto [values, indices] = max_pool2d_with_indices(pixels, {.kernel_size = 2});
  EXPECT_FALSE(reference::compare_bits(io::read_png(path("out.png")).pixels, max_unpool2d(values, indices, {.kernel_size = 2})));
}

TEST_F(Unpool, RefusalsLeaveNoFile) {
  write("in.npy", randn({1, 2, 8, 8}));
  expect_runs("max -k 2 in.npy -o y.npy --indices i.npy");
  write("far.npy", full({1, 2, 4, 4}, 64, DType::i64));
  spill(path("i.png"), "junk");
  expect_refused("pool unpool -k 2 y.npy -o out.npy", 2, "--indices is required");
  expect_refused("pool unpool -k 2 y.npy i.npy -o out.npy", 2, "--indices is required");
  expect_refused("pool unpool -k 2 y.npy i.npy --indices i.npy -o out.npy", 2, "i.npy");
  expect_refused("pool unpool -k 2 y.npy --indices none.npy -o out.npy", 3, "cannot open none.npy");
  expect_refused("pool unpool -k 2 y.npy --indices i.png -o out.npy", 2, "--indices cannot be a picture");
  expect_refused("pool unpool -k 2 y.npy --indices i.npy -o i.npy", 2, "name the same file");
  expect_refused("pool unpool -k 2 y.npy --indices y.npy -o out.npy", 2, "max_unpool2d: indices must have dtype i64, got f32");
  expect_refused("pool unpool -k 2 in.npy --indices i.npy -o out.npy", 2, "indices must have shape 1x2x8x8, got 1x2x4x4");
  expect_refused("pool unpool -k 2 y.npy --indices far.npy -o out.npy", 2, "64");
  expect_refused("pool unpool y.npy --indices i.npy -o out.npy", 2, "kernel_size");
  expect_refused("pool unpool -k 2 -p same y.npy --indices i.npy -o out.npy", 2, "padding must be given in numbers");
  expect_refused("pool unpool -k 2 --output-size 20,20 y.npy --indices i.npy -o out.npy", 2, "output_size must be above 6 and below 10");
  expect_refused("pool unpool -k 2 --output-size wide y.npy --indices i.npy -o out.npy", 2,
                 "--output-size: expected a size per axis (112,112) or a whole shape, got 'wide'");
  expect_refused("pool unpool -k 2 --output-size 1,1,1,1,1,1,1,1,1 y.npy --indices i.npy -o out.npy", 2,
                 "--output-size: expected at most 8 sizes");
}

}  // namespace
}  // namespace tidepool::cli
