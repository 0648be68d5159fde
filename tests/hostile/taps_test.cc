// Indices of windows that the border clips: every check must refuse exactly the taps that lie outside the input. One that is accepted by
// mistake is a write outside the array.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "reference/compare.h"
#include "support/cells.h"
#include "support/guarded.h"
#include "support/kernel_runs.h"
#include "support/targets.h"

namespace tidepool::test {
namespace {

// Whether tap t of output o lies inside the input, from the definition of windows.
bool is_inside(const Axis& axis, int64_t o, int64_t t) {
  if (axis.is_adaptive()) {
    const int64_t begin = o * axis.input() / axis.output(), end = ((o + 1) * axis.input() + axis.output() - 1) / axis.output();
    return t < end - begin;
  }
  const int64_t position = o * axis.stride() - axis.pad_before() + t * axis.dilation();
  return position >= 0 && position < axis.input();
}

// The indices of a job, and what is valid in each of their cells.
class Taps {
 public:
  explicit Taps(const Problem& problem) : problem_(problem), g_(problem.geometry) {
    dtype_ = index_dtype(IndexBase::window, g_, problem.nan);
    if (problem.op != Op::unpool) none_ = dtype_ != DType::u8 ? -1 : count() <= 255 ? 255 : -2;
  }
  int64_t count() const { return g_.window_taps(); }
  int64_t none() const { return none_; }  // -2 if there is no such value
  DType dtype() const { return dtype_; }

  bool is_tap(const Dims& at, int64_t tap) const {
    if (tap < 0 || tap >= count()) return false;
    const int64_t kernel_h = g_.height().kernel(), kernel_w = g_.width().kernel();
    const int64_t taps[3] = {tap / kernel_w / kernel_h, tap / kernel_w % kernel_h, tap % kernel_w};
    bool inside = true;
    for (int i = 3 - g_.rank(); i < 3; ++i) inside = inside && is_inside(g_.axis(i), at[at.rank - 3 + i], taps[i]);
    return inside;
  }
  std::vector<int64_t> valid(const Dims& at) const {
    std::vector<int64_t> all;
    for (int64_t tap = 0; tap < count(); ++tap)
      if (is_tap(at, tap)) all.push_back(tap);
    return all;
  }
  // A window in the padding has no tap. Where no value is left to say so, its index is not read.
  bool accepts(const Dims& at, int64_t value) const {
    if (is_tap(at, value)) return true;
    return problem_.op != Op::unpool && (none_ == -2 ? value <= 255 && valid(at).empty() : value == none_);
  }

 private:
  Problem problem_;
  const Geometry& g_ = problem_.geometry;
  DType dtype_;
  int64_t none_ = -2;
};

void put_index(TensorSpan indices, const Dims& at, int64_t value) {
  dispatch(indices.dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) put<T>(indices, at, static_cast<T>(value));
  });
}

// Valid indices everywhere, drawn among all valid taps.
void fill_valid(const Taps& taps, TensorSpan indices, Rng& rng) {
  for_each_cell(indices.shape, [&](const Dims& at) {
    const std::vector<int64_t> valid = taps.valid(at);
    put_index(indices, at, valid.empty() ? (taps.none() == -2 ? 0 : taps.none()) : rng.pick(std::span<const int64_t>(valid)));
  });
}

// Zeros between the cells, which are valid taps of most windows: a check that reads gaps in place of cells finds nothing wrong there.
void clear_gaps(TensorSpan indices) {
  int64_t last = 0;
  for (int i = 0; i < indices.rank(); ++i) last += (indices.size(i) - 1) * indices.stride(i);
  std::memset(indices.data, 0, static_cast<size_t>((last + 1) * dtype_size(indices.dtype)));
}

// The cells to try: all, or where there are many the first and last ones and some in between.
std::vector<Dims> some_cells(const Dims& shape, size_t most, Rng& rng) {
  std::vector<Dims> all, some;
  for_each_cell(shape, [&](const Dims& at) { all.push_back(at); });
  if (all.size() <= most) return all;
  some.insert(some.end(), all.begin(), all.begin() + 8);
  some.insert(some.end(), all.end() - 8, all.end());
  while (some.size() < most) some.push_back(all[static_cast<size_t>(rng.between(0, static_cast<int64_t>(all.size()) - 1))]);
  return some;
}

