// Plane and tensor indices of every output: exactly those that point into the output's own plane are accepted.
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>

#include "support/cells.h"
#include "support/guarded.h"
#include "support/kernel_runs.h"

namespace tidepool::test {
namespace {

// `gaps` are those of the indices.
void expect_exact(const Problem& problem, const Dims& gaps) {
  SCOPED_TRACE(to_string(problem));
  const Geometry& g = problem.geometry;
  const int64_t plane = g.input_plane();
  Rng rng(1);
  int placed = 0;  // the indices are the third array
  const Job job = make_job(problem, rng, [&] {
    const auto guard = rng.one_in(2) ? Placement::Guard::before : Placement::Guard::after;
    return Placement{.guard = guard, .gaps = ++placed == 3 ? gaps : Dims()};
  });
  const TensorSpan indices = job.indices.span();
  const Plan plan = make_plan(problem);
  const auto origin_of = [&](const Dims& at) {
    if (problem.indices == IndexBase::plane) return int64_t{0};
    return g.batched() ? (at[0] * g.channels() + at[1]) * plane : at[0] * plane;
  };
  for_each_cell(indices.shape, [&](const Dims& at) {
    const int64_t sound = get<int64_t>(indices, at), origin = origin_of(at);
    constexpr int64_t least = std::numeric_limits<int64_t>::min(), most = std::numeric_limits<int64_t>::max();
    std::set<int64_t> values = {0, -1, -2, plane - 1, plane, least, most, origin, origin - 1, origin + plane - 1, origin + plane};
    values.insert({origin + (int64_t{1} << 32), origin - plane, g.input_numel() - 1, g.input_numel()});
    for (int64_t value : values) {
      put<int64_t>(indices, at, value);
      job.output.restore();
      const Status status = plan.try_run(job.arrays(), serial_executor(), GuardedScratch(plan.scratch_bytes(1)).span());
      const bool wanted = (value >= origin && value < origin + plane) || (value == -1 && problem.op != Op::unpool);
      ASSERT_EQ(status.ok(), wanted) << "index " << value << " of output " << to_string(at)
                                     << (status.ok() ? " was accepted" : ": " + status.error().message());
      if (!wanted) {
        ASSERT_EQ(status.error().code(), ErrorCode::out_of_range);
        ASSERT_TRUE(job.output.intact()) << "written before index " << value << " was refused";
      }
    }
    put<int64_t>(indices, at, sound);
  });
  if (problem.indices == IndexBase::plane) return;

  // All indices wrong in the same way: they count from another image, or from another channel.
  const auto refuses = [&](const char* how, auto origin_in) {
    for_each_cell(indices.shape, [&](const Dims& at) { put<int64_t>(indices, at, origin_in(at)); });
    job.output.restore();
    EXPECT_FALSE(plan.try_run(job.arrays(), serial_executor(), GuardedScratch(plan.scratch_bytes(1)).span()).ok()) << how;
    EXPECT_TRUE(job.output.intact()) << how;
  };
  const int channel = g.batched() ? 1 : 0;
  refuses("of the first plane", [](const Dims&) { return 0; });
  refuses("a plane further", [&](const Dims& at) { return origin_of(at) + plane; });
  refuses("of the first channel", [&](const Dims& at) { return origin_of(at) - at[channel] * plane; });
  if (g.batch() > 1) refuses("of the first image", [&](const Dims& at) { return at[channel] * plane; });
}

TEST(HostilePositions, OnlyThoseOfTheOwnPlaneAreAccepted) {
  for (const char* text :
       {"max2d bwd f32 %s 3x2x5x6 k2 s2", "max2d bwd2 f64 %s 2x3x5x4 k3 s1 p1", "min3d bwd f32 %s 2x2x3x4x5 k2",
        "max1d bwd f32 %s 3x11 k4 s3", "unpool2d fwd f32 %s 2x3x2x3 k2", "unpool2d bwd f32 %s 3x2x2x3 k2", "unpool1d bwd2 f64 %s 2x3x4 k2"})
    for (const char* base : {" idx=plane", " idx=tensor"})
      for (Layout layout : all_layouts)
        for (int gap = -1; gap < 3; ++gap) {
          std::string with = text;
          with.replace(with.find("%s"), 2, std::string(layout_name(layout, with[with.find("d ") - 1] - '0')));
          Dims gaps = {0, 0, 0, 0, 0};
          if (gap >= 0) gaps[gap] = 7;
          expect_exact(parse(with + base), gaps);
          if (::testing::Test::HasFatalFailure()) return;
        }
}

}  // namespace
}  // namespace tidepool::test
