// Every public function of every op with valid arguments, of which tests make one invalid at a time.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "support/arrays.h"
#include "tidepool/extent.h"
#include "tidepool/geometry.h"

namespace tidepool::test {

// The options of all ops together, for any rank. An entry uses those of its op.
struct Knobs {
  Sizes kernel{{2}, 1}, stride, dilation{{1}, 1};
  Pads padding;
  CeilMode ceil;
  Preset preset = Preset::torch;
  NanPolicy nan = NanPolicy::propagate;
  IndexBase base = IndexBase::plane;
  IntegerRounding rounding = IntegerRounding::truncate;
  std::optional<int64_t> divisor;
  double norm = 2;
  Sizes output{{2}, 1};  // adaptive, fractional
  Ratios ratio;
  Dims unpool_size;
};

// What an array of the valid call holds. Planes are of shape 1, 2, 4…, pooled arrays of shape 1, 2, 2….
enum class Role : uint8_t { plane, pooled, indices, samples };

struct Slot {
  const char* name;
  Role role;
  bool written = false;
  bool sets_size = false;  // the output size is read from this array, so other spatial sizes are valid too
};

// One call: spans in the order of the entry's slots, and the shape argument of functions that take one.
struct Arguments {
  std::vector<TensorSpan> spans;
  Dims shape;
  Knobs knobs;

  TensorSpan operator[](size_t i) const { return spans[i]; }
};

enum class Knob : uint8_t { windows, base, nan, divisor, norm, adaptive, fractional, unpool, ceil };

struct Entry {
  std::string name;
  int rank;
  std::vector<Slot> slots;
  std::vector<Knob> knobs;
  bool takes_shape = false;
  std::function<void(const Arguments&)> call;

  bool has(Knob k) const {
    for (Knob own : knobs)
      if (own == k) return true;
    return false;
  }
};

const std::vector<Entry>& entries();

// New arrays for the valid call of an entry. Those that the call writes are filled, to detect any change.
class ValidCall {
 public:
  explicit ValidCall(const Entry& entry);

  Arguments arguments;

  // Calls and expects an Error that begins with the entry's name, and nothing written. `what` describes the invalid argument.
  void expect_refused(const std::string& what) const;
  bool intact() const;

 private:
  const Entry& entry_;
  std::vector<Array> arrays_;
};

// Runs one test on all entries. As tests of their own there would be four thousand, and CTest starts a process for each.
class OnEveryEntry : public ::testing::Test {
 protected:
  template <class Body>
  void on_every_entry(Body body) {
    for (const Entry& e : entries()) {
      SCOPED_TRACE(e.name);
      current_ = &e;
      body();
    }
  }
  const Entry& entry() const { return *current_; }

 private:
  const Entry* current_ = nullptr;
};

}  // namespace tidepool::test
