// A loader whose thread prepares batches in the parent, used in a child, where that thread does not exist.
#include <gtest/gtest.h>

#include <numeric>

#include "support/forked.h"
#include "tidepool/creation.h"
#include "tidepool/data/loader.h"

namespace tidepool::data {
namespace {

using test::works_in_child;

class ForkedLoader : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!test::children_may_have_threads) GTEST_SKIP() << "ThreadSanitizer ends a child that starts threads";
  }
};

// Picture i is one pixel of brightness i.
ImageSet numbered(int64_t count) { return {"numbered", arange({count, 1, 1, 1}, DType::u8), zeros({count}, DType::i64), {"any"}}; }

std::string rest_of_epoch(DataLoader& loader) {
  std::string text;
  while (const auto batch = loader.next())
    for (int64_t i = 0; i < batch->images.numel(); ++i) text += std::to_string(batch->images.item({i, 0, 0, 0})) + " ";
  return text;
}

std::string differs(const std::string& expected, const std::string& got) {
  return expected == got ? "" : "expected " + expected + ", got " + got;
}

LoaderOptions options(int64_t prefetch) { return {.batch_size = 4, .seed = 3, .prefetch = prefetch}; }

TEST_F(ForkedLoader, GoesOnInTheChildAndInTheParent) {
  for (const int64_t prefetch : {0, 1, 5}) {
    DataLoader loader(numbered(50), options(prefetch)), other(numbered(50), options(0));
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(loader.next() && other.next());
    const std::string rest = rest_of_epoch(other), next_epoch = rest_of_epoch(other);
    EXPECT_TRUE(works_in_child([&] {
      const std::string wrong = differs(rest, rest_of_epoch(loader));
      return wrong.empty() ? differs(next_epoch, rest_of_epoch(loader)) : wrong;
    }));
    EXPECT_EQ(rest_of_epoch(loader), rest);
  }
}

TEST_F(ForkedLoader, CanBeMovedToAnotherPositionOrDestroyedInTheChild) {
  auto loader = std::make_unique<DataLoader>(numbered(50), options(2));
  const std::string first = rest_of_epoch(*loader);
  EXPECT_TRUE(works_in_child([&] {
    loader->seek({0, 0});
    std::string wrong = differs(first, rest_of_epoch(*loader));
    loader.reset();
    return wrong;
  }));
  EXPECT_TRUE(works_in_child([&] {
    loader.reset();
    return std::string();
  }));
}

TEST_F(ForkedLoader, CanBeMadeInTheChild) {
  DataLoader loader(numbered(50), options(2));
  const std::string first = rest_of_epoch(loader);
  EXPECT_TRUE(works_in_child([&] {
    DataLoader own(numbered(50), options(2));
    return differs(first, rest_of_epoch(own));
  }));
}

}  // namespace
}  // namespace tidepool::data
