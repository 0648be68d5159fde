// Memory fails on the thread of a data loader. The error must reach the caller of next(), and the loader must go on once memory is there.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <new>

#include "hostile/failing_new.h"
#include "tidepool/creation.h"
#include "tidepool/data/loader.h"

namespace tidepool::data {
namespace {

using test::fail_allocation;

// Picture i is one pixel of brightness i.
ImageSet numbered(int64_t count) { return {"numbered", arange({count, 1, 1, 1}, DType::u8), zeros({count}, DType::i64), {"any"}}; }

// What next() gives: the brightness of the only picture of the batch, or "no memory".
std::string outcome(DataLoader& loader) {
  try {
    return std::to_string(std::lround(loader.next()->images.item({0, 0, 0, 0})));
  } catch (const std::bad_alloc&) {
    return "no memory";
  } catch (const Error& e) {
    return e.code() == ErrorCode::out_of_memory ? "no memory" : e.what();
  }
}

TEST(HostileMemoryOfLoader, EveryAllocationOfItsThreadMayFail) {
  for (int64_t n = 0; n < 40; ++n) {
    std::atomic<bool> fails = true;
    // The augmentation runs on the loader's thread. Batch 2 and what follows find no memory after n more allocations.
    const auto augment = [&](TensorSpan picture, Rng&) { fail_allocation(fails && *picture.data_as<float>() >= 2 ? n : -1); };
    DataLoader loader(numbered(100), {.batch_size = 1, .shuffle = false, .deviation = 1.0F / 255, .augment = augment, .prefetch = 3});
    for (int i = 0; i < 2; ++i) EXPECT_EQ(outcome(loader), std::to_string(i));
    bool failed = false;
    for (int i = 2; i < 40; ++i) {
      const std::string got = outcome(loader);
      failed = failed || got == "no memory";
      if (got != "no memory") {
        ASSERT_EQ(got, std::to_string(i)) << "allocation " << n;
      }
    }
    EXPECT_TRUE(failed || n > 4) << "allocation " << n;
    fails = false;
    loader.seek({0, 0});  // starts a new thread
    for (int i = 0; i < 100; ++i) ASSERT_EQ(outcome(loader), std::to_string(i));
    EXPECT_FALSE(loader.next());
  }
}

}  // namespace
}  // namespace tidepool::data
