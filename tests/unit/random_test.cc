// The generator behind rand and randn: its state, and what calls without a seed draw.
#include "tidepool/random.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

#include "tidepool/creation.h"
#include "tidepool/functional.h"

namespace tidepool {
namespace {

// The generator is one for the whole program: every test leaves it as it was.
class Generator : public ::testing::Test {
 protected:
  ~Generator() override { set_random_state(before_); }

 private:
  RandomState before_ = random_state();
};

TEST_F(Generator, GoesOnWithEveryCall) {
  EXPECT_FALSE(equal(rand({8}), rand({8})));
  EXPECT_FALSE(equal(randn({8}), randn({8})));
  EXPECT_FALSE(equal(rand({8}, DType::i64), rand({8}, DType::i64)));
}

TEST_F(Generator, RepeatsAfterManualSeed) {
  manual_seed(7);
  const Tensor a = rand({8}), b = randn({8}), c = rand({8}, DType::u8);
  manual_seed(7);
  EXPECT_TRUE(equal(rand({8}), a));
  EXPECT_TRUE(equal(randn({8}), b));
  EXPECT_TRUE(equal(rand({8}, DType::u8), c));
  manual_seed(8);
  EXPECT_FALSE(equal(rand({8}), a));
}

TEST_F(Generator, IsLeftAloneByCallsWithASeed) {
  manual_seed(7);
  const Tensor fixed = rand({8}, 3);
  EXPECT_TRUE(equal(rand({8}, 3), fixed));
  EXPECT_TRUE(equal(randn({8}, 3), randn({8}, 3)));
  EXPECT_EQ(random_state().drawn, 0u);
  manual_seed(99);
  EXPECT_TRUE(equal(rand({8}, 3), fixed));
}

TEST_F(Generator, SavesAndRestoresItsState) {
  manual_seed(7);
  rand({8});
  randn({8});
  const RandomState saved = random_state();
  EXPECT_EQ(saved.seed, 7u);
  EXPECT_EQ(saved.drawn, 2u);
  const Tensor next = rand({8}), after = randn({8});
  manual_seed(1);
  set_random_state(saved);
  EXPECT_TRUE(equal(rand({8}), next));
  EXPECT_TRUE(equal(randn({8}), after));
  EXPECT_EQ(random_state().drawn, 4u);
}

TEST_F(Generator, ThreadsGetDistinctSeeds) {
  manual_seed(7);
  constexpr int threads = 4, draws = 1000;
  std::vector<std::vector<uint64_t>> seeds(threads);
  std::vector<std::thread> running;
  running.reserve(threads);
  for (auto& own : seeds)
    running.emplace_back([&own] {
      for (int i = 0; i < draws; ++i) own.push_back(next_seed());
    });
  for (std::thread& thread : running) thread.join();
  std::set<uint64_t> all;
  for (const auto& own : seeds) all.insert(own.begin(), own.end());
  EXPECT_EQ(all.size(), static_cast<size_t>(threads * draws));
  EXPECT_EQ(random_state().drawn, static_cast<uint64_t>(threads * draws));
}

TEST_F(Generator, SeedsThatFollowEachOtherShareNoDraws) {
  std::set<uint64_t> all;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    manual_seed(seed);
    for (int i = 0; i < 100; ++i) all.insert(next_seed());
  }
  EXPECT_EQ(all.size(), 10000u);
}

}  // namespace
}  // namespace tidepool
