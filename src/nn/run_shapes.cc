// Runs layers that join, move, cut or add up cells, and matrix products.
#include <algorithm>
#include <numeric>
#include <utility>

#include "nn/run_layer.h"
#include "tidepool/autograd.h"
#include "tidepool/nn/functional.h"
#include "tidepool/ops/adaptive_pool.h"

namespace tidepool::inline v0_1::nn::detail {
namespace {

int counted(int dim, int rank) { return dim < 0 ? dim + rank : dim; }

Tensor total(const std::vector<Tensor>& parts) {
  Tensor sum = parts[0];
  for (size_t i = 1; i < parts.size(); ++i) sum = sum + parts[i];
  return sum;
}

// The position inside [0, size) that a position of the padding repeats.
int64_t source(int64_t at, int64_t size, analyze::Pad::Mode mode) {
  if (mode == analyze::Pad::Mode::replicate) return std::clamp<int64_t>(at, 0, size - 1);
  if (mode == analyze::Pad::Mode::circular) return ((at % size) + size) % size;
  while (size > 1 && (at < 0 || at >= size)) at = at < 0 ? -at : 2 * (size - 1) - at;
  return size > 1 ? at : 0;
}

// `dims` moved behind the others.
Tensor moved_to_end(Tensor x, const std::vector<bool>& last) {
  int64_t kept = 1, reduced = 1;
  Dims order;
  for (int dim = 0; dim < x.rank(); ++dim)
    if (!last[static_cast<size_t>(dim)]) order.push_back(dim);
  for (int dim = 0; dim < x.rank(); ++dim) (last[static_cast<size_t>(dim)] ? reduced : kept) *= x.size(dim);
  for (int dim = 0; dim < x.rank(); ++dim)
    if (last[static_cast<size_t>(dim)]) order.push_back(dim);
  // Swaps that bring every dimension to its place.
  for (int to = 0; to < x.rank(); ++to) {
    const auto from = static_cast<int>(order[to]);
    if (from == to) continue;
    x = x.transpose(to, from);
    for (int later = to + 1; later < x.rank(); ++later)
      if (order[later] == to) order[later] = from;
  }
  return reshape(x, {1, kept, reduced});
}

}  // namespace

Tensor matrix_of(const LayerRun& run, int64_t out, int64_t in) {
  constexpr int64_t most = int64_t{1} << 26;  // from 8192 cells to 8192: most are zero, and all are multiplied
  if (out > most / in) run.refuse("axes of " + std::to_string(in) + " and " + std::to_string(out) + " cells are too long");
  return zeros({out, in});
}

Tensor along(const Tensor& x, int dim, const Tensor& matrix) {
  return linear(x.transpose(dim, x.rank() - 1), matrix).transpose(dim, x.rank() - 1);
}

Tensor padded(const Tensor& x, int dim, int64_t before, int64_t after) {
  Tensor inside = x;
  if (before < 0 || after < 0) inside = x.slice(dim, std::max<int64_t>(0, -before), x.size(dim) + std::min<int64_t>(0, after));
  std::vector<Tensor> parts;
  Dims shape = x.shape();
  const auto add_zeros = [&](int64_t count) {
    if (count <= 0) return;
    shape[dim] = count;
    parts.push_back(zeros(shape));
  };
  add_zeros(before);
  parts.push_back(inside);
  add_zeros(after);
  return parts.size() == 1 ? inside : concat(parts, dim);
}

Tensor mean_everywhere(const Tensor& x, const std::vector<int>& dims) { return broadcast_to(mean(x, dims, true), x.shape()); }

Tensor run(const LayerRun& run, const analyze::Linear& layer) {
  const int64_t in = run.x[0].size(-1);
  return linear(run.x[0], run.weights({layer.out_features, in}, in));
}

Tensor run(const LayerRun& run, const analyze::Softmax& layer) {
  const int dim = counted(layer.dim, run.x[0].rank());
  return run.structural ? mean_everywhere(run.x[0], {dim}) : softmax(run.x[0], dim);
}

Tensor run(const LayerRun& run, const analyze::Merge& merge) {
  if (run.structural) return broadcast_to(total(run.x) * (1.0 / static_cast<double>(run.x.size())), run.node.shape);
  if (merge.kind == analyze::Merge::Kind::add) return total(run.x);
  const bool two = run.x.size() == 2;
  if (two && merge.function == "sub") return run.x[0] - run.x[1];
  if (two && merge.function == "div") return run.x[0] / run.x[1];
  if (merge.kind != analyze::Merge::Kind::multiply) run.refuse();
  Tensor product = run.x[0];
  for (size_t i = 1; i < run.x.size(); ++i) product = product * run.x[i];
  return product;
}

Tensor run(const LayerRun& run, const analyze::Concat& layer) { return concat(run.x, layer.dim); }

// Complete shapes, as the analysis has computed them.
Tensor run(const LayerRun& run, const analyze::Flatten&) { return reshape(run.x[0], run.node.shape); }
Tensor run(const LayerRun& run, const analyze::Reshape&) { return reshape(run.x[0], run.node.shape); }

Tensor run(const LayerRun& run, const analyze::Transpose& layer) {
  Tensor x = run.x[0];
  std::vector<int> at(static_cast<size_t>(x.rank()));  // which of the first dimensions stands at each place
  std::iota(at.begin(), at.end(), 0);
  for (int to = 0; to < x.rank(); ++to) {
    const auto found = std::find(at.begin(), at.end(), counted(layer.order[static_cast<size_t>(to)], x.rank()));
    const auto from = static_cast<int>(found - at.begin());
    if (from == to) continue;
    x = x.transpose(to, from);
    std::swap(at[static_cast<size_t>(to)], at[static_cast<size_t>(from)]);
  }
  return x;
}

Tensor run(const LayerRun& run, const analyze::Slice& layer) {
  const Tensor& x = run.x[0];
  const int dim = counted(layer.dim, x.rank());
  const int64_t begin = std::clamp<int64_t>(layer.begin < 0 ? layer.begin + x.size(dim) : layer.begin, 0, x.size(dim));
  return x.slice(dim, begin, std::min(x.size(dim), begin + (run.node.shape[dim] - 1) * layer.step + 1), layer.step);
}

Tensor run(const LayerRun& run, const analyze::Pad& pad) {
  Tensor x = run.x[0];
  for (int dim = 0; dim < x.rank(); ++dim) {
    const Sides sides = pad.sides[static_cast<size_t>(dim)];
    if (sides == Sides()) continue;
    if (pad.mode == analyze::Pad::Mode::constant) {
      x = padded(x, dim, sides.before, sides.after);
      continue;
    }
    const int64_t in = x.size(dim), out = run.node.shape[dim];
    Tensor choice = matrix_of(run, out, in);
    for (int64_t o = 0; o < out; ++o) choice.data<float>()[o * in + source(o - sides.before, in, pad.mode)] = 1;
    x = along(x, dim, choice);
  }
  return x;
}

Tensor run(const LayerRun& run, const analyze::Reduce& reduce) {
  const Tensor& x = run.x[0];
  std::vector<int> dims;
  std::vector<bool> reduced(x.shape().size());
  for (const int dim : reduce.dims) {
    const int d = counted(dim, x.rank());
    if (!reduced[static_cast<size_t>(d)]) dims.push_back(d);
    reduced[static_cast<size_t>(d)] = true;
  }
  if (run.structural || reduce.function == "mean") return mean(x, dims, reduce.keepdim);
  if (reduce.function == "sum") return sum(x, dims, reduce.keepdim);
  if (reduce.function != "max") run.refuse();
  return reshape(AdaptiveMaxPoolFunctions<1>::forward(moved_to_end(x, reduced), {.output_size = 1}), run.node.shape);
}

Tensor run(const LayerRun& run, const analyze::MatMul&) {
  const Dims& shape = run.node.shape;
  const int64_t rows = shape[-2], columns = shape[-1], inner = run.x[0].size(-1);
  if (run.structural)  // the rows of one and the columns of the other
    return broadcast_to(mean(run.x[0], {run.x[0].rank() - 1}, true) * 0.5 + mean(run.x[1], {run.x[1].rank() - 2}, true) * 0.5, shape);
  Dims left = shape, right = shape;
  left[-1] = inner;
  right[-2] = inner;
  int64_t batch = 1;
  for (int dim = 0; dim < shape.rank - 2; ++dim) batch *= shape[dim];
  if (batch > int64_t{1} << 16) run.refuse("it has " + std::to_string(batch) + " matrices");
  const Tensor a = reshape(broadcast_to(run.x[0], left), {batch, rows, inner});
  const Tensor b = reshape(broadcast_to(run.x[1], right), {batch, inner, columns});
  std::vector<Tensor> products;
  products.reserve(static_cast<size_t>(batch));
  for (int64_t i = 0; i < batch; ++i) products.push_back(reshape(matmul(a.select(0, i), b.select(0, i)), {1, rows, columns}));
  return reshape(concat(products, 0), shape);
}

}  // namespace tidepool::inline v0_1::nn::detail
