// One invalid option at a time, for every public function that has it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hostile/entries.h"
#include "support/tensors.h"

namespace tidepool::test {
namespace {

constexpr int64_t int_max = std::numeric_limits<int32_t>::max();
constexpr int64_t huge = std::numeric_limits<int64_t>::max(), lowest = std::numeric_limits<int64_t>::min();

Sizes one(int64_t value) { return {{value}, 1}; }
Pads pad(int64_t value) { return {.sides = {Sides(value)}}; }

class HostileOptions : public OnEveryEntry {
 protected:
  bool is_unpool() const { return entry().has(Knob::unpool); }

  template <class Spoil>
  void refuse(const std::string& what, Spoil spoil) const {
    ValidCall call(entry());
    spoil(call.arguments.knobs);
    call.expect_refused(what);
  }
};

TEST_F(HostileOptions, Kernels) {
  on_every_entry([&] {
    if (!entry().has(Knob::windows) && !entry().has(Knob::fractional)) return;
    for (int64_t k : {int64_t{0}, int64_t{-1}, -int_max, lowest, huge, huge - 1, huge / 2})
      refuse("kernel " + std::to_string(k), [&](Knobs& o) { o.kernel = one(k); });
    if (!is_unpool())
      for (int64_t k : {int64_t{5}, int_max, int64_t{1} << 32}) refuse("kernel " + std::to_string(k), [&](Knobs& o) { o.kernel = one(k); });
    refuse("no kernel", [](Knobs& o) { o.kernel = {}; });
    refuse("four kernels", [](Knobs& o) { o.kernel = {{2, 2, 2}, 4}; });
    refuse("a kernel that grows nothing in ceil mode", [](Knobs& o) {
      o.kernel = one(huge - 4);
      o.stride = one(1);
      o.ceil = true;
    });
  });
}

TEST_F(HostileOptions, Strides) {
  on_every_entry([&] {
    if (!entry().has(Knob::windows)) return;
    for (int64_t s : {int64_t{0}, int64_t{-2}, lowest}) refuse("stride " + std::to_string(s), [&](Knobs& o) { o.stride = one(s); });
    refuse("four strides", [](Knobs& o) { o.stride = {{1, 1, 1}, 4}; });
  });
}

TEST_F(HostileOptions, Dilations) {
  on_every_entry([&] {
    if (!entry().has(Knob::windows)) return;
    for (int64_t d : {int64_t{0}, int64_t{-1}, lowest, huge, huge - 1, huge / 2})
      refuse("dilation " + std::to_string(d), [&](Knobs& o) { o.dilation = one(d); });
    if (!is_unpool()) refuse("dilation 2^31 - 1", [](Knobs& o) { o.dilation = one(int_max); });
    refuse("no dilation", [](Knobs& o) { o.dilation = {}; });
  });
}

TEST_F(HostileOptions, Paddings) {
  on_every_entry([&] {
    if (!entry().has(Knob::windows)) return;
    for (int64_t p : {int64_t{-1}, lowest, int64_t{5}, int_max, huge / 2 + 1, huge})
      refuse("padding " + std::to_string(p), [&](Knobs& o) { o.padding = pad(p); });
    for (int64_t p : {huge, huge / 2 + 1})
      refuse("padding " + std::to_string(p) + " without a limit", [&](Knobs& o) {
        o.padding = pad(p);
        o.preset = Preset::onnx;
      });
    refuse("padding on one side only", [](Knobs& o) { o.padding = {.sides = {Sides(0, -1)}}; });
    refuse("four paddings", [](Knobs& o) { o.padding.count = 4; });
  });
}

TEST_F(HostileOptions, SameAndCeilTogether) {
  on_every_entry([&] {
    if (!entry().has(Knob::ceil)) return;
    for (PaddingMode mode : {same, same_lower})
      refuse("same and ceil", [&](Knobs& o) {
        o.padding = {.mode = mode};
        o.ceil = true;
      });
  });
}

TEST_F(HostileOptions, EnumeratorsThatDoNotExist) {
  on_every_entry([&] {
    if (entry().has(Knob::windows)) {
      refuse("padding mode", [](Knobs& o) { o.padding.mode = static_cast<PaddingMode>(77); });
      refuse("preset", [](Knobs& o) { o.preset = static_cast<Preset>(77); });
    }
    if (entry().has(Knob::ceil)) refuse("ceil_mode", [](Knobs& o) { o.ceil = static_cast<Rounding>(77); });
    if (entry().has(Knob::nan)) refuse("nan", [](Knobs& o) { o.nan = static_cast<NanPolicy>(77); });
    if (entry().has(Knob::base)) refuse("index_base", [](Knobs& o) { o.base = static_cast<IndexBase>(77); });
    if (entry().has(Knob::divisor)) refuse("rounding", [](Knobs& o) { o.rounding = static_cast<IntegerRounding>(77); });
  });
}

TEST_F(HostileOptions, DivisorsAndNorms) {
  on_every_entry([&] {
    if (entry().has(Knob::divisor)) refuse("divisor 0", [](Knobs& o) { o.divisor = 0; });
    if (!entry().has(Knob::norm)) return;
    for (double p : {0.0, -0.0, -1.0, -1e-300, -HUGE_VAL, std::numeric_limits<double>::quiet_NaN()})
      refuse("norm " + std::to_string(p), [&](Knobs& o) { o.norm = p; });
  });
}

TEST_F(HostileOptions, ExtremeDivisorsAndNormsAreAnswered) {
  on_every_entry([&] {
    const auto accepts = [&](auto set) {
      ValidCall call(entry());
      set(call.arguments.knobs);
      EXPECT_EQ(message_of([&] { entry().call(call.arguments); }), "nothing thrown");
    };
    if (entry().has(Knob::divisor))
      for (int64_t d : {int64_t{-3}, lowest, huge, int64_t{-1}}) accepts([&](Knobs& o) { o.divisor = d; });
    if (entry().has(Knob::norm))
      for (double p : {HUGE_VAL, 1e-300, 1e300, 0.5, 3.0}) accepts([&](Knobs& o) { o.norm = p; });
  });
}

TEST_F(HostileOptions, AdaptiveSizes) {
  on_every_entry([&] {
    if (!entry().has(Knob::adaptive)) return;
    for (int64_t size : {int64_t{-1}, lowest + 1, int64_t{1} << 60, huge})
      refuse("output " + std::to_string(size), [&](Knobs& o) { o.output = one(size); });
    refuse("no output", [](Knobs& o) { o.output = {}; });
    refuse("four outputs", [](Knobs& o) { o.output = {{2, 2, 2}, 4}; });
  });
}

TEST_F(HostileOptions, FractionalSizes) {
  on_every_entry([&] {
    if (!entry().has(Knob::fractional)) return;
    for (int64_t size : {int64_t{-1}, int64_t{4}, lowest, huge})
      refuse("output " + std::to_string(size), [&](Knobs& o) { o.output = one(size); });
    refuse("no output", [](Knobs& o) { o.output = {}; });
    for (double ratio : {0.0, 1.0, 1.5, -0.5, 1e300, HUGE_VAL, std::numeric_limits<double>::quiet_NaN()})
      refuse("ratio " + std::to_string(ratio), [&](Knobs& o) { o.ratio = {{ratio}, 1}; });
    refuse("five ratios", [](Knobs& o) { o.ratio = {{0.5, 0.5, 0.5}, 5}; });
  });
}

TEST_F(HostileOptions, UnpooledSizes) {
  on_every_entry([&] {
    if (!is_unpool()) return;
    const auto sized = [&](int64_t size) {
      Dims d;
      for (int i = 0; i < entry().rank; ++i) d.push_back(size);
      return d;
    };
    for (int64_t size : {int64_t{0}, int64_t{-1}, int64_t{2}, int64_t{6}, int64_t{-4}, lowest, huge})
      refuse("output " + std::to_string(size), [&](Knobs& o) { o.unpool_size = sized(size); });
    refuse("too many sizes", [&](Knobs& o) { o.unpool_size = Dims{1, 2, 4, 4, 4, 4}; });
    refuse("another batch", [&](Knobs& o) {
      o.unpool_size = Dims{7, 2};
      for (int i = 0; i < entry().rank; ++i) o.unpool_size.push_back(4);
    });
    refuse("same", [](Knobs& o) { o.padding = {.mode = same}; });
  });
}

}  // namespace
}  // namespace tidepool::test
