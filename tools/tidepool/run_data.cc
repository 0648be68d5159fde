#include "run_data.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>

#include "tidepool/creation.h"
#include "tidepool/error.h"
#include "tidepool/runtime.h"

namespace tidepool::cli {

namespace {

constexpr int64_t alignment = 64;

Dims strides_for(const Geometry& geometry, const Dims& shape, Layout layout) {
  if (layout == Layout::channels_last) {
    if (geometry.batched()) return channels_last_strides(shape);
    Dims with_batch;
    with_batch.push_back(1);
    for (int64_t size : shape.span()) with_batch.push_back(size);
    return Dims(channels_last_strides(with_batch).span().subspan(1));
  }
  Dims strides = contiguous_strides(shape);
  // Every second element, so that neither columns nor channels are adjacent.
  if (layout == Layout::strided)
    for (int i = 0; i < strides.rank; ++i) strides[i] *= 2;
  return strides;
}

// An array to be made. Unused ones take no memory.
struct ArraySpec {
  DType dtype;
  Dims shape;
  bool used = true;
};

// Memory for several arrays, one after the other, each at an aligned address.
class MemoryBlock {
 public:
  MemoryBlock(const Problem& problem, std::initializer_list<ArraySpec> list) : problem_(problem) {
    for (const ArraySpec& spec : list) {
      if (!spec.used) continue;
      const auto count = checked_numel(spec.shape);
      if (!count || *count > INT64_MAX / 4 / dtype_size(spec.dtype)) too_large();
      const int64_t bytes = *count * dtype_size(spec.dtype);
      counted_ += bytes;
      if (counted_ > INT64_MAX / 4) too_large();
      spanned_ += (problem.layout == Layout::strided ? 2 * bytes : bytes) + alignment;
    }
    const auto machine = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
    if (static_cast<double>(spanned_) > machine) too_large();
    memory_ = Tensor({spanned_}, DType::u8);
  }

  TensorSpan allocate(const ArraySpec& spec) {
    TensorSpan span{{memory_.span().data + at_, spec.dtype, spec.shape, strides_for(problem_.geometry, spec.shape, problem_.layout)}};
    const int64_t bytes = span.numel() * dtype_size(spec.dtype) * (problem_.layout == Layout::strided ? 2 : 1);
    at_ += (bytes + alignment - 1) / alignment * alignment;
    return span;
  }

  const Tensor& memory() const noexcept { return memory_; }
  int64_t counted() const noexcept { return counted_; }

 private:
  [[noreturn]] void too_large() const {
    throw Error(ErrorCode::out_of_memory, "run: the arrays of \"" + to_string(problem_) + "\" do not fit into this machine's memory");
  }

