// Options that are numbers: the same limits and messages in every verb.
#include "number_options.h"
#include "pool_files.h"
#include "tidepool/creation.h"
#include "tidepool/executor.h"

namespace tidepool::cli {
namespace {

class Numbers : public Pool {
 protected:
  Numbers() { write("x.npy", randn({1, 8, 8})); }
};

constexpr const char* problem = "\"max2d fwd f32 nchw 1x1x4x4 k2\"";

TEST_F(Numbers, SecondsAreFinite) {
  for (const char* verb : {"run ", "tune "})
    for (const char* value : {"nan", "NAN", "-nan", "inf", "-inf", "infinity", "1e999", "-1", "-0.001", "3601", "1x", "0x", "one"}) {
      expect_refused(std::string(verb) + problem + " --seconds=" + value, 2,
                     "--seconds: expected a number from 0 to 3600, got '" + std::string(value) + "'");
    }
  expect_refused(std::string("run ") + problem + " --seconds=''", 2, "--seconds: 1 required S missing");
  EXPECT_EQ(tool(std::string("run ") + problem + " --seconds 0").code, 0);
  EXPECT_EQ(tool(std::string("run ") + problem + " --seconds 1e-3").code, 0);
}

TEST_F(Numbers, LearningRatesAreFiniteAndPositive) {
  for (const char* value : {"nan", "inf", "-inf", "1e999", "0", "-1", "fast"}) {
    const Answer answer = tool("train --data glyphs --lr=" + std::string(value));
    EXPECT_EQ(answer.code, 2);
    if (answer.err.find("oneDNN") == std::string::npos) {
      EXPECT_NE(answer.err.find("--lr: expected a number above 0, got '" + std::string(value) + "'"), std::string::npos) << answer.err;
    }
  }
}

TEST_F(Numbers, OptionsOfPoolsAreFinite) {
  expect_refused("pool lp -k 2 --norm-type nan x.npy -o out.npy", 2, "norm_type must be above 0, got nan");
  expect_refused("pool lp -k 2 --norm-type=-inf x.npy -o out.npy", 2, "norm_type must be above 0, got -inf");
  expect_refused("pool global_lp --norm-type nan x.npy -o out.npy", 2, "norm_type must be above 0, got nan");
  for (const char* value : {"nan", "inf", "-inf"})
    expect_refused("pool fractional_max -k 2 --output-ratio=" + std::string(value) + " x.npy -o out.npy", 2, std::string("got ") + value);
}

TEST_F(Numbers, ThreadsHaveOneLimit) {
  for (const std::string& verb : {std::string("run ") + problem, std::string("tune ") + problem,
                                  std::string("pool max -k 2 x.npy -o out.npy"), std::string("train --data glyphs")}) {
    for (const char* value : {"0", "-1", "1025", "4096", "99999999999999999999", "1.5", "nan", "two"}) {
      const Answer answer = tool(verb + " --threads=" + value);
      EXPECT_EQ(answer.code, 2) << verb << " " << value;
      if (answer.err.find("oneDNN") != std::string::npos) continue;
      EXPECT_NE(answer.err.find("--threads: expected a whole number from 1 to 1024, got '" + std::string(value) + "'"), std::string::npos)
          << answer.err;
    }
  }
  EXPECT_EQ(tool(std::string("run ") + problem + " --threads 1 --seconds 0.01").code, 0);
  if (has_threads()) {
    EXPECT_EQ(tool("pool max -k 2 x.npy -o out.npy --threads 1024").code, 0);
  }
}

// The library has the same limit.
TEST_F(Numbers, TheLimitOfThreadsIsTheLibrarys) {
  EXPECT_THROW(make_executor(most_threads + 1), Error);
  if (has_threads()) {
    EXPECT_NO_THROW(make_executor(most_threads));
  }
}

TEST_F(Numbers, SeedsAreNotNegative) {
  expect_refused(std::string("run ") + problem + " --seed -1", 2,
                 "--seed: expected a whole number from 0 to 18446744073709551615, got '-1'");
  EXPECT_EQ(tool(std::string("run ") + problem + " --seconds 0.01 --seed 18446744073709551615").code, 0);
}

TEST_F(Numbers, AnOptionIsGivenOnce) {
  expect_refused("pool max -k 2 -k 3 x.npy -o out.npy", 2, "--kernel-size is given more than once");
  expect_refused("pool max -k 2 x.npy -o out.npy -o other.npy", 2, "--out is given more than once");
  expect_refused(std::string("run ") + problem + " --threads 1 --threads 2", 2, "--threads is given more than once");
}

}  // namespace
}  // namespace tidepool::cli
