// Invalid indices, in every index base, for every function that reads indices: an Error before anything is written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "hostile/entries.h"
#include "support/tensors.h"

namespace tidepool::test {
namespace {

constexpr int64_t lowest = std::numeric_limits<int64_t>::min(), huge = std::numeric_limits<int64_t>::max();

class HostileIndices : public OnEveryEntry {
 protected:
  // Which argument holds the indices that are read, if the function has one.
  std::optional<size_t> slot() const {
    for (size_t i = 0; i < entry().slots.size(); ++i)
      if (entry().slots[i].role == Role::indices && !entry().slots[i].written) return i;
    return std::nullopt;
  }
  int64_t plane() const { return entry().rank == 1 ? 4 : entry().rank == 2 ? 16 : 64; }
};

TEST_F(HostileIndices, OutsideThePlane) {
  on_every_entry([&] {
    if (!slot()) return;
    for (int64_t index : {plane(), plane() + 1, int64_t{-2}, int64_t{1} << 31, (int64_t{1} << 32) + 3, lowest, huge}) {
      ValidCall call(entry());
      const TensorSpan indices = call.arguments.spans[*slot()];
      Dims last = indices.shape;
      for (int i = 0; i < last.rank; ++i) last[i] -= 1;
      put<int64_t>(indices, last, index);
      const std::string message = message_of([&] { entry().call(call.arguments); });
      EXPECT_EQ(message,
                entry().name + ": index " + std::to_string(index) + " is outside the plane of " + std::to_string(plane()) + " cells");
    }
  });
}

TEST_F(HostileIndices, OutsideTheirOwnPlaneOfTheTensor) {
  on_every_entry([&] {
    if (!slot()) return;
    ValidCall call(entry());  // index 0 is valid for the first channel; in the second it points into another plane
    call.arguments.knobs.base = IndexBase::tensor;
    EXPECT_THAT(message_of([&] { entry().call(call.arguments); }), ::testing::HasSubstr("is outside its plane, cells "));
    EXPECT_TRUE(call.intact());
  });
}

TEST_F(HostileIndices, OutsideTheWindow) {
  on_every_entry([&] {
    if (!slot()) return;
    for (int64_t tap : {int64_t{1} << entry().rank, int64_t{200}, int64_t{254}}) {
      ValidCall call(entry());
      call.arguments.knobs.base = IndexBase::window;
      Tensor taps(call.arguments.spans[*slot()].shape, DType::u8);
      std::fill_n(taps.data<uint8_t>(), taps.numel(), uint8_t{0});
      taps.data<uint8_t>()[taps.numel() - 1] = static_cast<uint8_t>(tap);
      call.arguments.spans[*slot()] = taps.span();
      EXPECT_THAT(message_of([&] { entry().call(call.arguments); }), ::testing::HasSubstr("is outside the window"));
      EXPECT_TRUE(call.intact());
    }
  });
}

// Max pooling itself returns -1 for a window without cells, so its backward passes accept it. Unpooling does not.
TEST_F(HostileIndices, MinusOne) {
  on_every_entry([&] {
    if (!slot()) return;
    ValidCall call(entry());
    const TensorSpan indices = call.arguments.spans[*slot()];
    Dims first = indices.shape;
    first.values.fill(0);
    put<int64_t>(indices, first, -1);
    const std::string message = message_of([&] { entry().call(call.arguments); });
    if (entry().has(Knob::unpool))
      EXPECT_THAT(message, ::testing::HasSubstr("index -1 is outside the plane"));
    else
      EXPECT_EQ(message, "nothing thrown");
  });
}

TEST_F(HostileIndices, Duplicates) {
  on_every_entry([&] {
    if (!slot()) return;
    const ValidCall call(entry());  // all indices are 0: every output points to the same cell
    EXPECT_EQ(message_of([&] { entry().call(call.arguments); }), "nothing thrown");
  });
}

}  // namespace
}  // namespace tidepool::test
