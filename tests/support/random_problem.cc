#include "support/random_problem.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace tidepool::test {
namespace {

// Mostly small, often one off a multiple of eight, where the tail of a vector loop begins.
int64_t random_size(Rng& rng, int64_t most) {
  const int64_t small = rng.between(1, 9);
  const int64_t around = 8 * rng.between(1, std::max<int64_t>(1, most / 8)) + rng.between(-1, 1);
  return std::clamp<int64_t>(rng.one_in(2) ? small : around, 1, most);
}

// Stride 1 and padding smaller than the window, as in networks that keep the size.
WindowOptions dense_options(Rng& rng, int rank) {
  WindowOptions o;
  o.preset = Preset::onnx;
  std::vector<int64_t> kernel;
  o.padding.count = rank;
  for (int i = 0; i < rank; ++i) {
    kernel.push_back(rng.one_in(2) ? 3 : rng.between(1, 6));
    o.padding.sides[static_cast<size_t>(i)] = {rng.between(0, kernel.back() - 1), rng.between(0, kernel.back())};
  }
  o.kernel_size = Sizes::from(kernel);
  o.stride = {{1}, 1};
  return o;
}

WindowOptions random_options(Rng& rng, int rank) {
  if (rng.one_in(3)) return dense_options(rng, rank);
  WindowOptions o;
  o.preset = Preset::onnx;  // no limit on padding
  std::vector<int64_t> kernel, stride, dilation;
  const bool big_window = rng.one_in(8);
  const bool dilated = rng.one_in(4);
  for (int i = 0; i < rank; ++i) {
    kernel.push_back(big_window ? rng.between(1, 40) : rng.between(1, 5));
    stride.push_back(rng.one_in(10) ? rng.between(1, 12) : rng.between(1, 4));
    dilation.push_back(dilated ? rng.between(1, 4) : 1);
  }
  if (rng.one_in(3)) kernel.resize(1);
  if (rng.one_in(3)) stride.resize(1);
  if (rng.one_in(4)) stride.clear();
  o.kernel_size = Sizes::from(kernel);
  o.stride = Sizes::from(stride);
  o.dilation = Sizes::from(dilation);

  if (rng.one_in(6)) {
    o.padding.mode = rng.pick({PaddingMode::valid, PaddingMode::same_upper, PaddingMode::same_lower});
  } else {
    o.padding.count = rank;
    const int64_t most = rng.pick<int64_t>({0, 1, 2, 5});
    for (int i = 0; i < rank; ++i) {
      const int64_t before = rng.between(0, most);
      o.padding.sides[static_cast<size_t>(i)] = {before, rng.one_in(2) ? before : rng.between(0, most)};
    }
  }
  const bool same = o.padding.mode == PaddingMode::same_upper || o.padding.mode == PaddingMode::same_lower;
  if (!same) o.ceil_mode = rng.pick({Rounding::floor, Rounding::floor, Rounding::ceil, Rounding::ceil_full});
  return o;
}

Sizes random_output(Rng& rng, int rank) {
  std::vector<int64_t> sizes;
  for (int i = 0; i < rank; ++i) sizes.push_back(rng.one_in(8) ? keep_size : rng.between(rng.one_in(20) ? 0 : 1, 9));
  return Sizes::from(sizes);
}

Reduction random_norm(Rng& rng) {
  Reduction r{.norm = rng.pick<double>({1, 2, 2, 3, 0.5, 1.5, 4.25, std::numeric_limits<double>::infinity()})};
  r.signed_power = rng.one_in(4);
  if (r.signed_power && rng.one_in(4)) r.norm = -r.norm;
  r.scale_overhang = rng.one_in(2);
  return r;
}

Reduction random_reduction(Rng& rng, Op op) {
  if (op == Op::lp) return random_norm(rng);
  if (op == Op::sum) return {.divisor = Divisor::fixed, .fixed_divisor = 1};
  if (op != Op::avg) return {};
  Reduction r;
  r.divisor = rng.pick({Divisor::window_in_padded, Divisor::window_in_padded, Divisor::full_kernel, Divisor::valid_only, Divisor::fixed});
  if (r.divisor == Divisor::fixed) r.fixed_divisor = rng.pick<int64_t>({-7, -1, 1, 2, 3, 10});
  r.rounding = rng.pick({IntegerRounding::truncate, IntegerRounding::floor, IntegerRounding::nearest_even});
  return r;
}

Dims random_shape(Rng& rng, int rank, const ProblemSpace& space) {
  Dims shape;
  if (!rng.one_in(8)) shape.push_back(space.empty_batch && rng.one_in(40) ? 0 : rng.between(1, 3));
  shape.push_back(rng.one_in(2) ? rng.between(1, 5) : random_size(rng, space.max_channels));
  for (int i = 0; i < rank; ++i) shape.push_back(i + 1 == rank ? random_size(rng, space.max_width) : rng.between(1, 14));
  return shape;
}

// Fractional windows need an output that fits beside the kernel.
Result<Geometry> random_fractional(Rng& rng, int rank, const Dims& shape) {
  std::vector<int64_t> kernel, output;
  for (int i = 0; i < rank; ++i) {
    const int64_t length = shape[shape.rank - rank + i];
    kernel.push_back(rng.between(1, std::min<int64_t>(length, 4)));
    output.push_back(rng.between(rng.one_in(20) ? 0 : 1, length - kernel.back() + 1));
  }
  return Geometry::fractional("random", rank, shape, Sizes::from(kernel), Sizes::from(output));
}

// `shape` is the result of the pooling that is undone.
Result<Geometry> random_unpooled(Rng& rng, int rank, const Dims& shape) {
  WindowOptions o = random_options(rng, rank);
  if (o.padding.mode != PaddingMode::explicit_sides) o.padding = {};
  // With padding smaller than the window most windows have a cell, and so an index.
  for (int i = 0; i < rank && o.padding.count == rank; ++i) {
    Sides& pad = o.padding.sides[static_cast<size_t>(i)];
    pad = {std::min(pad.before, o.kernel_size[i] - 1), std::min(pad.after, o.kernel_size[i] - 1)};
  }
  Result<Geometry> fewest = Geometry::unpooled("random", rank, shape, o, {});
  if (!fewest || rng.one_in(3)) return fewest;
  std::vector<int64_t> sizes;
  for (int i = 3 - rank; i < 3; ++i) {
    const Axis& axis = fewest->axis(i);
    sizes.push_back(axis.input() + rng.between(1 - axis.stride(), axis.stride() - 1));
  }
  return Geometry::unpooled("random", rank, shape, o, Sizes::from(sizes));
}

// Shrinks windows that are larger than the padded input, which would be refused.
WindowOptions fitted(WindowOptions o, int rank, const Dims& shape) {
  if (o.padding.mode == PaddingMode::same_upper || o.padding.mode == PaddingMode::same_lower) return o;  // always fits
  std::vector<int64_t> kernel, dilation;
  for (int i = 0; i < rank; ++i) {
    const Sides pad = o.padding[i];
    const int64_t room = shape[shape.rank - rank + i] + pad.before + pad.after;
    kernel.push_back(std::min(o.kernel_size[i], room));
    const int64_t gaps = kernel.back() - 1;
    dilation.push_back(gaps == 0 ? o.dilation[i] : std::min(o.dilation[i], std::max<int64_t>(1, (room - 1) / gaps)));
  }
  o.kernel_size = Sizes::from(kernel);
  o.dilation = Sizes::from(dilation);
  return o;
}

// Windows of 64 cells and more at small strides, whose sums the kernels may add in any order (ADR 9).
Result<Geometry> random_large_windows(Rng& rng, int rank, const Dims& shape) {
  WindowOptions o = random_options(rng, rank);
  o.dilation = {{1}, 1};
  std::vector<int64_t> kernel;
  for (int i = 0; i < rank; ++i) {
    const int64_t length = shape[shape.rank - rank + i];
    kernel.push_back(rank == 1 ? rng.between(64, 90) : rank == 3 && i == 0 ? 1 : rng.between(std::min<int64_t>(length, 8), 2 * length));
  }
  o.kernel_size = Sizes::from(kernel);
  o.stride = {{rng.between(1, 2)}, 1};
  if (o.padding.mode == PaddingMode::explicit_sides) o.padding = {.sides = {Sides(rng.between(0, 20))}};
  return Geometry::windowed("random", rank, shape, fitted(o, rank, shape));
}

bool has_empty_window(const Geometry& g) {
  return g.depth().has_empty_window() || g.height().has_empty_window() || g.width().has_empty_window();
}

Result<Geometry> random_geometry(Rng& rng, Op op, int rank, const Dims& shape) {
  if (op == Op::unpool) return random_unpooled(rng, rank, shape);
  if (rng.one_in(6)) return Geometry::adaptive("random", rank, shape, random_output(rng, rank));
  const bool adds = op == Op::avg || op == Op::sum, compares = op == Op::max || op == Op::min;
  if ((adds && rng.one_in(4)) || (compares && rng.one_in(8))) return Geometry::adaptive("random", rank, shape, {{1}, 1});  // whole planes
  if ((op == Op::avg || op == Op::sum) && rng.one_in(3)) return random_large_windows(rng, rank, shape);
  if ((op == Op::max || op == Op::min) && rng.one_in(8)) return random_fractional(rng, rank, shape);
  return Geometry::windowed("random", rank, shape, fitted(random_options(rng, rank), rank, shape));
}

// Gradients exist for floating types, norms too, and averages of bool do not exist.
bool is_defined(const Problem& p) {
  if ((p.pass != Pass::forward || p.op == Op::lp) && !is_floating(p.dtype)) return false;
  return has_indices(p.op) || p.dtype != DType::boolean;
}

// Op, pass and dtype: as the space fixes them, otherwise drawn.
Problem random_kind(Rng& rng, const ProblemSpace& space) {
  for (;;) {
    Problem p;
    p.op = space.op ? *space.op : rng.pick({Op::max, Op::max, Op::min, Op::avg, Op::avg, Op::sum, Op::lp, Op::unpool});
    p.pass = rng.pick({Pass::forward, Pass::forward, Pass::backward, Pass::double_backward});
    if (p.op == Op::lp && rng.one_in(3)) p.pass = Pass::double_backward_input;
    if (space.pass) p.pass = *space.pass;
    p.dtype = rng.one_in(3) ? DType::f32 : rng.pick(std::span<const DType>(all_dtypes));
    if (space.dtype) p.dtype = *space.dtype;
    if ((space.op && space.pass && space.dtype) || is_defined(p)) return p;
  }
}

// The reference implementation visits every tap, for norms with a power, and for their second derivative every pair of taps.
bool is_small(const Problem& p, int64_t max_work) {
  const int64_t visited = p.geometry.output_numel() * p.geometry.window_taps();
  if (p.geometry.input_numel() > max_work || visited > 8 * max_work) return false;
  if (p.op == Op::lp && visited > max_work) return false;
  return p.pass != Pass::double_backward_input || p.geometry.window_taps() <= 30;
}

}  // namespace