// `gaps` are those of the indices; other arrays have none.
void expect_exact(const Problem& problem, Executor& executor, size_t most_cells, const Dims& gaps = {}) {
  SCOPED_TRACE(to_string(problem));
  Rng rng(1);
  const Taps taps(problem);
  int placed = 0;  // the indices are the third array
  const Job job = make_job(problem, rng, [&] {
    const auto guard = rng.one_in(2) ? Placement::Guard::before : Placement::Guard::after;
    return Placement{.guard = guard, .gaps = ++placed == 3 ? gaps : Dims()};
  });
  const TensorSpan indices = job.indices.span();
  ASSERT_EQ(indices.dtype, taps.dtype());
  clear_gaps(indices);
  fill_valid(taps, indices, rng);
  const Plan plan = make_plan(problem);
  ASSERT_NO_THROW(plan.run(job.arrays(), executor));
  const int64_t last = indices.dtype == DType::u8 ? 255 : indices.dtype == DType::i16 ? INT16_MAX : INT32_MAX;
  int64_t accepted = 0, refused = 0;
  for (const Dims& at : some_cells(indices.shape, most_cells, rng)) {
    const auto sound = static_cast<int64_t>(reference::cell_value(indices, at));
    std::vector<int64_t> values = {taps.count(), taps.count() + 1, last - 1, last};
    for (int64_t tap = 0; tap < taps.count(); tap += 1 + taps.count() / 40) values.push_back(tap);
    if (indices.dtype != DType::u8) values.insert(values.end(), {-1, -2, -last});
    for (int64_t value : values) {
      if (value > last) continue;
      put_index(indices, at, value);
      job.output.restore();
      const Status status = plan.try_run(job.arrays(), executor, GuardedScratch(plan.scratch_bytes(executor.concurrency())).span());
      const bool wanted = taps.accepts(at, value);
      ASSERT_EQ(status.ok(), wanted) << "index " << value << " of output " << to_string(at)
                                     << (status.ok() ? " was accepted" : ": " + status.error().message());
      ++(wanted ? accepted : refused);
      if (wanted) continue;
      ASSERT_EQ(status.error().code(), ErrorCode::out_of_range);
      ASSERT_TRUE(job.output.intact()) << "written before index " << value << " was refused";
    }
    put_index(indices, at, sound);
  }
  EXPECT_GT(accepted, 0);
  if (taps.count() == 256) return;  // windows in the padding may have any byte
  EXPECT_GT(refused, 0);
}

// Padding on one side, both and beyond the window, ceil_mode, dilation, adaptive and empty windows; the largest window that is checked by
// its bits (63 taps) and those just above, byte indices without a free value (256 taps), two-byte indices (289 taps).
constexpr const char* clipped[] = {"2d %s f32 %s 2x2x5x6 k3 s1 p1",
                                   "2d %s f32 %s 1x2x5x6 k2x3 s2x1 p0:1x1:0",
                                   "2d %s f32 %s 2x1x6x5 k3 s2 p1 ceil_full",
                                   "2d %s f32 %s 1x2x7x8 k3x2 s1 p2 d2",
                                   "3d %s f32 %s 1x2x3x4x5 k2x2x3 s1 p1:0x0:1x1",
                                   "1d %s f32 %s 2x3x11 k4 s1 p2:0",
                                   "1d %s f32 %s 2x3x11 k4 s1 p0:2",
                                   "2d %s f32 %s 1x2x4x5 k2 s1 p3",
                                   "2d %s f32 %s 1x1x9x10 k7x9 s1 p3x4",
                                   "2d %s f32 %s 1x1x9x10 k8 s1 p4",
                                   "2d %s f32 %s 1x1x9x10 k5x13 s1 p2x6",
                                   "2d %s f32 %s 1x1x18x17 k16 s2 p8",
                                   "2d %s f32 %s 1x1x18x17 k16 s4 p18",
                                   "2d %s f32 %s 1x1x18x17 k17 s2 p8",
                                   "2d %s f32 %s 1x1x18x17 k15x17 s2 p7x8"};
constexpr const char* bins[] = {"2d %s f32 %s 2x2x7x5 out=3x4", "3d %s f32 %s 1x2x5x4x7 out=2x3x5"};

Problem problem_of(const std::string& op, const std::string& text, const std::string& pass, Layout layout, const std::string& rest) {
  std::string with = op + text;
  with.replace(with.find("%s"), 2, pass);
  const int rank = text[0] - '0';
  with.replace(with.find("%s"), 2, std::string(layout_name(layout, rank)));
  return parse(with + rest);
}

TEST(HostileTaps, BackwardPassesRefuseExactlyTheTapsOutsideTheInput) {
  for (Layout layout : all_layouts)
    for (const char* pass : {"bwd", "bwd2"}) {
      for (const char* text : clipped)
        ASSERT_NO_FATAL_FAILURE(expect_exact(problem_of("max", text, pass, layout, " idx=window"), serial_executor(), 120));
      for (const char* text : bins)
        ASSERT_NO_FATAL_FAILURE(expect_exact(problem_of("min", text, pass, layout, " idx=window"), serial_executor(), 120));
    }
}

// Indices with a gap behind their columns, rows, planes or images, which checks of whole arrays must not take for indices.
TEST(HostileTaps, IndicesWithGaps) {
  for (const char* text : {"2d %s f32 %s 2x2x5x6 k3 s1 p1", "2d %s f32 %s 2x3x6x6 k2 s2", "3d %s f32 %s 2x2x3x4x5 k2x2x3 s1 p1:0x0:1x1"})
    for (Layout layout : all_layouts)
      for (int dim = 1; dim < 4; ++dim) {
        Dims gaps = {0, 0, 0, 0, 0};
        gaps[dim] = 100;
        ASSERT_NO_FATAL_FAILURE(expect_exact(problem_of("max", text, "bwd", layout, " idx=window"), serial_executor(), 400, gaps));
      }
}

