#include "support/arrays.h"

#include <algorithm>
#include <cstring>

#include "support/cells.h"
#include "support/guarded.h"

namespace tidepool::test {
namespace {

constexpr auto canary = std::byte{0xA5};

// The smallest and the largest offset of an element, relative to the first cell.
std::pair<int64_t, int64_t> reach(const Dims& shape, const Dims& strides) {
  int64_t low = 0, high = -1;
  for (int64_t s : shape.span())
    if (s == 0) return {0, -1};
  high = 0;
  for (int i = 0; i < shape.rank; ++i) (strides[i] < 0 ? low : high) += (shape[i] - 1) * strides[i];
  return {low, high};
}

}  // namespace

Placements random_placements(Rng& rng, Placement::Guard guard) {
  const bool dense = rng.one_in(3);
  return [&rng, guard, dense] {
    Placement p{.guard = guard, .shift = rng.one_in(2) ? 0 : rng.between(1, 9), .reversed = rng.one_in(2), .odd_units = rng.one_in(2)};
    if (dense) return p;
    if (rng.one_in(4)) p.layout = rng.pick(std::span<const Layout>(all_layouts));
    for (int i = 0; i < max_rank; ++i) p.gaps.push_back(rng.one_in(3) ? 0 : rng.between(1, 7));
    if (rng.one_in(4)) p.repeated = static_cast<int>(rng.between(0, 4));
    return p;
  };
}

Dims strides_for(Layout layout, const Dims& shape, int spatial_rank, const Dims& gaps) {
  const int channel = shape.rank - spatial_rank - 1;
  Dims strides = shape;
  int64_t step = layout == Layout::strided ? 2 : 1;
  const auto place = [&](int dim) {
    strides[dim] = step;
    step = step * std::max<int64_t>(shape[dim], 1) + (gaps.rank == 0 ? 0 : gaps[dim]);
  };
  if (layout == Layout::channels_last) place(channel);
  for (int i = shape.rank - 1; i > channel; --i) place(i);
  if (layout != Layout::channels_last) place(channel);
  for (int i = channel - 1; i >= 0; --i) place(i);
  return strides;
}

Array::Array(const Dims& shape, DType dtype, Layout layout, int spatial_rank, const Placement& placement) {
  Dims strides = strides_for(layout, shape, spatial_rank, placement.gaps);
  if (placement.reversed && layout == Layout::strided)
    for (int i = shape.rank - 1; i >= 0; i -= 2) strides[i] = -strides[i];
  constexpr int64_t odd_strides[] = {0, 5, -3, 1 << 30, 1};
  for (int i = 0; i < shape.rank; ++i)
    if (placement.odd_units && shape[i] == 1) strides[i] = odd_strides[i % 5];
  const int adjacent = layout == Layout::strided ? -1 : layout == Layout::channels_last ? shape.rank - spatial_rank - 1 : shape.rank - 1;
  if (placement.repeated >= 0 && placement.repeated < shape.rank && placement.repeated != adjacent) strides[placement.repeated] = 0;
  const auto [low, high] = reach(shape, strides);
  const int64_t size = dtype_size(dtype);
  const int64_t cells = (high - low + 1) * size;
  const bool flush_end = placement.guard == Placement::Guard::after;
  // The array must touch the guard page, so a shift moves the other end.
  const int64_t before = placement.guard == Placement::Guard::none ? 64 + placement.shift * size : flush_end ? placement.shift * size : 0;
  const int64_t after = placement.guard == Placement::Guard::none ? 64 : flush_end ? 0 : placement.shift * size;
  bytes_ = before + cells + after;
  memory_ = placement.guard == Placement::Guard::none
                ? std::shared_ptr<std::byte>(static_cast<std::byte*>(::operator new(static_cast<size_t>(bytes_), std::align_val_t{64})),
                                             [](std::byte* p) { ::operator delete(p, std::align_val_t{64}); })
                : guarded_memory(bytes_, flush_end ? Flush::end : Flush::start);
  std::fill_n(memory_.get(), bytes_, canary);
  span_.data = memory_.get() + before - low * size;
  span_.dtype = dtype;
  span_.shape = shape;
  span_.strides = strides;
}

void Array::remember() { before_.assign(memory_.get(), memory_.get() + bytes_); }

void Array::restore() const { std::copy(before_.begin(), before_.end(), memory_.get()); }

bool Array::intact() const { return bytes_ == 0 || std::memcmp(before_.data(), memory_.get(), static_cast<size_t>(bytes_)) == 0; }

bool Array::gaps_intact() const {
  std::vector<std::byte> now(memory_.get(), memory_.get() + bytes_);
  const int64_t size = dtype_size(span_.dtype);
  for_each_cell(span_.shape, [&](const Dims& at) {
    const int64_t cell = span_.data - memory_.get() + offset_of(span_.strides, at) * size;
    std::copy_n(before_.begin() + cell, size, now.begin() + cell);
  });
  return now == before_;
}

RunArrays Job::arrays() const {
  RunArrays a{.input = input.view(), .output = output.span()};
  if (problem.indices && reads_indices(problem)) a.indices_in = indices.view();
  if (problem.indices && !reads_indices(problem)) a.indices_out = indices.span();
  if (reads_saved(problem)) a.saved = saved.view();
  if (problem.pass == Pass::double_backward_input) a.grad = grad.view();
  if (problem.geometry.width().is_fractional()) a.starts = starts;
  return a;
}

namespace {

Tensor random_starts(const Geometry& g, Rng& rng) {
  Dims shape;
  if (g.batched()) shape.push_back(g.batch());
  shape.push_back(g.channels());
  shape.push_back(0);
  for (int i = 3 - g.rank(); i < 3; ++i) shape[shape.rank - 1] += g.axis(i).output();
  Tensor starts(shape, DType::i64);
  int64_t* out = starts.data<int64_t>();
  for (int64_t plane = 0; plane < g.batch() * g.channels(); ++plane)
    for (int i = 3 - g.rank(); i < 3; ++i)
      for (int64_t o = 0; o < g.axis(i).output(); ++o) *out++ = rng.between(0, g.axis(i).input() - g.axis(i).kernel());
  return starts;
}

// Indices of a max pooling with the windows of `problem`, over random data.
Tensor pooled_indices(const Problem& problem, const Tensor& starts, Rng& rng) {
  Problem forward = problem;
  forward.pass = Pass::forward;
  if (problem.op == Op::unpool) forward.op = Op::max;
  Tensor x(problem.geometry.input_shape(), problem.dtype);
  fill(x.span(), rng.pick({Contents::ties, Contents::specials}), rng);
  return reference::compute(forward, {.input = x, .starts = starts}).indices;
}

}  // namespace

Job make_job(const Problem& problem, Contents contents, Rng& rng, const Placements& place, AnyLayout any) {
  const Geometry& g = problem.geometry;
  const auto array = [&](const Dims& shape, DType dtype, bool any_layout = true, bool only_read = false) {
    Placement placement = place();
    if (!only_read) placement.repeated = -1;
    return Array(shape, dtype, any_layout ? placement.layout.value_or(problem.layout) : problem.layout, g.rank(), placement);
  };
  const auto filled = [&](const Dims& shape, Contents with, bool any_layout = true) {
    Array a = array(shape, problem.dtype, any_layout, true);
    fill(a.span(), with, rng);
    a.remember();
    return a;
  };
  Job job;
  job.problem = problem;
  // Poolings, and the double backward pass of averages and sums, which is the same computation, rely on the layout of these two arrays. No
  // plan relies on that of another.
  const bool is_pooling = (problem.pass == Pass::forward && problem.op != Op::unpool) ||
                          (problem.pass == Pass::double_backward && (problem.op == Op::avg || problem.op == Op::sum));
  const bool any_layout = !is_pooling || any == AnyLayout::every_array;
  job.input = filled(source_shape(problem), contents, any_layout);
  job.output = array(result_shape(problem), problem.dtype, any_layout);
  job.output.remember();
  if (g.width().is_fractional()) job.starts = random_starts(g, rng);
  if (reads_saved(problem))
    job.saved = filled(g.input_shape(), problem.reduction.signed_power ? Contents::smooth : rng.pick({Contents::smooth, Contents::ties}));
  if (problem.pass == Pass::double_backward_input) job.grad = filled(g.output_shape(), Contents::smooth);
  if (problem.indices) {
    job.indices = array(g.output_shape(), index_dtype(*problem.indices, g, problem.nan));
    if (reads_indices(problem)) copy(pooled_indices(problem, job.starts, rng), job.indices.span());
    job.indices.remember();
  }
  job.expected = reference::compute(problem, job.arrays());
  return job;
}

Job make_job(const Problem& problem, Rng& rng, const Placements& place, AnyLayout any) {
  const bool gradient = problem.pass != Pass::forward;
  // Signed powers of extreme values can underflow in double and not in long double, and the sign of their sum decides whether the root
  // is NaN.
  if (problem.op == Op::lp && problem.reduction.signed_power) return make_job(problem, Contents::smooth, rng, place, any);
  if (problem.op == Op::lp && gradient) return make_job(problem, rng.pick({Contents::smooth, Contents::ties}), rng, place, any);
  return make_job(problem, gradient && enlarges(problem) ? Contents::finite : random_contents(rng), rng, place, any);
}

}  // namespace tidepool::test
