// Shapes and windows that networks use, larger than the random ones: several vectors per row, several rows per plane. Every op and pass.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "support/kernel_runs.h"
#include "support/targets.h"

namespace tidepool {
namespace {

constexpr const char* sliding[] = {"k3 s2 p1",   "k2 s2",    "k3 s1 p1",    "k2 s1",     "k3 s3",     "k5 s1 p2",
                                   "k2 s2 ceil", "k9 s1 p4", "k3 s1 p2 d2", "k3x2 s1x4", "k4 s2 same"};
constexpr const char* bins[] = {"out=1", "out=7x3", "out=5"};
constexpr const char* fractional[] = {"k2 out=3x5", "k3 out=3x4"};
constexpr const char* undone[] = {"k2 s2", "k3 s2 p1", "k3x2 s1x4"};  // by unpooling
// For norms: the reference implementation takes a power of every tap, and for the second derivative visits every pair of taps.
constexpr const char* small[] = {"k3 s2 p1", "k2 s2", "k3 s1 p1", "k2 s1", "k3 s1 p2 d2", "k3x2 s1x4", "out=7x3", "out=1"};
constexpr const char* smallest[] = {"k3 s2 p1", "k2 s2", "k3x2 s1x4"};

struct Family {
  const char* op;
  const char* pass;
  std::vector<const char*> windows;
  std::vector<const char*> rest;  // options after the window
  bool all_dtypes = false;        // otherwise the floating ones
  bool with_bool = false;

  friend void PrintTo(const Family& family, std::ostream* out) { *out << family.op << " " << family.pass; }
};

template <size_t... kSizes>
std::vector<const char*> join(const char* const (&... lists)[kSizes]) {
  std::vector<const char*> all;
  (all.insert(all.end(), lists, lists + kSizes), ...);
  return all;
}

std::vector<Family> families() {
  return {
      {"max", "fwd", join(sliding, bins, fractional), {"", " idx=plane", " idx=window"}, true, true},
      {"min", "fwd", join(sliding, bins), {" nan=ignore", " idx=tensor"}, true, true},
      {"max", "bwd", join(sliding, bins, fractional), {" idx=plane", " idx=window"}},
      {"max", "bwd2", join(sliding, bins, fractional), {" idx=plane", " idx=window"}},
      {"avg", "fwd", join(sliding, bins), {"", " div=valid"}, true},
      {"avg", "bwd", join(sliding, bins), {"", " div=valid"}},
      {"avg", "bwd2", join(small), {""}},
      {"sum", "fwd", join(sliding, bins), {""}, true},
      {"sum", "bwd", join(sliding, bins), {""}},
      {"lp", "fwd", join(small), {" p=2", " p=1", " p=3"}},
      {"lp", "bwd", join(small), {" p=2", " p=3"}},
      {"lp", "bwd2", join(small), {" p=2"}},
      {"lp", "bwd2x", join(smallest), {" p=2", " p=3"}},
      {"unpool", "fwd", join(undone), {" idx=plane", " idx=window"}, true, true},
      {"unpool", "bwd", join(undone), {" idx=plane"}},
      {"unpool", "bwd2", join(undone), {" idx=plane"}},
  };
}

// The expected results are computed once and compared on all targets.
void match(const Problem& problem, uint64_t seed, test::Counts& counts) {
  test::Rng data(seed);
  const test::Job job = test::make_job(problem, data);
  for (const std::string& target : test::supported_targets()) {
    const test::ForcedTarget forced(target);
    ASSERT_TRUE(test::every_kernel_right(job, serial_executor(), seed, nullptr, &counts));
  }
}

void match(const Family& family, const char* shape, test::Counts& counts) {
  uint64_t seed = 0;
  for (const char* window : family.windows)
    for (const char* layout : {" nchw ", " nhwc "})
      for (DType dtype : all_dtypes) {
        if (!family.all_dtypes && !is_floating(dtype)) continue;
        if (!family.with_bool && dtype == DType::boolean) continue;
        for (const char* rest : family.rest) {
          const std::string kind = std::string(family.op) + "2d " + family.pass + " " + std::string(dtype_name(dtype));
          ASSERT_NO_FATAL_FAILURE(match(parse(kind + layout + shape + " " + window + rest), ++seed, counts));
        }
      }
}

class RealShapes : public ::testing::TestWithParam<Family> {};
INSTANTIATE_TEST_SUITE_P(Families, RealShapes, ::testing::ValuesIn(families()),
                         [](const auto& family) { return std::string(family.param.op) + "_" + family.param.pass; });

TEST_P(RealShapes, MatchTheReference) {
  test::Counts counts("reference");
  for (const char* shape : {"1x3x17x57", "1x65x7x7", "1x2x5x131"}) ASSERT_NO_FATAL_FAILURE(match(GetParam(), shape, counts));
  EXPECT_GT(counts.cases(), 100);
  counts.write("reference_shapes_" + std::string(GetParam().op) + "_" + GetParam().pass + ".json");
}

}  // namespace
}  // namespace tidepool
