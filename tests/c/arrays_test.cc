// Every array of a run: described, read, written and refused as in C++.
#include "support/arrays.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "c/support.h"
#include "support/compare.h"
#include "support/random_problem.h"
#include "tidepool/creation.h"

namespace tidepool::test {
namespace {

struct Role {
  const char* name;
  tp_role role;
  tp_array tp_arrays::* member;
};
constexpr Role roles[] = {{"input", TP_ROLE_INPUT, &tp_arrays::input},
                          {"output", TP_ROLE_OUTPUT, &tp_arrays::output},
                          {"indices_out", TP_ROLE_INDICES_OUT, &tp_arrays::indices_out},
                          {"indices_in", TP_ROLE_INDICES_IN, &tp_arrays::indices_in},
                          {"saved", TP_ROLE_SAVED, &tp_arrays::saved},
                          {"grad", TP_ROLE_GRAD, &tp_arrays::grad},
                          {"starts", TP_ROLE_STARTS, &tp_arrays::starts}};
static_assert(sizeof(tp_arrays) == std::size(roles) * sizeof(tp_array));

// Together their runs use every array.
constexpr const char* problems[] = {"max2d fwd f32 nchw 2x3x9x10 k2x3 s2x1 idx=plane",
                                    "max2d bwd f64 strided 2x3x9x10 k2x3 s2x1 p1:0x0:1 idx=window",
                                    "min3d bwd2 f32 ndhwc 2x3x5x6x7 k2x3x1 idx=tensor",
                                    "lp2d bwd2x f64 strided 2x3x6x7 k2x3 s2x1 p=3",
                                    "lp1d bwd f32 nlc 2x3x17 k4 s3 p=2",
                                    "max2d fwd f16 nchw 2x3x9x10 k2x3 out=4x5",
                                    "max2d bwd f32 strided 3x9x10 k2x3 out=4x5 idx=window",
                                    "unpool2d fwd i16 nchw 2x3x4x5 k2x3 idx=plane",
                                    "avg2d fwd u8 strided 2x3x9x10 k2x3 round=even",
                                    "max1d fwd bool ncl 3x17 k4 s3 idx=window"};

// Arrays of the problem, each with strides of its own.
Job job_of(const Problem& problem, uint64_t seed) {
  Rng rng(seed), places(seed);
  return make_job(problem, rng, random_placements(places));
}

void expect_right(const Job& job) {
  const std::string text = to_string(job.problem);
  const CPlan plan = parsed_plan(text);
  const tp_arrays arrays = c_arrays(job.arrays());
  ASSERT_EQ(tp_plan_run(plan.get(), &arrays, nullptr), TP_OK) << text << ": " << tp_last_error();
  EXPECT_TRUE(close_enough(job.expected.values, job.expected.tolerance, job.output.view())) << text;
  EXPECT_TRUE(job.output.gaps_intact()) << text;
  if (job.problem.indices && !reads_indices(job.problem)) {
    EXPECT_TRUE(same_bits(job.expected.indices, job.indices.view())) << text;
  }
}

TEST(CArrays, RunsMatchTheReference) {
  for (const char* text : problems) ASSERT_NO_FATAL_FAILURE(expect_right(job_of(parse(text), 1)));
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Rng rng(seed);
    ASSERT_NO_FATAL_FAILURE(expect_right(job_of(random_problem(rng, {.max_work = 1 << 11}), seed)));
  }
}

TEST(CArrays, AreDescribedAsRunsNeedThem) {
  std::set<std::string> seen;
  for (const char* text : problems) {
    const CPlan plan = parsed_plan(text);
    const Job job = job_of(parse(text), 1);
    const tp_arrays arrays = c_arrays(job.arrays());
    for (const Role& role : roles) {
      SCOPED_TRACE(std::string(text) + ", " + role.name);
      const tp_array& used = arrays.*role.member;
      tp_array described;
      std::memset(&described, 0xAB, sizeof described);
      ASSERT_EQ(tp_plan_describe(plan.get(), role.role, &described), TP_OK);
      EXPECT_EQ(described.data, nullptr);
      if (used.rank == 0) {
        EXPECT_EQ(described.rank, -1);
        continue;
      }
      seen.insert(role.name);
      ASSERT_EQ(described.rank, used.rank);
      EXPECT_EQ(described.dtype, used.dtype);
      int64_t stride = 1;
      for (int i = used.rank - 1; i >= 0; --i) {
        EXPECT_EQ(described.shape[i], used.shape[i]);
        EXPECT_EQ(described.strides[i], stride);
        stride *= used.shape[i];
      }
    }
  }
  EXPECT_EQ(seen.size(), std::size(roles));
}

TEST(CArrays, RolesWithoutAMeaningAreRefused) {
  const CPlan plan = parsed_plan(problems[0]);
  tp_array array;
  for (int role : {-1, 7, 99, INT32_MAX})
    EXPECT_TRUE(refused(tp_plan_describe(plan.get(), static_cast<tp_role>(role), &array), TP_INVALID_ARGUMENT,
                        "tp_plan_describe: role must be one of its named values, got " + std::to_string(role)));
}

// What only C can say wrongly.
TEST(CArrays, RanksAndDtypesWithoutAMeaningAreRefused) {
  const CPlan plan = parsed_plan(problems[0]);
  const Job job = job_of(parse(problems[0]), 1);
  for (const Role& role : roles) {
    for (int32_t rank : {-1, TP_MAX_RANK + 1, INT32_MAX, INT32_MIN}) {
      tp_arrays arrays = c_arrays(job.arrays());
      (arrays.*role.member).rank = rank;
      EXPECT_TRUE(refused(tp_plan_run(plan.get(), &arrays, nullptr), TP_INVALID_ARGUMENT,
                          "tp_plan_run: " + std::string(role.name) + " must have rank 0 to 8, got " + std::to_string(rank)));
    }
    for (int32_t dtype : {-1, TP_BOOL + 1, INT32_MAX, INT32_MIN}) {
      tp_arrays arrays = c_arrays(job.arrays());
      (arrays.*role.member).dtype = dtype;
      EXPECT_TRUE(refused(tp_plan_run(plan.get(), &arrays, nullptr), TP_DTYPE_MISMATCH,
                          "tp_plan_run: " + std::string(role.name) + " has no known dtype, got " + std::to_string(dtype)));
    }
  }
}

// The view of C++ of which `member` is that of C.
TensorView view_of(const RunArrays& run, const Role& role) {
  switch (role.role) {
    case TP_ROLE_INPUT:
      return run.input;
    case TP_ROLE_OUTPUT:
      return run.output;
    case TP_ROLE_INDICES_OUT:
      return run.indices_out;
    case TP_ROLE_INDICES_IN:
      return run.indices_in;
    case TP_ROLE_SAVED:
      return run.saved;
    case TP_ROLE_GRAD:
      return run.grad;
    case TP_ROLE_STARTS:
      return run.starts;
  }
  return {};
}

RunArrays with(RunArrays run, const Role& role, const TensorView& t) {
  const TensorSpan span{{const_cast<std::byte*>(t.data), t.dtype, t.shape, t.strides}};
  if (role.role == TP_ROLE_INPUT) run.input = t;
  if (role.role == TP_ROLE_OUTPUT) run.output = span;
  if (role.role == TP_ROLE_INDICES_OUT) run.indices_out = span;
  if (role.role == TP_ROLE_INDICES_IN) run.indices_in = t;
  if (role.role == TP_ROLE_SAVED) run.saved = t;
  if (role.role == TP_ROLE_GRAD) run.grad = t;
  if (role.role == TP_ROLE_STARTS) run.starts = t;
  return run;
}

struct Spoiled {
  const char* how;
  std::function<bool(TensorView&)> spoil;  // false when it does not apply
};

std::vector<Spoiled> spoiled() {
  return {
      {"no data", [](TensorView& t) { return t.data = nullptr, true; }},
      {"not aligned", [](TensorView& t) { return t.data += 1, dtype_size(t.dtype) > 1; }},
      {"another dtype", [](TensorView& t) { return t.dtype = t.dtype == DType::f32 ? DType::i32 : DType::f32, true; }},
      {"a first size too large", [](TensorView& t) { return ++t.shape[0], true; }},
      {"a last size too small", [](TensorView& t) { return --t.shape[t.rank() - 1], true; }},
      {"a negative size", [](TensorView& t) { return t.shape[0] = -1, true; }},
      {"a rank too small", [](TensorView& t) { return --t.shape.rank, --t.strides.rank, true; }},
      {"a stride beyond memory", [](TensorView& t) { return t.strides[0] = INT64_MAX, t.shape[0] > 1; }},
  };
}

// An invalid array has the status and the message that C++ has for it.
TEST(CArrays, AreRefusedWithTheErrorsOfCpp) {
  std::set<std::string> seen;
  for (const char* text : problems) {
    const CPlan plan = parsed_plan(text);
    const Plan cpp = make_plan(parse(text));
    const Job job = job_of(cpp.problem(), 1);
    for (const Role& role : roles)
      for (const Spoiled& how : spoiled()) {
        TensorView view = view_of(job.arrays(), role);
        if (view.rank() == 0 || !how.spoil(view)) continue;
        SCOPED_TRACE(std::string(text) + ", " + role.name + " with " + how.how);
        seen.insert(role.name);
        const RunArrays run = with(job.arrays(), role, view);
        const Status expected = cpp.try_run(run, serial_executor(), {});
        ASSERT_FALSE(expected.ok());
        const tp_arrays arrays = c_arrays(run);
        EXPECT_TRUE(refused(tp_plan_run(plan.get(), &arrays, nullptr), status_of(expected.error().code()), expected.error().message()));
        EXPECT_TRUE(job.output.intact());
      }
  }
  EXPECT_EQ(seen.size(), std::size(roles));
}

TEST(CArrays, StartsComeFromSamplesOrFromASeed) {
  const std::string text = "max2d fwd f32 nchw 2x3x19x20 k2x3 out=4x5";
  const CPlan plan = parsed_plan(text);
  const auto starts_of = [&](const tp_array* samples, uint64_t seed, tp_status wanted = TP_OK) {
    Tensor starts = zeros({2, 3, 9}, DType::i64);
    const tp_array array = c_array(starts.view());
    EXPECT_EQ(tp_fractional_starts(plan.get(), samples, seed, &array), wanted) << tp_last_error();
    return std::vector<int64_t>(starts.data<int64_t>(), starts.data<int64_t>() + starts.numel());
  };
  const Tensor samples = rand({2, 3, 2}, 7);
  const tp_array c_samples = c_array(samples.view());
  EXPECT_EQ(starts_of(&c_samples, 0), starts_of(nullptr, 7));
  EXPECT_NE(starts_of(nullptr, 8), starts_of(nullptr, 7));
  // A sample of 0: windows at equal distances, one axis after the other.
  const Tensor none = zeros({2, 3, 2});
  const tp_array c_none = c_array(none.view());
  const std::vector<int64_t> first(starts_of(&c_none, 0));
  EXPECT_EQ(std::vector<int64_t>(first.begin(), first.begin() + 9), (std::vector<int64_t>{0, 5, 11, 17, 0, 4, 8, 12, 17}));

  const auto message = [&](const tp_array* with, const tp_array& starts, const tp_plan* of) {
    return tp_fractional_starts(of, with, 0, &starts) == TP_OK ? "ok" : std::string(tp_last_error());
  };
  Tensor starts = zeros({2, 3, 9}, DType::i64);
  const tp_array good = c_array(starts.view());
  tp_array bad = c_samples;
  bad.dtype = 10;
  EXPECT_EQ(message(&bad, good, plan.get()), "tp_fractional_starts: samples has no known dtype, got 10");
  bad = c_samples;
  bad.rank = 9;
  EXPECT_EQ(message(&bad, good, plan.get()), "tp_fractional_starts: samples must have rank 0 to 8, got 9");
  bad = c_samples;
  bad.dtype = TP_F64;
  EXPECT_EQ(message(&bad, good, plan.get()), "tp_fractional_starts: samples must have dtype f32, got f64");
  const Tensor one = full({2, 3, 2}, 1);
  bad = c_array(one.view());
  EXPECT_EQ(message(&bad, good, plan.get()), "tp_fractional_starts: samples must lie in [0, 1), got 1.000000");
  bad = good;
  bad.shape[2] = 8;
  EXPECT_NE(message(nullptr, bad, plan.get()), "ok");
  bad = good;
  bad.data = nullptr;
  EXPECT_NE(message(nullptr, bad, plan.get()), "ok");
  EXPECT_EQ(message(nullptr, good, parsed_plan(problems[0]).get()), "tp_fractional_starts: the plan has no fractional windows");
}

}  // namespace
}  // namespace tidepool::test
