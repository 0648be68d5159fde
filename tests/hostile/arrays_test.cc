// One invalid array at a time, for every public function: the call must throw an Error that names the function, and write nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "hostile/entries.h"
#include "support/tensors.h"

namespace tidepool::test {
namespace {

constexpr int64_t huge = std::numeric_limits<int64_t>::max(), lowest = std::numeric_limits<int64_t>::min();

class HostileArrays : public OnEveryEntry {
 protected:
  // Calls spoil(span) on one array of a fresh call, for each array that `applies` selects, and expects an Error.
  template <class Applies, class Spoil>
  void spoil_each(const std::string& how, Applies applies, Spoil spoil) const {
    for (size_t i = 0; i < entry().slots.size(); ++i) {
      if (!applies(entry().slots[i])) continue;
      ValidCall call(entry());
      spoil(call.arguments.spans[i]);
      call.expect_refused(std::string(entry().slots[i].name) + " " + how);
    }
  }
  template <class Spoil>
  void spoil_each(const std::string& how, Spoil spoil) const {
    spoil_each(how, [](const Slot&) { return true; }, spoil);
  }
  // Whether the function has several arrays, whose shapes or dtypes may contradict each other.
  bool has_several_arrays() const { return entry().slots.size() + (entry().takes_shape ? 1 : 0) > 1; }
};

TEST_F(HostileArrays, TheUnchangedCallIsValid) {
  on_every_entry([&] {
    const ValidCall call(entry());
    EXPECT_EQ(message_of([&] { entry().call(call.arguments); }), "nothing thrown");
  });
}

TEST_F(HostileArrays, AnUndefinedArrayIsNamed) {
  on_every_entry([&] {
    for (size_t i = 0; i < entry().slots.size(); ++i) {
      if (entry().slots[i].role == Role::samples) continue;  // without samples the library draws them
      ValidCall call(entry());
      Tensor undefined;
      call.arguments.spans[i] = undefined.span();
      EXPECT_THAT(message_of([&] { entry().call(call.arguments); }),
                  ::testing::StartsWith(entry().name + ": " + entry().slots[i].name + " must be defined"));
      EXPECT_TRUE(call.intact());
    }
  });
}

TEST_F(HostileArrays, Ranks) {
  on_every_entry([&] {
    for (int rank = 0; rank <= max_rank; ++rank)
      spoil_each(
          "of rank " + std::to_string(rank),
          [&](const Slot& s) {
            if (s.role == Role::samples) return rank != 3 && rank != 0;  // rank 0 means that no samples are given
            return rank != entry().rank + 2 && (rank != entry().rank + 1 || has_several_arrays());
          },
          [&](TensorSpan& t) {
            t.shape = t.strides = Dims();
            for (int i = 0; i < rank; ++i) t.shape.push_back(1), t.strides.push_back(1);
          });
  });
}

TEST_F(HostileArrays, ZeroAndNegativeSizes) {
  on_every_entry([&] {
    for (int dim = 0; dim < entry().rank + 2; ++dim)
      for (int64_t size : {int64_t{0}, int64_t{-1}, lowest})
        spoil_each(
            "with size " + std::to_string(size) + " in dim " + std::to_string(dim),
            [&](const Slot& s) {
              if (s.role == Role::samples && dim > 2) return false;
              if (size != 0) return true;
              return dim == 0 ? has_several_arrays() && !(entry().has(Knob::fractional) && s.role == Role::plane)
                              : !(dim > 1 && s.sets_size);  // an empty batch and an output size of 0 are valid
            },
            [&](TensorSpan& t) { t.shape[dim] = size; });
  });
}

TEST_F(HostileArrays, SizesThatDisagree) {
  on_every_entry([&] {
    if (!has_several_arrays()) return;
    for (int dim = 0; dim < entry().rank + 2; ++dim)
      for (int64_t delta : {-1, 1})
        spoil_each(
            "off by " + std::to_string(delta) + " in dim " + std::to_string(dim),
            [&](const Slot& s) {
              if (s.role == Role::samples) return dim < 3 && (dim > 0 || delta < 0);  // more rows than planes are accepted, as in PyTorch
              if (dim == 0 && delta < 0 && entry().has(Knob::fractional))
                return s.role != Role::plane;  // with an empty batch the samples are not read
              if (dim < 2) return true;
              if (s.sets_size) return false;
              return s.role != Role::plane ||
                     (delta < 0 && entry().has(Knob::windows));  // windows ignore a fifth column, but three columns are too few
            },
            [&](TensorSpan& t) { t.shape[dim] += delta; });
  });
}

TEST_F(HostileArrays, DtypesThatDisagreeOrDoNotExist) {
  on_every_entry([&] {
    spoil_each("of no dtype", [](TensorSpan& t) { t.dtype = static_cast<DType>(200); });
    const auto numbers = std::count_if(entry().slots.begin(), entry().slots.end(), [](const Slot& s) { return s.role != Role::indices; });
    spoil_each(
        "of another dtype", [&](const Slot& s) { return s.role == Role::indices || numbers > 1; },
        [](TensorSpan& t) { t.dtype = t.dtype == DType::i64 ? DType::i16 : DType::f16; });
  });
}

TEST_F(HostileArrays, NoMemory) {
  on_every_entry([&] {
    spoil_each("without data", [](const Slot& s) { return s.role != Role::samples; }, [](TensorSpan& t) { t.data = nullptr; });
    spoil_each("not aligned", [](TensorSpan& t) { t.data += 1; });
  });
}

TEST_F(HostileArrays, Strides) {
  on_every_entry([&] {
    spoil_each("with a stride too few", [](TensorSpan& t) { t.strides.rank -= 1; });
    for (int64_t stride : {huge, huge / 4, lowest, lowest / 2})
      spoil_each("with stride " + std::to_string(stride), [&](TensorSpan& t) { t.strides[1] = stride; });
    spoil_each("overlapping itself", [](const Slot& s) { return s.written; }, [](TensorSpan& t) { t.strides[1] = 0; });
  });
}

TEST_F(HostileArrays, OverlappingMemory) {
  on_every_entry([&] {
    for (size_t w = 0; w < entry().slots.size(); ++w)
      for (size_t r = 0; r < entry().slots.size(); ++r) {
        if (r == w || !entry().slots[w].written || entry().slots[r].role == Role::samples) continue;
        ValidCall call(entry());
        call.arguments.spans[w].data = call.arguments.spans[r].data;
        call.expect_refused(std::string(entry().slots[w].name) + " over " + entry().slots[r].name);
      }
  });
}

TEST_F(HostileArrays, ShapeArguments) {
  on_every_entry([&] {
    if (!entry().takes_shape) return;
    const auto refuse = [&](const Dims& shape) {
      ValidCall call(entry());
      call.arguments.shape = shape;
      call.expect_refused("shape " + to_string(shape));
    };
    const Dims sound = ValidCall(entry()).arguments.shape;
    for (int rank = 0; rank <= max_rank; ++rank) {
      if (rank == sound.rank || (rank == sound.rank - 1 && !has_several_arrays())) continue;
      Dims shape;
      for (int i = 0; i < rank; ++i) shape.push_back(4);
      refuse(shape);
    }
    for (int dim = 0; dim < sound.rank; ++dim)
      for (int64_t size : {int64_t{0}, int64_t{-1}, lowest, huge}) {
        if ((dim == 0 && size == 0 && !has_several_arrays()) || (size == huge && dim > 1)) continue;
        Dims shape = sound;
        shape[dim] = size;
        refuse(shape);
      }
  });
}

TEST_F(HostileArrays, SizesThatOverflow) {
  on_every_entry([&] {
    // One cell with strides of 0: memory exists for any shape.
    const int64_t big = int64_t{1} << 40;
    ValidCall call(entry());
    for (size_t i = 0; i < entry().slots.size(); ++i) {
      if (entry().slots[i].role == Role::samples) continue;
      TensorSpan& t = call.arguments.spans[i];
      t.shape[0] = t.shape[1] = big;
      if (!entry().slots[i].written) t.strides.values.fill(0);
    }
    call.arguments.shape[0] = call.arguments.shape[1] = big;
    call.expect_refused("2^80 planes");
  });
}

}  // namespace
}  // namespace tidepool::test
