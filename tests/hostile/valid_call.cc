#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hostile/entries.h"
#include "support/tensors.h"

namespace tidepool::test {
namespace {

Dims shape_of(const Entry& entry, Role role) {
  if (role == Role::samples) return {1, 2, entry.rank};
  Dims shape{1, 2};
  for (int i = 0; i < entry.rank; ++i) shape.push_back(role == Role::plane ? 4 : 2);
  return shape;
}

}  // namespace

ValidCall::ValidCall(const Entry& entry) : entry_(entry) {
  Rng rng(1);
  for (const Slot& slot : entry.slots) {
    const DType dtype = slot.role == Role::indices ? DType::i64 : DType::f32;
    // Samples have one number per spatial dim for every plane, in one axis.
    Array array(shape_of(entry, slot.role), dtype, Layout::channels_first, slot.role == Role::samples ? 1 : entry.rank);
    if (!slot.written)
      for_each_cell(array.span().shape, [&](const Dims& at) {
        if (slot.role == Role::indices)
          put<int64_t>(array.span(), at, 0);
        else
          put<float>(array.span(), at, static_cast<float>(rng.between(0, 7)) / 8);
      });
    array.remember();
    arguments.spans.push_back(array.span());
    arrays_.push_back(std::move(array));
  }
  arguments.shape = shape_of(entry, Role::plane);
}

bool ValidCall::intact() const {
  for (const Array& a : arrays_)
    if (!a.intact()) return false;
  return true;
}

void ValidCall::expect_refused(const std::string& what) const {
  const std::string message = message_of([&] { entry_.call(arguments); });
  EXPECT_THAT(message, ::testing::StartsWith(entry_.name + ": ")) << entry_.name << " with " << what;
  EXPECT_TRUE(intact()) << entry_.name << " wrote although " << what << " was refused: " << message;
}

}  // namespace tidepool::test
