// Every small grid through the public functions, forward and backward: the same bits as the reference implementation, or refused.
#include <gtest/gtest.h>

#include <iostream>

#include "exhaustive/small_grids.h"
#include "reference/reference.h"
#include "support/avg_pool_families.h"
#include "support/compare.h"
#include "support/counts.h"
#include "support/fill.h"
#include "support/max_pool_families.h"
#include "support/tensors.h"

namespace tidepool {
namespace {

using test::Contents;
using test::same_bits;
using test::SmallGrid;

// Counts one comparison.
void expect_same(test::Counts& counts, const Problem& problem, const reference::Expected& expected, const TensorArg& values,
                 const TensorArg& indices = TensorView{}) {
  auto same = same_bits(expected.values, values);
  if (same && expected.indices.numel() > 0) same = same_bits(expected.indices, indices);
  counts.add(function_name(problem.op, problem.geometry.rank()), std::string(dtype_name(problem.dtype)),
             problem.pass == Pass::forward ? "forward" : "backward", static_cast<bool>(same));
  EXPECT_TRUE(same) << to_string(problem);
}

Tensor filled(const Dims& shape, DType dtype, MemoryFormat format, Contents contents, test::Rng& rng) {
  Tensor t(shape, dtype, format);
  fill(t.span(), contents, rng);
  return t;
}

// One op on one grid.
struct Case {
  DType dtype;
  MemoryFormat format;
  uint64_t seed;

  Problem problem(Op op, const Geometry& geometry) const {
    const Layout layout = format == MemoryFormat::contiguous ? Layout::channels_first : Layout::channels_last;
    return {.op = op, .dtype = dtype, .layout = layout, .geometry = geometry};
  }
};

template <class F>
void check_max(const SmallGrid<F::rank>& grid, const Case& c, test::Counts& counts) {
  test::Rng rng(c.seed);
  const auto o = grid.template options<typename F::Options>();
  const Tensor x = filled(grid.input_shape(), c.dtype, c.format, rng.pick({Contents::ties, Contents::specials}), rng);
  Problem problem = c.problem(F::op, grid.geometry());
  problem.indices = IndexBase::plane;
  const Pooled y = F::with_indices(x, o);
  ASSERT_EQ(y.values.shape(), grid.output_shape());
  expect_same(counts, problem, reference::compute(problem, {.input = x}), y.values, y.indices);
  if (!is_floating(c.dtype)) return;
  problem.pass = Pass::backward;
  const Tensor grad = filled(grid.output_shape(), c.dtype, c.format, Contents::finite, rng);
  expect_same(counts, problem, reference::compute(problem, {.input = grad, .indices_in = y.indices}),
              F::backward(grad, y.indices, x.shape(), o));
}

template <class F>
void check_average(const SmallGrid<F::rank>& grid, const Case& c, const Reduction& reduction, test::Counts& counts) {
  test::Rng rng(c.seed);
  auto o = grid.template options<typename F::Options>();
  if (reduction.divisor == Divisor::fixed)
    o.divisor_override = reduction.fixed_divisor;
  else
    o.count_include_pad = reduction.divisor;
  const Tensor x = filled(grid.input_shape(), c.dtype, c.format, rng.pick({Contents::smooth, Contents::finite}), rng);
  Problem problem = c.problem(F::op, grid.geometry());
  problem.reduction = reduction;
  const Tensor y = F::pool(x, o);
  ASSERT_EQ(y.shape(), grid.output_shape());
  expect_same(counts, problem, reference::compute(problem, {.input = x}), y);
  if (!is_floating(c.dtype)) return;
  problem.pass = Pass::backward;
  const Tensor grad = filled(grid.output_shape(), c.dtype, c.format, Contents::smooth, rng);
  expect_same(counts, problem, reference::compute(problem, {.input = grad}), F::backward(grad, x.shape(), o));
}

constexpr Reduction every_divisor[] = {{.divisor = Divisor::window_in_padded},
                                       {.divisor = Divisor::valid_only},
                                       {.divisor = Divisor::full_kernel},
                                       {.divisor = Divisor::fixed, .fixed_divisor = 3}};

template <class F>
void expect_refused(const SmallGrid<F::rank>& grid) {
  const auto o = grid.template options<typename F::Options>();
  const Tensor x(grid.input_shape());
  EXPECT_NE(test::message_of([&] { F::pool(x, o); }).find("output size must be at least 1"), std::string::npos) << F::name();
}

struct Grids {
  int64_t valid = 0, refused = 0;

  template <class... Families>
  void print() const {
    ((std::cout << "exhaustive " << Families::name() << ": " << valid << " grids, " << refused << " more refused\n"), ...);
  }
};

template <class Max, class Average>
void check(const SmallGrid<Max::rank>& grid, std::span<const Case> cases, std::span<const Reduction> divisors, Grids& grids,
           test::Counts& counts) {
  if (!grid.is_valid()) {
    ++grids.refused;
    expect_refused<Max>(grid);
    expect_refused<Average>(grid);
    return;
  }
  ++grids.valid;
  for (const Case& c : cases) {
    check_max<Max>(grid, c, counts);
    for (const Reduction& divisor : divisors) check_average<Average>(grid, c, divisor, counts);
  }
}

// bool has no averages; its maxima are tested elsewhere.
constexpr DType dtypes[] = {DType::f32, DType::f64, DType::f16, DType::bf16, DType::i8, DType::u8, DType::i16, DType::i32, DType::i64};
constexpr MemoryFormat formats[] = {MemoryFormat::contiguous, MemoryFormat::channels_last};

TEST(Exhaustive, SmallGridsMatchTheReference) {
  const std::vector<test::SmallAxis> axes = test::all_small_axes();
  test::Counts counts("reference");
  Grids lines, planes;
  uint64_t seed = 0;
  for (const test::SmallAxis& axis : axes)
    for (bool ceil : {false, true}) {
      std::vector<Case> cases;
      for (DType dtype : dtypes) cases.push_back({dtype, formats[++seed % 2], seed});
      check<test::Max1, test::Avg1>({{axis}, ceil}, cases, every_divisor, lines, counts);
      if (HasFailure()) return;
    }

  test::Rng rng(7);
  while (planes.valid < 4000) {
    ++seed;
    const auto any_axis = [&] { return rng.pick(std::span<const test::SmallAxis>(axes)); };
    const Case any_case{rng.one_in(2) ? DType::f32 : rng.pick(std::span<const DType>(dtypes)), formats[rng.between(0, 1)], seed};
    check<test::Max2, test::Avg2>({{any_axis(), any_axis()}, rng.one_in(2)}, {&any_case, 1}, {&every_divisor[seed % 4], 1}, planes, counts);
    if (HasFailure()) return;
  }
  lines.print<test::Max1, test::Avg1>();
  planes.print<test::Max2, test::Avg2>();
  counts.print("exhaustive", "comparisons");
  counts.write("exhaustive.json");
}

}  // namespace
}  // namespace tidepool
