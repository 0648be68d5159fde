// Every pooling op against stored answers of PyTorch: values, indices, gradients and their gradients.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "golden/judge.h"

namespace tidepool::golden {
namespace {

const std::filesystem::path folder = std::filesystem::path(TIDEPOOL_SOURCE_DIR) / "tests" / "golden";

struct Family {
  const char* name;
  Check check;
};

constexpr Family families[] = {
    {"max_pool", check_max_pool},
    {"avg_pool", check_avg_pool},
    {"adaptive_max_pool", check_adaptive_max_pool},
    {"adaptive_avg_pool", check_adaptive_avg_pool},
    {"lp_pool", check_lp_pool},
    {"fractional_max_pool", check_fractional_max_pool},
    {"max_unpool", check_max_unpool},
};

TEST(Golden, MatchesPyTorch) {
  Score score;
  for (const Family& family : families) {
    const File file = read_file(folder / (std::string(family.name) + ".bin"));
    ASSERT_EQ(file.family, family.name);
    ASSERT_EQ(file.torch_version.substr(0, 5), "2.13.");
    for (const Case& c : file.cases) {
      family.check(c, score);
      score.end_case(c);
    }
  }
  score.print();
  if (const char* counts = std::getenv("TIDEPOOL_COUNTS_DIR")) {
    std::ofstream out(std::filesystem::path(counts) / "golden.json");
    out << score.json();
    ASSERT_TRUE(out.flush());
  }
  for (const std::string& failure : score.failures()) ADD_FAILURE() << failure;
  EXPECT_EQ(score.mismatches(), 0);
  // An answer that nobody asked for proves nothing.
  EXPECT_GE(score.cases(), 7500);
  EXPECT_GE(score.hard() * 4, score.cases());
}

TEST(Golden, DamagedFilesAreRefused) {
  EXPECT_THROW(read_file(folder / "no_such_pool.bin"), std::runtime_error);
  const std::string whole = read_bytes(folder / "max_pool.bin");
  EXPECT_THROW(parse_file(""), std::runtime_error);
  EXPECT_THROW(parse_file(whole + "x"), std::runtime_error);
  for (size_t length = whole.size() - 1; length > 0; length -= std::min(length, whole.size() / 50))
    EXPECT_THROW(parse_file(whole.substr(0, length)), std::runtime_error) << length;
}

}  // namespace
}  // namespace tidepool::golden