Problem random_problem(Rng& rng, const ProblemSpace& space, Draws* draws) {
  Draws ignored;
  Draws& count = draws != nullptr ? *draws : ignored;
  for (;;) {
    Problem p = random_kind(rng, space);
    p.layout = rng.pick({Layout::channels_first, Layout::channels_first, Layout::channels_last, Layout::channels_last, Layout::strided});
    if ((p.op == Op::max || p.op == Op::min) && rng.one_in(5)) p.nan = NanPolicy::ignore;
    p.reduction = random_reduction(rng, p.op);
    if (has_indices(p.op) && (reads_indices(p) || rng.one_in(2)))
      p.indices = rng.pick({IndexBase::plane, IndexBase::tensor, IndexBase::window, IndexBase::window, IndexBase::window});
    const int rank = static_cast<int>(rng.between(1, 3));
    const auto geometry = random_geometry(rng, p.op, rank, random_shape(rng, rank, space));
    ++count.drawn;
    if (!geometry) {
      ++count.invalid;
      continue;
    }
    p.geometry = *geometry;
    // A pooling with an empty window writes the index -1, which unpooling refuses.
    const bool without_index = p.op == Op::unpool && has_empty_window(p.geometry);
    if (without_index || !is_small(p, space.max_work)) {
      ++count.unsuitable;
      continue;
    }
    return p;
  }
}

}  // namespace tidepool::test
