#include "tidepool/data/loader.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "support/compare.h"
#include "tidepool/creation.h"
#include "tidepool/error.h"

namespace tidepool::data {
namespace {

// Picture i is one pixel of brightness i, of class i % 2.
ImageSet numbered(int64_t count) {
  ImageSet set{"numbered", arange({count, 1, 1, 1}, DType::u8), Tensor({count}, DType::i64), {"even", "odd"}};
  for (int64_t i = 0; i < count; ++i) set.labels.data<int64_t>()[i] = i % 2;
  return set;
}

std::vector<int> ids(const Batch& batch) {
  std::vector<int> list;
  for (int64_t i = 0; i < batch.images.numel(); ++i) list.push_back(static_cast<int>(batch.images.data<float>()[i] * 255 + .5F));
  return list;
}

std::vector<int> epoch(DataLoader& loader) {
  std::vector<int> all;
  while (const auto batch = loader.next()) {
    const std::vector<int> some = ids(*batch);
    for (size_t i = 0; i < some.size(); ++i) EXPECT_EQ(batch->labels.data<int64_t>()[i], some[i] % 2);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

TEST(DataLoaderTest, HandsOutEveryExampleOnceAnEpochInAnotherOrder) {
  for (const int64_t prefetch : {0, 1, 5}) {
    DataLoader loader(numbered(50), {.batch_size = 8, .seed = 3, .prefetch = prefetch});
    EXPECT_EQ(loader.batches(), 7);
    const std::vector<int> first = epoch(loader), second = epoch(loader);
    EXPECT_EQ(first.size(), 50u);
    EXPECT_EQ(std::set<int>(first.begin(), first.end()).size(), 50u);
    EXPECT_EQ(std::set<int>(second.begin(), second.end()).size(), 50u);
    EXPECT_NE(first, second);
    EXPECT_FALSE(std::is_sorted(first.begin(), first.end()));
  }
}

TEST(DataLoaderTest, OrderDependsOnTheSeedAloneAndNotOnPrefetching) {
  DataLoader a(numbered(50), {.batch_size = 8, .seed = 3, .prefetch = 0}), b(numbered(50), {.batch_size = 8, .seed = 3, .prefetch = 4}),
      c(numbered(50), {.batch_size = 8, .seed = 4});
  const std::vector<int> of_a = epoch(a);
  EXPECT_EQ(of_a, epoch(b));
  EXPECT_NE(of_a, epoch(c));
  EXPECT_EQ(epoch(a), epoch(b));
}

TEST(DataLoaderTest, WithoutShufflingKeepsTheOrderAndCanDropTheRest) {
  DataLoader all(numbered(10), {.batch_size = 4, .shuffle = false}),
      whole(numbered(10), {.batch_size = 4, .shuffle = false, .drop_last = true});
  EXPECT_EQ(epoch(all), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(epoch(whole), (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(whole.batches(), 2);
}

TEST(DataLoaderTest, ResumesFromAnyPosition) {
  const auto shake = [](TensorSpan picture, Rng& rng) { *picture.data_as<float>() += rng.unit(); };
  const LoaderOptions options{.batch_size = 4, .seed = 1, .augment = shake};
  DataLoader straight(numbered(18), options);
  std::vector<std::pair<LoaderPosition, std::optional<Batch>>> seen;
  for (int i = 0; i < 14; ++i) {
    const LoaderPosition at = straight.position();
    seen.emplace_back(at, straight.next());
  }
  EXPECT_EQ(straight.position(), (LoaderPosition{2, 2}));
  for (size_t start = 0; start < seen.size(); ++start) {
    DataLoader resumed(numbered(18), options);
    resumed.seek(seen[start].first);
    for (size_t i = start; i < std::min(start + 4, seen.size()); ++i) {
      const auto batch = resumed.next();
      ASSERT_EQ(batch.has_value(), seen[i].second.has_value()) << start << " " << i;
      if (!batch) continue;
      EXPECT_TRUE(test::same_bits(seen[i].second->images, batch->images)) << start << " " << i;
    }
  }
}

TEST(DataLoaderTest, NormalisesAndAugmentsEachPictureAnewEveryEpoch) {
  ImageSet set = numbered(2);
  set.images = full({2, 1, 1, 1}, 255, DType::u8);
  DataLoader plain(set, {.batch_size = 2, .mean = 0.5F, .deviation = 0.25F});
  EXPECT_EQ(plain.next()->images.item({0, 0, 0, 0}), 2);
  DataLoader shaken(set, {.batch_size = 2, .augment = [](TensorSpan picture, Rng& rng) { *picture.data_as<float>() = rng.unit(); }});
  std::set<double> values;
  for (int i = 0; i < 3; ++i) {
    const auto batch = shaken.next();
    values.insert(batch->images.item({0, 0, 0, 0}));
    values.insert(batch->images.item({1, 0, 0, 0}));
    EXPECT_FALSE(shaken.next());
  }
  EXPECT_EQ(values.size(), 6u);
}

TEST(DataLoaderTest, PassesOnWhatAnAugmentationThrows) {
  for (const int64_t prefetch : {0, 2}) {
    DataLoader loader(numbered(4),
                      {.batch_size = 2, .augment = [](TensorSpan, Rng&) { throw std::runtime_error("torn"); }, .prefetch = prefetch});
    EXPECT_THROW(loader.next(), std::runtime_error);
    EXPECT_THROW(loader.next(), std::runtime_error);
    EXPECT_FALSE(loader.next());
  }
}

TEST(DataLoaderTest, EndsQuietlyWhileItsThreadIsBusy) {
  for (int i = 0; i < 50; ++i) DataLoader loader(numbered(100), {.batch_size = 1, .prefetch = 3});
  DataLoader nothing(numbered(0), {});
  EXPECT_FALSE(nothing.next());
  EXPECT_FALSE(nothing.next());
}

TEST(DataLoaderTest, RefusesNonsense) {
  EXPECT_THROW(DataLoader(numbered(4), {.batch_size = 0}), Error);
  EXPECT_THROW(DataLoader(numbered(4), {.deviation = 0}), Error);
  EXPECT_THROW(DataLoader(numbered(4), {.prefetch = -1}), Error);
  DataLoader loader(numbered(4), {.batch_size = 2});
  EXPECT_THROW(loader.seek({0, 3}), Error);
  EXPECT_THROW(loader.seek({-1, 0}), Error);
  ImageSet bad = numbered(4);
  bad.labels.data<int64_t>()[2] = 2;
  EXPECT_THROW(DataLoader(bad, {}), Error);
  bad.labels = zeros({3}, DType::i64);
  EXPECT_THROW(DataLoader(bad, {}), Error);
}

TEST(Jitter, MovesThePictureAndFillsWithBackground) {
  Tensor picture = full({1, 9, 9}, 1);
  Rng rng(1);
  jitter(0, 0, 0, -1)(picture.span(), rng);
  EXPECT_TRUE(test::same_bits(full({1, 9, 9}, 1), picture)) << "nothing to move";
  jitter(4, 10, 0.1F, -1)(picture.span(), rng);
  const float* cells = picture.data<float>();
  EXPECT_EQ(*std::min_element(cells, cells + 81), -1);
  EXPECT_EQ(cells[4 * 9 + 4], 1);
}

}  // namespace
}  // namespace tidepool::data
