// The tests' own tools. A comparison that cannot fail or a guard page that can be read would prove nothing.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <span>

#include "support/compare.h"
#include "support/guarded.h"
#include "support/random_problem.h"
#include "tidepool/creation.h"

namespace tidepool {
namespace {

TEST(Harness, BitsThatDifferAreReportedWithTheirPlace) {
  const Tensor a = zeros({1, 2, 3});
  EXPECT_TRUE(test::same_bits(a, zeros({1, 2, 3})));
  Tensor b = zeros({1, 2, 3});
  b.data<float>()[4] = -0.0f;
  const auto different = test::same_bits(a, b);
  ASSERT_FALSE(different);
  EXPECT_STREQ(different.message(), "at [0, 1, 1] expected 0 (0x0), got -0 (0x80000000); 1 of 6 cells differ");
  EXPECT_FALSE(test::same_bits(a, zeros({1, 3, 2})));
  EXPECT_FALSE(test::same_bits(a, zeros({1, 2, 3}, DType::i32)));
}

TEST(Harness, WritesIntoGapsAreSeen) {
  const test::Array array({1, 2, 3}, DType::f32, Layout::channels_first, 1, {.gaps = {0, 0, 3}});
  test::Array sound = array, touched = array;
  sound.remember();
  touched.remember();
  test::Rng rng(1);
  test::fill(sound.span(), test::Contents::ties, rng);
  EXPECT_TRUE(sound.gaps_intact());
  EXPECT_FALSE(sound.intact());
  *(touched.span().data_as<float>() + 3) = 1;  // the first cell after a row
  EXPECT_FALSE(touched.gaps_intact());
}

// A kernel that takes the stride of one array for that of another must not find it right.
TEST(Harness, ArraysOfAProblemHaveStridesOfTheirOwn) {
  const Problem problem = parse("lp3d bwd2x f32 ncdhw 2x3x4x5x6 k1");  // all four arrays have the same shape
  int64_t dense = 0, all_differ = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    test::Rng data(seed), places(seed);
    const test::Job job = test::make_job(problem, data, test::random_placements(places));
    const Dims strides[] = {job.input.view().strides, job.output.view().strides, job.saved.view().strides, job.grad.view().strides};
    const auto differ = [&](int dim) {
      std::set<int64_t> different;
      for (const Dims& s : strides) different.insert(s[dim]);
      return different.size() == std::size(strides);
    };
    dense += strides[0] == contiguous_strides(problem.geometry.input_shape()) && !differ(0);
    all_differ += differ(0) && differ(1) && differ(2);
  }
  EXPECT_GT(dense, 30);
  EXPECT_GT(all_differ, 60);
}

// Scratch as kernels get it: its end touches an unreadable page, and what it holds is no number.
TEST(HarnessDeathTest, ScratchEndsWhereMemoryEnds) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  test::GuardedScratch scratch(1000 * 64);
  const std::span<std::byte> bytes = scratch.span();
  ASSERT_EQ(bytes.size(), 1000u * 64);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes.data()) % 64, 0u);
  EXPECT_TRUE(std::isnan(*reinterpret_cast<const float*>(bytes.data())));
  EXPECT_TRUE(scratch.intact_before());
  volatile std::byte* data = bytes.data();
  data[bytes.size() - 1] = std::byte{1};
  EXPECT_TRUE(scratch.intact_before());
  EXPECT_DEATH({ [[maybe_unused]] const std::byte b = data[bytes.size()]; }, "");
  data[-1] = std::byte{1};
  EXPECT_FALSE(scratch.intact_before());
}

// A kernel that writes nothing must not pass on the results of the kernel before it.
TEST(Harness, EveryRunStartsWithoutResults) {
  test::Rng data(1);
  const Plan plan = make_plan(parse("max2d fwd f32 nchw 1x2x8x8 k2 idx=plane"));
  const test::Job job = test::make_job(plan.problem(), data);
  ASSERT_TRUE(test::runs_right(plan, job, serial_executor(), 1));
  EXPECT_TRUE(test::same_bits(job.expected.values, job.output.view()));
  job.output.restore();
  job.indices.restore();
  EXPECT_FALSE(test::same_bits(job.expected.values, job.output.view()));
  EXPECT_FALSE(test::same_bits(job.expected.indices, job.indices.view()));
}

TEST(Harness, ToleranceAllowsItsDistanceAndNoMore) {
  const Tensor expected = full({2}, 1.0), tolerance = full({2}, 0.25, DType::f64);
  EXPECT_TRUE(test::close_enough(expected, tolerance, full({2}, 1.25)));
  EXPECT_FALSE(test::close_enough(expected, tolerance, full({2}, 1.375)));
  EXPECT_FALSE(test::close_enough(expected, tolerance, full({2}, std::numeric_limits<double>::quiet_NaN())));
  EXPECT_FALSE(test::close_enough(expected, TensorView{}, full({2}, 1.25)));
}

TEST(HarnessDeathTest, GuardPagesCannotBeRead) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto end = test::guarded_memory(100, test::Flush::end), start = test::guarded_memory(100, test::Flush::start);
  const volatile std::byte* last = end.get() + 99;
  const volatile std::byte* first = start.get();
  EXPECT_EQ(static_cast<int>(*last) + static_cast<int>(*first), 0);
  EXPECT_DEATH({ [[maybe_unused]] const std::byte b = last[1]; }, "");
  EXPECT_DEATH({ [[maybe_unused]] const std::byte b = first[-1]; }, "");
}

TEST(Harness, RandomProblemsCoverEverything) {
  std::array<int64_t, 4> passes{};
  std::array<int64_t, 6> ops{};
  std::array<int64_t, 3> layouts{}, ranks{}, bases{};
  std::array<int64_t, all_dtypes.size()> dtypes{};
  int64_t ignored = 0, unbatched = 0, empty = 0, same_padded = 0, hanging = 0, dilated = 0, empty_windows = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    test::Rng rng(seed);
    const Problem p = test::random_problem(rng);
    const Result<Problem> again = parse_problem(to_string(p));
    ASSERT_TRUE(again.ok() && *again == p) << to_string(p);
    const Geometry& g = p.geometry;
    ++passes[static_cast<size_t>(p.pass)];
    ++layouts[static_cast<size_t>(p.layout)];
    ++ranks[static_cast<size_t>(g.rank() - 1)];
    ++dtypes[static_cast<size_t>(p.dtype)];
    if (p.indices) ++bases[static_cast<size_t>(*p.indices)];
    ignored += p.nan == NanPolicy::ignore;
    ++ops[static_cast<size_t>(p.op)];
    unbatched += !g.batched();
    empty += g.batch() == 0;
    same_padded += g.width().padding_mode() != PaddingMode::explicit_sides;
    hanging += g.width().rounding() != Rounding::floor;
    dilated += g.width().dilation() > 1;
    empty_windows += g.width().has_empty_window();
  }
  for (const auto& counts : {layouts, ranks, bases})
    for (int64_t n : counts) EXPECT_GT(n, 100);
  for (int64_t n : passes) EXPECT_GT(n, 30);
  for (int64_t n : ops) EXPECT_GT(n, 100);
  for (int64_t n : dtypes) EXPECT_GT(n, 40);
  for (int64_t n : {ignored, unbatched, empty, same_padded, hanging, dilated, empty_windows}) EXPECT_GT(n, 20);
}

}  // namespace
}  // namespace tidepool
