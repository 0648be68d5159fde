#include <limits>
#include <nlohmann/json.hpp>

#include "pool_files.h"
#include "tidepool/creation.h"
#include "tidepool/ops/adaptive_pool.h"
#include "tidepool/ops/fractional_max_pool.h"
#include "tidepool/ops/global_pool.h"
#include "tidepool/ops/lp_pool.h"
#include "tidepool/ops/sum_pool.h"

namespace tidepool::cli {
namespace {

class PoolOps : public Pool {};

TEST_F(PoolOps, NormsOfWindowsAndPlanes) {
  const Tensor x = randn({2, 3, 9, 8}, 5), signal = randn({2, 30}, 6, DType::f64), volume = randn({2, 4, 5, 6}, 7);
  write("x.npy", x);
  write("signal.npy", signal);
  write("volume.npy", volume);
  expect_runs("lp -k 2 x.npy -o out.npy");
  expect_file("out.npy", lp_pool2d(x, {.kernel_size = 2}));
  expect_runs("lp --norm-type inf -k 3,2 -s 2 -p 1 --ceil-mode --preset onnx x.npy -o out.npy");
  expect_file("out.npy", lp_pool2d(x, {.norm_type = std::numeric_limits<double>::infinity(),
                                       .kernel_size = {3, 2},
                                       .stride = 2,
                                       .padding = 1,
                                       .ceil_mode = true,
                                       .preset = Preset::onnx}));
  expect_runs("lp --norm-type 1.5 -k 2 --rank 3 volume.npy -o out.npy");
  expect_file("out.npy", lp_pool3d(volume, {.norm_type = 1.5, .kernel_size = 2}));
  expect_runs("global_lp --norm-type 1 --rank 1 signal.npy -o out.npy");
  expect_file("out.npy", global_lp_pool1d(signal, 1));
  expect_runs("global_lp x.npy -o out.npy");
  expect_file("out.npy", global_lp_pool2d(x));
}

TEST_F(PoolOps, SignedPowerWithoutAValueDoesNotTakeTheFileName) {
  const Tensor x = randn({1, 2, 6, 6}, 5);
  write("x.npy", x);
  const Tensor expected = lp_pool2d(x, {.norm_type = 3, .kernel_size = 2, .signed_power = true});
  expect_runs("lp --norm-type 3 -k 2 --signed-power x.npy -o out.npy");
  expect_file("out.npy", expected);
  expect_runs("lp --norm-type 3 -k 2 --signed-power=true x.npy -o out.npy");
  expect_file("out.npy", expected);
  expect_runs("lp --norm-type 3 -k 2 --signed-power=false x.npy -o out.npy");
  expect_file("out.npy", lp_pool2d(x, {.norm_type = 3, .kernel_size = 2}));
}

TEST_F(PoolOps, AdaptivePoolingHasTheGivenOutputSize) {
  const Tensor x = randn({2, 3, 9, 8}, 5), signal = randn({2, 30}, 6);
  write("x.npy", x);
  write("signal.npy", signal);
  expect_runs("adaptive_avg --output-size 4 x.npy -o out.npy");
  expect_file("out.npy", adaptive_avg_pool2d(x, 4));
  expect_runs("adaptive_avg --output-size 4,keep x.npy -o out.npy");
  expect_file("out.npy", adaptive_avg_pool2d(x, {4, keep_size}));
  expect_runs("adaptive_avg --output-size keep --rank 1 signal.npy -o out.npy");
  expect_file("out.npy", signal);
  expect_runs("adaptive_avg --output-size 3x20 x.npy -o out.npy");
  expect_file("out.npy", adaptive_avg_pool2d(x, {3, 20}));
  expect_runs("adaptive_max --output-size 7 --rank 1 signal.npy -o out.npy");
  expect_file("out.npy", adaptive_max_pool1d(signal, 7));
}

TEST_F(PoolOps, AdaptiveMaximaWithIndicesAndNanPolicy) {
  Tensor x = randn({2, 3, 9, 8}, 5);
  x.data<float>()[4] = std::numeric_limits<float>::quiet_NaN();
  write("x.npy", x);
  expect_runs("adaptive_max --output-size keep,3 --nan ignore --index-base window x.npy -o out.npy --indices idx.npy");
  const auto [values, indices] =
      adaptive_max_pool2d_with_indices(x, {keep_size, 3}, {.nan = NanPolicy::ignore, .index_base = IndexBase::window});
  expect_file("out.npy", values);
  expect_file("idx.npy", indices);
}

TEST_F(PoolOps, OneValueForEveryChannel) {
  const Tensor x = randn({2, 3, 9, 8}, 5);
  write("x.npy", x);
  expect_runs("global_max x.npy -o out.npy --indices idx.npy");
  expect_file("out.npy", global_max_pool2d(x));
  expect_file("idx.npy", adaptive_max_pool2d_with_indices(x, 1).indices);
  expect_runs("global_avg x.npy -o out.npy");
  expect_file("out.npy", global_avg_pool2d(x));
  expect_runs("global_sum --rank 3 x.npy -o out.npy");
  expect_file("out.npy", global_sum_pool3d(x));
}

TEST_F(PoolOps, FractionalWindowsFollowTheSeed) {
  const Tensor x = randn({2, 3, 19, 18}, 5), volume = randn({2, 8, 9, 10}, 7);
  write("x.npy", x);
  write("volume.npy", volume);
  expect_runs("fractional_max -k 2,3 --output-size 9,7 --seed 18446744073709551615 --index-base tensor x.npy -o out.npy --indices idx.npy");
  const auto [values, indices] = fractional_max_pool2d_with_indices(
      x, {.kernel_size = {2, 3}, .output_size = {9, 7}, .seed = UINT64_MAX, .index_base = IndexBase::tensor});
  expect_file("out.npy", values);
  expect_file("idx.npy", indices);
  expect_runs("fractional_max -k 2 --output-ratio 0.5,0.75,0.25 --nan ignore --rank 3 volume.npy -o out.npy");
  expect_file("out.npy", fractional_max_pool3d(volume, {.kernel_size = 2, .output_ratio = {0.5, 0.75, 0.25}, .nan = NanPolicy::ignore}));
}

TEST_F(PoolOps, OnlyRegularWindowsDropCells) {
  write("x.npy", randn({1, 7, 7}));
  EXPECT_NE(tool("pool lp -k 2 x.npy -o out.npy").out.find("note: 1 row and 1 column at the end"), std::string::npos);
  for (const char* arguments : {"adaptive_avg --output-size 3", "global_sum", "fractional_max -k 2 --output-size 3"}) {
    const auto json = nlohmann::json::parse(tool(std::string("pool ") + arguments + " x.npy -o out.npy --json").out);
    EXPECT_EQ(json["note"], "") << arguments;
  }
}

TEST_F(PoolOps, RefusalsNameTheFlagOrTheOption) {
  write("x.npy", randn({1, 2, 8, 8}));
  write("whole.npy", rand({1, 2, 8, 8}, 1, DType::i32));
  write("signal.npy", randn({2, 8}));
  const auto refused = [&](const std::string& arguments, const std::string& words) {
    expect_refused("pool " + arguments + " -o out.npy", 2, words);
  };
  refused("lp -k 2 --norm-type two x.npy", "--norm-type: expected a number or inf, got 'two'");
  refused("lp -k 2 --norm-type 1e999 x.npy", "--norm-type: expected numbers that fit in 64 bits, got '1e999'");
  refused("lp -k 2 --norm-type 0 x.npy", "lp_pool2d: norm_type must be above 0, got 0");
  refused("lp -k 2 --norm-type nan x.npy", "norm_type must be above 0");
  refused("lp -k 2 --signed-power=maybe x.npy", "--signed-power: expected one of true, false, got 'maybe'");
  refused("lp -k 2 whole.npy", "lp_pool2d: input must be floating");
  refused("adaptive_avg x.npy", "--output-size is required");
  refused("adaptive_avg --output-size 3,4,5 x.npy", "adaptive_avg_pool2d: output_size must have 1 or 2 values, got 3");
  refused("adaptive_avg --output-size -1 x.npy", "output_size");
  refused("adaptive_avg --output-size 3,Keep x.npy", "--output-size: expected a number or keep, or one per axis (7 or 7,keep)");
  refused("adaptive_avg --output-size -9223372036854775808 x.npy", "--output-size: expected a number or keep");
  refused("adaptive_max --output-size 3 --index-base cell x.npy", "--index-base: expected one of plane, tensor, window, got 'cell'");
  refused("adaptive_avg --output-size 3 --nan ignore x.npy", "--nan");
  refused("global_avg -k 2 x.npy", "-k");
  refused("fractional_max -k 2 --output-size 3 --rank 1 signal.npy", "--rank: fractional_max needs 2 spatial dims or more, got 1");
  refused("fractional_max -k 2 x.npy", "output_size or output_ratio must be given");
  refused("fractional_max -k 2 --output-size 3 --output-ratio 0.5 x.npy", "output_size and output_ratio do not go together");
  refused("fractional_max -k 2 --output-ratio half x.npy", "--output-ratio: expected a share or one per axis (0.5 or 0.5,0.7), got 'half'");
  refused("fractional_max -k 2 --output-ratio 1.5 x.npy", "output_ratio must lie between 0 and 1");
  refused("fractional_max -k 2 --output-size 3 --seed -1 x.npy", "--seed: expected a number, 0 or more, got '-1'");
  for (const char* op : {"avg -k 2", "sum -k 2", "lp -k 2", "adaptive_avg --output-size 2", "global_avg", "global_sum", "global_lp"})
    refused(std::string(op) + " x.npy --indices idx.npy", "has none, every cell of a window takes part");
}

TEST_F(PoolOps, TooLargeAResultMeansThatMemoryRanOut) {
  write("x.npy", randn({1, 8, 8}));
  expect_refused("pool adaptive_avg --output-size 1000000000 x.npy -o out.npy", 3, "not enough memory for");
}

TEST_F(PoolOps, EveryOpHasHelpWithAnExampleOfItself) {
  for (const char* op : {"max", "min", "avg", "sum", "lp", "adaptive_max", "adaptive_avg", "global_max", "global_avg", "global_sum",
                         "global_lp", "fractional_max", "unpool"}) {
    const std::string help = tool(std::string("pool ") + op + " --help").out;
    const std::string example = help.substr(std::min(help.find("Examples:"), help.size()));
    EXPECT_NE(example.find(std::string("  tidepool pool ") + op + " "), std::string::npos) << help;
    // The help shows --indices only for ops that return indices, and no example shows a flag that its op refuses.
    const bool has_indices = std::string(op).find("max") != std::string::npos || op == std::string("min") || op == std::string("unpool");
    EXPECT_EQ(help.find("--indices") != std::string::npos, has_indices) << help;
  }
}

}  // namespace
}  // namespace tidepool::cli
