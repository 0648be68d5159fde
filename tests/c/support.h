// What the tests of the C interface share.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tidepool/c.h"
#include "tidepool/plan.h"

namespace tidepool::test {

struct PlanDeleter {
  void operator()(tp_plan* plan) const { tp_plan_free(plan); }
};
using CPlan = std::unique_ptr<tp_plan, PlanDeleter>;

inline CPlan parsed_plan(const std::string& text) {
  tp_plan* plan = nullptr;
  EXPECT_EQ(tp_plan_parse(text.c_str(), &plan), TP_OK) << text << ": " << tp_last_error();
  return CPlan(plan);
}

// An array as C describes it.
inline tp_array c_array(const TensorView& t) {
  tp_array a{};
  a.data = const_cast<std::byte*>(t.data);
  a.dtype = static_cast<int32_t>(t.dtype);
  a.rank = t.rank();
  for (int i = 0; i < t.rank(); ++i) {
    a.shape[i] = t.size(i);
    a.strides[i] = t.stride(i);
  }
  return a;
}

inline tp_arrays c_arrays(const RunArrays& run) {
  return {.input = c_array(run.input),
          .output = c_array(run.output),
          .indices_out = c_array(run.indices_out),
          .indices_in = c_array(run.indices_in),
          .saved = c_array(run.saved),
          .grad = c_array(run.grad),
          .starts = c_array(run.starts)};
}

// The status that C returns for an error of C++.
inline tp_status status_of(ErrorCode code) { return static_cast<tp_status>(static_cast<int>(code) + 1); }

// The status, with the message that belongs to it.
inline ::testing::AssertionResult refused(tp_status got, tp_status wanted, const std::string& message) {
  if (got == wanted && message == tp_last_error()) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "got " << tp_status_name(got) << ": " << (got == TP_OK ? "" : tp_last_error()) << "\nwanted "
                                       << tp_status_name(wanted) << ": " << message;
}

}  // namespace tidepool::test
