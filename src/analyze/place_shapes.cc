// Layers that move, merge, cut or repeat cells, and those that see whole dimensions.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "analyze/placement.h"
#include "core/checked.h"

namespace tidepool::inline v0_1::analyze {

namespace {

Error shapes_differ(std::string_view rule, const Dims& a, const Dims& b) {
  return {ErrorCode::shape_mismatch, std::string(rule) + ", got " + to_string(a) + " and " + to_string(b)};
}

}  // namespace

Result<Placement> place_merge(const std::vector<Dims>& inputs) {
  Placement placed;
  for (const Dims& input : inputs) placed.shape.rank = std::max(placed.shape.rank, input.rank);
  Dims& shape = placed.shape;
  std::fill(shape.values.begin(), shape.values.end(), 1);
  for (const Dims& input : inputs)
    for (int dim = 0; dim < input.rank; ++dim) {
      const int to = shape.rank - input.rank + dim;
      if (shape[to] != input[dim] && shape[to] != 1 && input[dim] != 1) return shapes_differ("shapes must broadcast", inputs[0], input);
      shape[to] = std::max(shape[to], input[dim]);
    }
  for (const Dims& input : inputs) {
    auto& reads = placed.reads.emplace_back();
    for (int dim = 0; dim < input.rank; ++dim) {
      const int to = shape.rank - input.rank + dim;
      if (input[dim] == shape[to])
        reads.push_back({AxisMap::same(input[dim]), to});
      else
        reads.push_back({AxisMap(1, shape[to], BroadcastReads{}), to});
    }
  }
  return placed;
}

Result<Placement> place_concat(const Concat& concat, const std::vector<Dims>& inputs) {
  Result<int> dim = checked_dim(concat.dim, inputs[0].rank);
  if (!dim) return dim.error();
  Placement placed;
  placed.shape = inputs[0];
  placed.shape[*dim] = 0;
  for (const Dims& input : inputs) {
    if (input.rank != inputs[0].rank) return shapes_differ("inputs must have the same number of dimensions", inputs[0], input);
    for (int d = 0; d < input.rank; ++d)
      if (d != *dim && input[d] != inputs[0][d])
        return shapes_differ("sizes must be equal except along dimension " + std::to_string(*dim), inputs[0], input);
    if (!detail::checked_add(placed.shape[*dim], input[*dim], &placed.shape[*dim]))
      return Error(ErrorCode::overflow, "sizes overflow 64 bits");
  }
  int64_t before = 0;
  for (const Dims& input : inputs) {
    auto& reads = placed.reads.emplace_back();
    for (int d = 0; d < input.rank; ++d) {
      if (d != *dim)
        reads.push_back({AxisMap::same(input[d]), d});
      else
        reads.push_back({AxisMap(input[d], placed.shape[d], ShiftedReads{.begin = -before}), d});
    }
    before += input[*dim];
  }
  return placed;
}

Result<Placement> place_flatten(const Flatten& flatten, const Dims& input) {
  Result<int> first = checked_dim(flatten.start_dim, input.rank), last = checked_dim(flatten.end_dim, input.rank);
  if (!first) return first.error();
  if (!last) return last.error();
  if (*first > *last)
    return invalid("start_dim must not be behind end_dim, got " + std::to_string(*first) + " and " + std::to_string(*last));
  Dims shape;
  int64_t merged = 1;
  for (int dim = 0; dim < input.rank; ++dim) {
    if (dim >= *first && dim <= *last) {
      if (!detail::checked_mul(merged, input[dim], &merged)) return Error(ErrorCode::overflow, "sizes overflow 64 bits");
      if (dim == *last) shape.push_back(merged);
    } else {
      shape.push_back(input[dim]);
    }
  }
  return place_reshape(shape, input);
}

// Walks both shapes from the left. Runs of sizes with equal products belong to each other: one to one is unchanged, several to one is
// merged. One to several, or several to several, is only followed if the sizes along which it matters are 1.
Result<Placement> place_reshape(const Dims& shape, const Dims& input) {
  const Result<int64_t> from_total = checked_numel(input), to_total = checked_numel(shape);
  if (!from_total || !to_total || *from_total != *to_total) return shapes_differ("the number of elements must not change", input, shape);
  Placement placed;
  placed.shape = shape;
  auto& reads = placed.reads.emplace_back();
  int from = 0, to = 0;
  while (from < input.rank || to < shape.rank) {
    int from_end = from, to_end = to;
    int64_t from_product = 1, to_product = 1;
    do {
      // A size of 1 on either side joins the run that is open.
      if (from_end < input.rank && (from_product <= to_product || to_end == shape.rank))
        from_product *= input[from_end++];
      else
        to_product *= shape[to_end++];
    } while (from_product != to_product || (from_end == from && to_end < shape.rank) || (to_end == to && from_end < input.rank));
    int wide = -1;  // the only dimension of the output's run that is larger than 1
    int wides = 0;
    for (int dim = to; dim < to_end; ++dim)
      if (shape[dim] > 1) wide = dim, ++wides;
    int64_t inner = from_product;
    for (int dim = from; dim < from_end; ++dim) {
      const int64_t size = input[dim];
      inner /= size;
      if (size == 1)
        reads.push_back({AxisMap(1, 1, BroadcastReads{}), -1});
      else if (wides > 1)  // the cells move in a way that is not followed
        reads.push_back({AxisMap::whole(size), -1, true});
      else if (size == from_product)
        reads.push_back({AxisMap::same(size), wide});
      else
        reads.push_back({AxisMap(size, from_product, MergedReads{.inner = inner}), wide});
    }
    from = from_end;
    to = to_end;
  }
  return placed;
}

Result<Placement> place_transpose(const Transpose& transpose, const Dims& input) {
  if (static_cast<int>(transpose.order.size()) != input.rank)
    return invalid("the order must name " + std::to_string(input.rank) + " dimensions, got " + std::to_string(transpose.order.size()));
  Placement placed = unchanged(input);
  std::vector<bool> named(input.size());
  for (int to = 0; to < input.rank; ++to) {
    Result<int> from = checked_dim(transpose.order[static_cast<size_t>(to)], input.rank);
    if (!from) return from.error();
    if (named[static_cast<size_t>(*from)]) return invalid("the order names dimension " + std::to_string(*from) + " twice");
    named[static_cast<size_t>(*from)] = true;
    placed.shape[to] = input[*from];
    placed.reads[0][static_cast<size_t>(*from)].dim = to;
  }
  return placed;
}

Result<Placement> place_slice(const Slice& slice, const Dims& input) {
  Result<int> dim = checked_dim(slice.dim, input.rank);
  if (!dim) return dim.error();
  const int64_t size = input[*dim];
  if (slice.step < 1 || slice.step > largest_size) return invalid("step must be at least 1, got " + std::to_string(slice.step));
  const auto counted = [&](int64_t at) { return std::clamp<int64_t>(at < 0 ? at + size : at, 0, size); };
  const int64_t begin = counted(slice.begin), end = counted(slice.end);
  if (begin >= end) return invalid("the slice is empty: " + std::to_string(slice.begin) + " to " + std::to_string(slice.end));
  Placement placed = unchanged(input);
  placed.shape[*dim] = detail::ceil_div(end - begin, slice.step);
  placed.reads[0][static_cast<size_t>(*dim)].map = AxisMap(size, placed.shape[*dim], ShiftedReads{.begin = begin, .step = slice.step});
  return placed;
}

Result<Placement> place_pad(const Pad& pad, const Dims& input) {
  if (static_cast<int>(pad.sides.size()) != input.rank)
    return invalid("padding must have a pair for each of " + std::to_string(input.rank) + " dimensions, got " +
                   std::to_string(pad.sides.size()));
  Placement placed = unchanged(input);
  for (int dim = 0; dim < input.rank; ++dim) {
    const Sides sides = pad.sides[static_cast<size_t>(dim)];
    for (const int64_t side : {sides.before, sides.after})
      if (side < -largest_size || side > largest_size) return invalid("padding must be at most " + std::to_string(largest_size));
    if (sides == Sides()) continue;
    placed.shape[dim] = input[dim] + sides.before + sides.after;
    const auto outside = static_cast<ShiftedReads::Outside>(pad.mode);
    placed.reads[0][static_cast<size_t>(dim)].map =
        AxisMap(input[dim], placed.shape[dim], ShiftedReads{.begin = -sides.before, .outside = outside});
  }
  return placed;
}

Result<Placement> place_reduce(const Reduce& reduce, const Dims& input) {
  std::vector<bool> reduced(input.size());
  for (const int named : reduce.dims) {
    Result<int> dim = checked_dim(named, input.rank);
    if (!dim) return dim.error();
    reduced[static_cast<size_t>(*dim)] = true;
  }
  Placement placed;
  auto& reads = placed.reads.emplace_back();
  for (int dim = 0; dim < input.rank; ++dim) {
    if (reduced[static_cast<size_t>(dim)]) {
      reads.push_back({AxisMap::whole(input[dim]), -1});
      if (reduce.keepdim) placed.shape.push_back(1);
    } else {
      reads.push_back({AxisMap::same(input[dim]), placed.shape.rank});
      placed.shape.push_back(input[dim]);
    }
  }
  return placed;
}

Result<Placement> place_linear(const Linear& linear, const Dims& input) {
  if (input.rank < 1) return invalid("the input must have at least 1 dimension");
  if (linear.out_features < 1) return invalid("features must be at least 1, got " + std::to_string(linear.out_features));
  const int last = input.rank - 1;
  Placement placed = unchanged(input);
  placed.shape[last] = linear.out_features;
  placed.reads[0][static_cast<size_t>(last)] = {AxisMap::whole(input[last]), -1};
  const Result<int64_t> weights = checked_product({input[last], linear.out_features}), outputs = checked_numel(placed.shape);
  if (!weights) return weights.error();
  if (!outputs) return outputs.error();
  const Result<int64_t> multiply_adds = checked_product({*outputs, input[last]});
  if (!multiply_adds) return multiply_adds.error();
  placed.parameters = *weights + (linear.bias ? linear.out_features : 0);
  placed.multiply_adds = *multiply_adds;
  return placed;
}

Result<Placement> place_matmul(const Dims& a, const Dims& b) {
  if (a.rank < 2 || b.rank < 2 || a[-1] != b[-2]) return shapes_differ("the inner sizes of a matrix product must be equal", a, b);
  Dims batch_a = a, batch_b = b;
  batch_a.rank -= 2;
  batch_b.rank -= 2;
  Result<Placement> placed = place_merge({batch_a, batch_b});
  if (!placed) return placed;
  const int rows = placed->shape.rank;
  placed->shape.push_back(a[-2]);
  placed->shape.push_back(b[-1]);
  placed->reads[0].push_back({AxisMap::same(a[-2]), rows});
  placed->reads[0].push_back({AxisMap::whole(a[-1]), -1});
  placed->reads[1].push_back({AxisMap::whole(b[-2]), -1});
  placed->reads[1].push_back({AxisMap::same(b[-1]), rows + 1});
  const Result<int64_t> outputs = checked_numel(placed->shape);
  if (!outputs) return outputs.error();
  const Result<int64_t> multiply_adds = checked_product({*outputs, a[-1]});
  if (!multiply_adds) return multiply_adds.error();
  placed->multiply_adds = *multiply_adds;
  return placed;
}

}  // namespace tidepool::inline v0_1::analyze
