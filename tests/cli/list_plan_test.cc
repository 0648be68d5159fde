#include <algorithm>
#include <nlohmann/json.hpp>

#include "run_tool.h"
#include "tidepool/dtype.h"

namespace tidepool::cli {
namespace {

using nlohmann::json;

class ListPlan : public InFolder {};

TEST_F(ListPlan, PlanExplainsItself) {
  const Answer answer = tool("plan \"max2d fwd f32 nchw 1x8x7x7 k2\"");
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_NE(answer.out.find("max2d fwd f32 nchw 1x8x7x7 k2 s2"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("1x8x3x3"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("the last 1 of 7 along w"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("reference"), std::string::npos) << answer.out;
  // The target without vector instructions: SCALAR or EMU128, depending on the compiler.
  const std::string plainest = json::parse(tool("list --json").out)["targets"].back()["name"];
  const json plan = json::parse(tool("plan \"max2d fwd f32 nchw 1x8x7x7 k2\" --kernel reference --json --target " + plainest).out);
  EXPECT_EQ(plan["kernel"], "reference");
  EXPECT_EQ(plan["target"], plainest);
  EXPECT_EQ(plan["output_shape"], json({1, 8, 3, 3}));
  EXPECT_EQ(plan["function"], "max_pool2d");
  EXPECT_EQ(plan["dropped"], "1 row and 1 column at the end are read by no window");
}

TEST_F(ListPlan, PlanOfUnpoolingLeadsFromPooledToUnpooled) {
  const json plan = json::parse(tool("plan \"unpool2d fwd f32 nchw 1x8x4x4 k2 s3 out=13 idx=plane\" --json").out);
  EXPECT_EQ(plan["function"], "max_unpool2d");
  EXPECT_EQ(plan["input_shape"], json({1, 8, 4, 4}));
  EXPECT_EQ(plan["output_shape"], json({1, 8, 13, 13}));
  EXPECT_EQ(plan["dropped"], "");
}

TEST_F(ListPlan, PlanKnowsBinsAndFractionalWindows) {
  const json bins = json::parse(tool("plan \"avg2d fwd f32 nchw 1x8x9x9 out=4x1\" --json").out);
  EXPECT_EQ(bins["output_shape"], json({1, 8, 4, 1}));
  EXPECT_EQ(bins["dropped"], "");
  const json fractional = json::parse(tool("plan \"max2d fwd f32 nchw 1x8x9x9 k2 out=5\" --json").out);
  EXPECT_EQ(fractional["output_shape"], json({1, 8, 5, 5}));
  EXPECT_EQ(fractional["dropped"], "");
}

TEST_F(ListPlan, ListNamesTargetsKernelsAndOps) {
  const json list = json::parse(tool("list --json").out);
  EXPECT_EQ(list["ops"][0]["functions"], json({"max_pool1d", "max_pool2d", "max_pool3d"}));
  EXPECT_EQ(list["dtypes"].size(), all_dtypes.size());
  int current = 0;
  for (const json& target : list["targets"]) current += target["current"].get<bool>();
  EXPECT_EQ(current, 1);
  std::set<std::string> seen;
  for (const json& row : list["kernels"]) {
    seen.insert(row["op"].get<std::string>() + " " + row["pass"].get<std::string>() + " " + row["dtype"].get<std::string>());
    const auto& names = row["kernels"];
    EXPECT_NE(std::find(names.begin(), names.end(), row["chosen"]), names.end()) << row;
  }
  for (const char* need : {"max fwd f32", "max fwd bool", "max bwd f32", "min bwd2 f64", "avg fwd u8", "sum bwd f16", "lp fwd f32",
                           "lp bwd2x f64", "unpool fwd i64", "unpool bwd f32", "unpool bwd2 f32"})
    EXPECT_EQ(seen.count(need), 1u) << need;
  for (const char* absent : {"max bwd2x f32", "lp fwd i32"}) EXPECT_EQ(seen.count(absent), 0u) << absent;
}

TEST_F(ListPlan, ListHasEveryOpAndEveryKindOfWindow) {
  const json list = json::parse(tool("list --json").out);
  const Answer text = tool("list");
  EXPECT_EQ(text.code, 0);
  std::string ops, windows;
  for (const json& op : list["ops"]) ops += op["name"].get<std::string>() + " ";
  for (const json& kind : list["windows"]) windows += kind["name"].get<std::string>() + "_" + kind["op"].get<std::string>() + " ";
  EXPECT_EQ(ops, "max min avg sum lp unpool ");
  EXPECT_EQ(windows, "adaptive_max adaptive_avg global_max global_avg global_sum global_lp fractional_max ");
  EXPECT_EQ(list["ops"][5]["functions"], json({"max_unpool1d", "max_unpool2d", "max_unpool3d"}));
  EXPECT_EQ(list["windows"][6]["functions"], json({"fractional_max_pool2d", "fractional_max_pool3d"}));
  for (const char* words : {"max min nchw with indices", "unpool nhwc with indices", "  lp: lp_pool1d lp_pool2d lp_pool3d\n",
                            "  global sum: global_sum_pool1d ", "  bwd2x: reference reference_channels\n"})
    EXPECT_NE(text.out.find(words), std::string::npos) << words << "\n" << text.out;
}

}  // namespace
}  // namespace tidepool::cli