  const Problem& problem_;
  Tensor memory_;
  int64_t counted_ = 0;  // bytes of all elements
  int64_t spanned_ = 0;  // bytes of memory, with the gaps between elements
  int64_t at_ = 0;       // where the next array begins
};

void fill_cells(TensorSpan span, uint64_t seed) {
  if (is_floating(span.dtype)) {
    fill_randn(span, seed);
  } else {
    fill_rand(span, seed);
  }
}

}  // namespace

void fill_random(TensorSpan span, uint64_t seed, bool dense) {
  constexpr int64_t period = 131'071;
  const int64_t count = span.numel();
  if (!dense || count <= period) return fill_cells(span, seed);
  fill_cells(TensorSpan{{span.data, span.dtype, Dims{period}, Dims{1}}}, seed);
  const int64_t size = dtype_size(span.dtype);
  for (int64_t done = period; done < count;) {
    const int64_t more = std::min(done, count - done);
    std::memcpy(span.data + done * size, span.data, static_cast<size_t>(more * size));
    done += more;
  }
}

namespace {

// Starts of fractional windows: evenly spread, and a little later in every plane.
Tensor make_starts(const Geometry& g) {
  Dims shape;
  if (g.batched()) shape.push_back(g.batch());
  shape.push_back(g.channels());
  shape.push_back(0);
  for (int i = 3 - g.rank(); i < 3; ++i) shape[shape.rank - 1] += g.axis(i).output();
  Tensor starts(shape, DType::i64);
  int64_t* out = starts.data<int64_t>();
  for (int64_t plane = 0; plane < g.batch() * g.channels(); ++plane)
    for (int i = 3 - g.rank(); i < 3; ++i) {
      const Axis& axis = g.axis(i);
      for (int64_t o = 0; o < axis.output(); ++o)
        *out++ = std::min((o * axis.input() + plane % axis.input()) / axis.output(), axis.input() - axis.kernel());
    }
  return starts;
}

// Writes the indices of a max pooling with the problem's windows over random input.
void make_indices(const Problem& problem, const Tensor& starts, TensorSpan indices, uint64_t seed, Executor& executor) {
  Problem forward = problem;
  forward.pass = Pass::forward;
  if (problem.op == Op::unpool) forward.op = Op::max;
  const ArraySpec in{problem.dtype, problem.geometry.input_shape()};
  const ArraySpec out{problem.dtype, problem.geometry.output_shape()};
  MemoryBlock block(forward, {in, out});
  const TensorSpan input = block.allocate(in);
  fill_random(input, seed, problem.layout != Layout::strided);
  make_plan(forward).run({.input = input, .output = block.allocate(out), .indices_out = indices, .starts = starts}, executor);
}

}  // namespace

RunData make_run_data(const Problem& problem, uint64_t seed, Executor& executor) {
  const Geometry& g = problem.geometry;
  const DType index_type = index_dtype(problem.indices.value_or(IndexBase::plane), g, problem.nan);
  const ArraySpec input{problem.dtype, source_shape(problem)};
  const ArraySpec output{problem.dtype, result_shape(problem)};
  const ArraySpec indices_in{index_type, g.output_shape(), problem.indices && reads_indices(problem)};
  const ArraySpec indices_out{index_type, g.output_shape(), problem.indices && !reads_indices(problem)};
  const ArraySpec saved{problem.dtype, g.input_shape(), reads_saved(problem)};
  const ArraySpec grad{problem.dtype, g.output_shape(), problem.pass == Pass::double_backward_input};

  MemoryBlock read(problem, {input, saved, grad, indices_in});
  MemoryBlock write(problem, {output, indices_out});
  RunData data;
  const auto filled = [&](const ArraySpec& spec) {
    const TensorSpan span = read.allocate(spec);
    fill_random(span, seed++, problem.layout != Layout::strided);
    return span;
  };
  data.arrays.input = filled(input);
  if (saved.used) data.arrays.saved = filled(saved);
  if (grad.used) data.arrays.grad = filled(grad);
  data.arrays.output = write.allocate(output);
  if (g.width().is_fractional()) data.arrays.starts = data.starts = make_starts(g);
  if (indices_in.used) {
    const TensorSpan indices = read.allocate(indices_in);
    make_indices(problem, data.starts, indices, seed, executor);
    data.arrays.indices_in = indices;
  }
  if (indices_out.used) data.arrays.indices_out = write.allocate(indices_out);
  data.read_block = read.memory();
  data.write_block = write.memory();
  // Pages that were never written share one physical page of zeros, so that reading them would be faster than memory.
  std::fill_n(data.write_block.data<uint8_t>(), data.write_block.numel(), uint8_t{0});
  data.read_bytes = read.counted();
  data.write_bytes = write.counted();
  return data;
}

void stream_limit(RunData& data, Executor& executor) {
  const uint8_t* in = data.read_block.data<uint8_t>();
  uint8_t* out = data.write_block.data<uint8_t>();
  const int64_t parts = std::max(1, executor.concurrency());
  const auto edge = [&](int64_t bytes, int64_t part) { return part == parts ? bytes : bytes / parts * part / alignment * alignment; };
  std::atomic<unsigned> seen{0};
  executor.parallel_for(parts, 1, [&](int64_t begin, int64_t end) {
    const int64_t in_begin = edge(data.read_bytes, begin), out_begin = edge(data.write_bytes, begin);
    seen += stream_once(in + in_begin, edge(data.read_bytes, end) - in_begin, out + out_begin, edge(data.write_bytes, end) - out_begin);
  });
  // Keeps the compiler from removing the reads.
  volatile unsigned sink = seen;
  (void)sink;
}

}  // namespace tidepool::cli