// The given shape is the pooled one.
TEST(HostileTaps, UnpoolingRefusesExactlyTheTapsOutsideTheOutput) {
  for (Layout layout : all_layouts)
    for (const char* pass : {"fwd", "bwd", "bwd2"})
      for (const char* text : {"2d %s f32 %s 2x2x5x6 k3 s1 p1", "2d %s f32 %s 1x2x5x6 k2x3 s2x1 p0:1x1:0", "1d %s f32 %s 2x3x11 k4 s1 p2:0",
                               "3d %s f32 %s 1x2x3x4x5 k2x2x3 s1 p1:0x0:1x1"})
        ASSERT_NO_FATAL_FAILURE(expect_exact(problem_of("unpool", text, pass, layout, " idx=window"), serial_executor(), 120));
}

// The fast check lists what each of 16,384 windows of a plane forbids. Larger planes are checked row by row, on threads as well.
TEST(HostileTaps, PlanesWithManyClippedWindows) {
  const std::unique_ptr<Executor> threads = make_executor(3);
  for (int64_t rows : {512, 8191, 8192, 8193})
    for (const char* layout : {"nchw", "nhwc"}) {
      const std::string shape = " 1x2x" + std::to_string(rows) + "x2";  // every window is clipped: two for a row
      ASSERT_NO_FATAL_FAILURE(
          expect_exact(parse(std::string("max2d bwd f32 ") + layout + shape + " k3 s1 p1 idx=window"), serial_executor(), 24));
      ASSERT_NO_FATAL_FAILURE(expect_exact(parse(std::string("max2d bwd f32 ") + layout + shape + " k3 s1 p1 idx=window"), *threads, 24));
    }
}

// Windows drawn at random: one to three axes, one to some thousand taps, padding beyond the window, dilation and bins.
Problem random_windows(Rng& rng, const std::string& dtype) {
  while (true) {
    const int rank = static_cast<int>(rng.between(1, 3));
    const std::string outer = std::to_string(rng.between(1, 2)) + "x" + std::to_string(rng.between(1, 3) * (rng.one_in(8) ? 40 : 1));
    std::string shape = outer, kernel = " k", stride = " s", padding = " p", dilation = " d", bins = " out=";
    int64_t taps = 1;
    for (int i = 0; i < rank; ++i) {
      const char* by = i == 0 ? "" : "x";
      const int64_t most[3] = {i == 0 && rng.one_in(6) ? 9000 : 70, 24, 9}, input = rng.between(1, most[rank - 1]);
      const int64_t size = rng.one_in(6) ? 16 : rng.one_in(5) ? 1 : rng.between(1, rank == 1 ? 400 : 20);
      const auto number = [&](int64_t n) { return by + std::to_string(n); };
      shape += "x" + std::to_string(input), kernel += number(size), stride += number(rng.between(1, 4)), taps *= size;
      padding += number(rng.one_in(3) ? 0 : rng.between(0, size)) + ":" + std::to_string(rng.one_in(3) ? 0 : rng.between(0, size));
      dilation += number(rng.one_in(4) ? 2 : 1), bins += number(rng.between(1, input));
    }
    const std::string windows = rng.one_in(6) ? bins : kernel + stride + padding + dilation;
    const std::string text = "max" + std::to_string(rank) + "d bwd " + dtype + " " +
                             std::string(layout_name(rng.one_in(2) ? Layout::channels_first : Layout::channels_last, rank)) + " " + shape +
                             windows + " idx=window";
    const auto problem = parse_problem(text);
    if (problem && taps * problem->geometry.output_numel() < 1000000) return *problem;
  }
}

TEST(HostileTaps, RandomWindows) {
  const std::unique_ptr<Executor> threads = make_executor(3);
  Rng rng(3);
  for (int i = 0; i < 150; ++i)
    ASSERT_NO_FATAL_FAILURE(expect_exact(random_windows(rng, "f32"), i % 4 == 0 ? *threads : serial_executor(), 12));
}

void expect_reference_result(const Problem& problem) {
  SCOPED_TRACE(to_string(problem));
  Rng rng(2), places(2);
  Job job = make_job(problem, rng, random_placements(places, Placement::Guard::after));
  fill_valid(Taps(problem), job.indices.span(), rng);
  job.indices.remember();
  job.expected = reference::compute(problem, job.arrays());
  ASSERT_TRUE(every_kernel_right(job, serial_executor(), 2));
}

// Any valid indices, not only those that a max pooling writes, give the result of the reference on every kernel.
TEST(HostileTaps, AnyValidIndicesGiveTheReferencesResult) {
  for (Layout layout : all_layouts)
    for (const char* pass : {"bwd", "bwd2"})
      for (const char* text : clipped)
        ASSERT_NO_FATAL_FAILURE(expect_reference_result(problem_of("max", text, pass, layout, " idx=window")));
  Rng rng(4);
  for (int i = 0; i < 40; ++i)
    for (const char* dtype : {"f32", "f64", "f16", "bf16"}) ASSERT_NO_FATAL_FAILURE(expect_reference_result(random_windows(rng, dtype)));
}

}  // namespace
}  // namespace tidepool::test
