// Says whether an answer is PyTorch's, and keeps the score.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "golden/case.h"

namespace tidepool::golden {

// How equal is equal. As it stands: bit for bit.
struct Rule {
  bool any_nan = false;                 // sums make NaNs of no particular bits
  bool any_zero = false;                // +0 equals -0
  bool skip_nan = false;                // where PyTorch has NaN, anything goes
  std::vector<double> magnitudes = {};  // per cell: what was added up. Set: within 4 ulp of that, in the type that sums are made in,
  double ulps = 4;                      // and the rounding of the result to its own type
};

// The rules of sums: averages of f32 and f64 have PyTorch's bits too, where no mark says otherwise.
Rule sum_rule(const Case& c);

// The first cell that differs, in words; nothing when none does.
std::optional<std::string> difference(const TensorArg& expected, const TensorArg& actual, const Rule& rule = {});

class Score {
 public:
  // Runs `compare`, which gives a difference or nothing, and counts it. An Error is a difference too.
  void count(const Case& c, const char* pass, const std::function<std::optional<std::string>()>& compare);
  void end_case(const Case& c);

  int64_t cases() const { return cases_; }
  int64_t hard() const { return hard_; }
  int64_t mismatches() const { return mismatches_; }
  const std::vector<std::string>& failures() const { return failures_; }  // the first few

  void print() const;
  // Rows {source, op, dtype, pass, cases, mismatches} as JSON.
  std::string json() const;

 private:
  struct Count {
    int64_t cases = 0, mismatches = 0;
  };

  int64_t cases_ = 0, hard_ = 0, mismatches_ = 0;
  std::map<std::tuple<std::string, DType, std::string>, Count> counts_;  // op, dtype, pass
  std::map<uint8_t, int64_t> marked_;
  std::vector<std::string> failures_;
};

// A family's checks: every pass that the case has.
using Check = void (*)(const Case& c, Score& score);
void check_max_pool(const Case& c, Score& score);
void check_avg_pool(const Case& c, Score& score);
void check_adaptive_max_pool(const Case& c, Score& score);
void check_adaptive_avg_pool(const Case& c, Score& score);
void check_lp_pool(const Case& c, Score& score);
void check_fractional_max_pool(const Case& c, Score& score);
void check_max_unpool(const Case& c, Score& score);

// Calls f.template operator()<N>() for the case's number of spatial dims.
template <class F>
void for_rank(const Case& c, F f) {
  if (c.rank == 1) f.template operator()<1>();
  if (c.rank == 2) f.template operator()<2>();
  if (c.rank == 3) f.template operator()<3>();
}

}  // namespace tidepool::golden
