#include "support/arrays.h"

#include <algorithm>
#include <cstring>

#include "support/cells.h"
#include "support/guarded.h"

namespace tidepool::test {
namespace {

constexpr auto canary = std::byte{0xA5};

// First and last element offsets an array touches, relative to its first cell.
std::pair<int64_t, int64_t> reach(const Dims& shape, const Dims& strides) {
  int64_t low = 0, high = -1;
  for (int64_t s : shape.span())
    if (s == 0) return {0, -1};
  high = 0;
  for (int i = 0; i < shape.rank; ++i) (strides[i] < 0 ? low : high) += (shape[i] - 1) * strides[i];
  return {low, high};
}

}  // namespace

Placement random_placement(Rng& rng) {
  return {.guard = rng.pick({Placement::Guard::none, Placement::Guard::after, Placement::Guard::before}),
          .shift = rng.one_in(2) ? 0 : rng.between(1, 9),
          .dense = !rng.one_in(3),
          .reversed = rng.one_in(2)};
}

Dims strides_for(Layout layout, const Dims& shape, int spatial_rank, int64_t gap) {
  const int channel = shape.rank - spatial_rank - 1;
  Dims strides = shape;
  int64_t step = layout == Layout::strided ? 2 : 1;
  const auto place = [&](int dim) {
    strides[dim] = step;
    step = step * std::max<int64_t>(shape[dim], 1) + gap;
  };
  if (layout == Layout::channels_last) place(channel);
  for (int i = shape.rank - 1; i > channel; --i) place(i);
  if (layout != Layout::channels_last) place(channel);
  for (int i = channel - 1; i >= 0; --i) place(i);
  return strides;
}

Array::Array(const Dims& shape, DType dtype, Layout layout, int spatial_rank, const Placement& placement) {
  Dims strides = strides_for(layout, shape, spatial_rank, placement.dense ? 0 : 3);
  if (placement.reversed && layout == Layout::strided)
    for (int i = shape.rank - 1; i >= 0; i -= 2) strides[i] = -strides[i];
  const auto [low, high] = reach(shape, strides);
  const int64_t size = dtype_size(dtype);
  const int64_t cells = (high - low + 1) * size;
  const bool flush_end = placement.guard == Placement::Guard::after;
  // Next to a guard page the distance to it is what matters; a shift goes to the other end.
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
  RunArrays a;
  a.input = input.view();
  a.output = output.span();
  if (problem.pass == Pass::forward) {
    if (problem.indices) a.indices_out = indices.span();
  } else if (problem.indices) {
    a.indices_in = indices.view();
  }
  return a;
}

Job make_job(const Problem& problem, Contents contents, Rng& rng, const Placement& placement) {
  const Geometry& g = problem.geometry;
  const bool input_sized = problem.pass != Pass::backward;
  const auto array = [&](const Dims& shape, DType dtype) { return Array(shape, dtype, problem.layout, g.rank(), placement); };
  Job job;
  job.problem = problem;
  job.input = array(input_sized ? g.input_shape() : g.output_shape(), problem.dtype);
  fill(job.input.span(), contents, rng);
  job.output = array(problem.pass == Pass::backward ? g.input_shape() : g.output_shape(), problem.dtype);
  if (problem.indices) {
    job.indices = array(g.output_shape(), index_dtype(*problem.indices, g, problem.nan));
    if (problem.pass != Pass::forward) {
      Tensor x(g.input_shape(), problem.dtype);
      fill(x.span(), rng.pick({Contents::ties, Contents::specials}), rng);
      Problem forward = problem;
      forward.pass = Pass::forward;
      copy(oracle::run(forward, x).indices, job.indices.span());
    }
    job.indices.remember();
  }
  job.input.remember();
  job.output.remember();
  job.expected = oracle::run(problem, job.input.view(), problem.indices ? job.indices.view() : TensorView{});
  return job;
}

Job make_job(const Problem& problem, Rng& rng, const Placement& placement) {
  return make_job(problem, problem.pass == Pass::backward ? Contents::finite : random_contents(rng), rng, placement);
}

}  // namespace tidepool::test
