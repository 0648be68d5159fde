// Arrays whose strides are not those of the plan's layout. Kernels for adjacent columns or channels read and write vectors, so an array
// that they would take for adjacent is memory of somebody else.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "support/compare.h"
#include "support/guarded.h"
#include "support/kernel_runs.h"

namespace tidepool::test {
namespace {

// The job with one array in another layout.
Job with_layout(const Problem& problem, size_t array, Layout other) {
  Rng rng(1);
  size_t placed = 0;
  return make_job(
      problem, rng,
      [&] {
        Placement p{.guard = Placement::Guard::after};
        if (placed++ == array) p.layout = other;
        return p;
      },
      AnyLayout::every_array);
}

std::string expected_error(const std::string& function, const std::string& array, const Problem& problem, const TensorView& t) {
  const int channel = problem.geometry.batched() ? 1 : 0;
  const int64_t stride = t.stride(problem.layout == Layout::channels_last ? channel : t.rank() - 1);
  return function + ": " + array + " does not have the plan's layout " + std::string(layout_name(problem.layout, problem.geometry.rank())) +
         ": stride " + std::to_string(stride) + " where 1 is needed";
}

// Poolings, and the double backward pass of averages and sums, which is the same computation.
TEST(HostileLayouts, PlansForAdjacentElementsRefuseOthers) {
  struct Row {
    const char *problem, *function, *input, *output;
  };
  for (const Row& row : std::initializer_list<Row>{{"max2d fwd f32 %s 2x3x9x40 k3 s2 p1", "max_pool2d", "input", "out"},
                                                   {"min2d fwd u8 %s 3x9x40 k2 idx=window", "min_pool2d", "input", "out"},
                                                   {"avg2d fwd f32 %s 2x3x9x40 k3 s1", "avg_pool2d", "input", "out"},
                                                   {"avg2d bwd2 f32 %s 2x3x9x40 k3 s1", "avg_pool2d_double_backward", "gg", "out"},
                                                   {"sum3d bwd2 f64 %s 2x3x4x5x20 k2", "sum_pool3d_double_backward", "gg", "out"},
                                                   {"sum2d fwd i32 %s 2x3x9x40 out=3", "sum_pool2d", "input", "out"},
                                                   {"lp1d fwd f32 %s 2x3x40 k3 s1", "lp_pool1d", "input", "out"}})
    for (Layout layout : {Layout::channels_first, Layout::channels_last})
      for (Layout other : all_layouts)
        for (size_t array : {0, 1}) {
          std::string text = row.problem;
          text.replace(text.find("%s"), 2, std::string(layout_name(layout, text[text.find("d ") - 1] - '0')));
          if (other == layout) continue;
          const Problem problem = parse(text);
          SCOPED_TRACE(text + ", array " + std::to_string(array) + " " + std::string(layout_name(other, problem.geometry.rank())));
          const Job job = with_layout(problem, array, other);
          for (std::string_view kernel : kernel_names(problem)) {
            const Result<Plan> plan = try_make_plan(problem, kernel);
            if (!plan) continue;
            const Status status = plan->try_run(job.arrays(), serial_executor(), {});
            ASSERT_FALSE(status.ok()) << kernel;
            EXPECT_EQ(status.error().message(), expected_error(row.function, array == 0 ? row.input : row.output, problem,
                                                               array == 0 ? job.input.view() : TensorView(job.output.view())));
            EXPECT_EQ(status.error().code(), ErrorCode::shape_mismatch);
            EXPECT_TRUE(job.output.intact());
          }
        }
}

// Other passes take any strides, and so do indices. A dimension of one element has no neighbour, and its stride says nothing.
TEST(HostileLayouts, OtherPlansTakeAnyStrides) {
  for (const char* text : {"max2d bwd f32 %s 2x3x9x40 k3 s2 p1 idx=plane", "max2d bwd f32 %s 2x3x9x40 k3 s1 p1 idx=window",
                           "max2d bwd2 f32 %s 2x3x9x40 k3 s2 p1 idx=window", "avg2d bwd f32 %s 2x3x9x40 k3 s1",
                           "avg2d bwd f16 %s 2x3x9x40 out=1", "lp2d bwd f32 %s 2x3x9x12 k3 s2 p=2", "lp2d bwd2x f64 %s 2x3x9x12 k2 p=3",
                           "unpool2d fwd u8 %s 2x3x5x20 k2 idx=window", "unpool2d bwd f64 %s 2x3x5x20 k2 idx=plane"})
    for (Layout layout : {Layout::channels_first, Layout::channels_last})
      for (Layout other : all_layouts)
        for (size_t array : {0, 1, 2, 3}) {
          std::string with = text;
          with.replace(with.find("%s"), 2, std::string(layout_name(layout, 2)));
          ASSERT_TRUE(every_kernel_right(with_layout(parse(with), array, other), serial_executor(), 1));
        }
  for (const char* text : {"max2d fwd f32 nchw 2x3x9x1 k1", "avg2d fwd f32 nhwc 2x1x9x40 k3"})
    for (size_t array : {0, 1}) ASSERT_TRUE(every_kernel_right(with_layout(parse(text), array, Layout::strided), serial_executor(), 1));
}

// Kernels read the starts of windows as one list.
TEST(HostileLayouts, StartsOfWindowsMustBeContiguous) {
  const Plan plan = make_plan(parse("max2d fwd f32 nchw 2x3x9x10 k2 out=4x5"));
  const Job job = with_layout(plan.problem(), 0, Layout::channels_first);
  const GuardedScratch scratch(plan.scratch_bytes(1));
  RunArrays arrays = job.arrays();
  ASSERT_TRUE(plan.try_run(arrays, serial_executor(), scratch.span()).ok());
  job.output.restore();
  for (const Dims& strides : {Dims{1, 2, 6}, Dims{27, 18, 1}, Dims{27, 9, 2}, Dims{0, 9, 1}, Dims{54, 18, 2}}) {
    arrays.starts.strides = strides;
    const Status status = plan.try_run(arrays, serial_executor(), scratch.span());
    ASSERT_FALSE(status.ok()) << to_string(strides);
    EXPECT_EQ(status.error().message(), "max_pool2d: starts must be contiguous");
    EXPECT_TRUE(job.output.intact());
  }
}

// Kernels read starts while they write. Results over them would move windows that were checked out of the input.
TEST(HostileLayouts, StartsOfWindowsMustNotBeOverwritten) {
  struct Row {
    const char *problem, *message;
    bool over_indices;
  };
  for (const Row& row : std::initializer_list<Row>{
           {"max2d fwd i64 nchw 2x3x9x10 k2 out=4x5 idx=plane", "max_pool2d: out overlaps starts", false},
           {"max2d fwd i64 nchw 2x3x9x10 k2 out=4x5 idx=plane", "max_pool2d: indices overlaps starts", true},
           {"max2d bwd f64 nchw 2x3x9x10 k2 out=4x5 idx=window", "max_pool2d_backward: grad_input overlaps starts", false}}) {
    const Plan plan = make_plan(parse(row.problem));
    Job job = with_layout(plan.problem(), 0, Layout::channels_first);
    Array& over = row.over_indices ? job.indices : job.output;
    const TensorView starts = job.starts.view();
    std::memcpy(over.span().data, starts.data, static_cast<size_t>(starts.numel()) * sizeof(int64_t));
    over.remember();
    RunArrays arrays = job.arrays();
    arrays.starts.data = over.span().data;
    const GuardedScratch scratch(plan.scratch_bytes(1));
    const Status status = plan.try_run(arrays, serial_executor(), scratch.span());
    ASSERT_FALSE(status.ok()) << row.problem;
    EXPECT_EQ(status.error().message(), row.message);
    EXPECT_EQ(status.error().code(), ErrorCode::aliasing);
    EXPECT_TRUE(over.intact());
  }
}

}  // namespace
}  // namespace tidepool::test
