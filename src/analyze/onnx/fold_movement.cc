// Elements of small constants in other places.
#include <algorithm>
#include <map>

#include "analyze/onnx/fold.h"
#include "core/checked.h"

namespace tidepool::inline v0_1::analyze::onnx {

namespace {

// An array that is read with a step along every dimension, from a first element on.
struct View {
  Dims shape;
  Dims steps;  // in elements; may be negative, or 0 for broadcasting
  int64_t first = 0;
};

View view_of(const Value& value) { return {.shape = value.shape, .steps = contiguous_strides(value.shape)}; }

Value copied(Call& call, const Value& value, const View& view) {
  const int64_t count = count_of(view.shape);
  Numbers numbers = std::visit(
      [&](const auto& from) -> Numbers {
        std::decay_t<decltype(from)> list;
        for (int64_t i = 0; i < count; ++i) {
          int64_t at = view.first, rest = i;
          for (int dim = view.shape.rank; dim-- > 0;) {
            at += rest % view.shape[dim] * view.steps[dim];
            rest /= view.shape[dim];
          }
          list.push_back(from[static_cast<size_t>(at)]);
        }
        return list;
      },
      *value.numbers);
  return call.graph().constant(view.shape, value.type, std::move(numbers));
}

bool slice(Call& call) {
  const Value& value = call.input(0);
  const bool has_inputs = call.opset() >= 10;
  const auto starts = has_inputs ? call.ints(1) : call.integers("starts"), ends = has_inputs ? call.ints(2) : call.integers("ends");
  auto axes = has_inputs ? (call.has(3) ? call.ints(3) : std::nullopt) : call.integers("axes");
  const auto steps = has_inputs && call.has(4) ? call.ints(4) : std::nullopt;
  if (!starts || !ends || starts->size() != ends->size() || (steps && steps->size() != starts->size())) return false;
  if (!axes) {
    axes = Ints();
    for (size_t i = 0; i < starts->size(); ++i) axes->push_back(static_cast<int64_t>(i));
  }
  if (axes->size() != starts->size()) return false;
  const std::vector<int> dims = call.axes(*axes, value.shape.rank);
  View view = view_of(value);
  for (size_t i = 0; i < dims.size(); ++i) {
    const int64_t size = view.shape[dims[i]], step = std::clamp<int64_t>(steps ? (*steps)[i] : 1, -most_numbers, most_numbers);
    if (step == 0) return false;
    // Backwards, the first cell is at most the last one, and the end may lie in front of cell 0.
    const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
    const auto counted = [&](int64_t at) { return std::clamp<int64_t>(at < 0 ? at + size : at, low, high); };
    const int64_t begin = step > 0 ? counted((*starts)[i]) : std::max<int64_t>(counted((*starts)[i]), 0), end = counted((*ends)[i]);
    const int64_t cells = step > 0 ? detail::ceil_div(end - begin, step) : detail::ceil_div(begin - end, -step);
    view.first += begin * view.steps[dims[i]];
    view.shape[dims[i]] = std::max<int64_t>(cells, 0);
    view.steps[dims[i]] *= step;
  }
  call.give(copied(call, value, view));
  return true;
}

bool transpose(Call& call) {
  const Value& value = call.input(0);
  const auto order = call.integers("perm");
  View view = view_of(value);
  const View from = view;
  if (order && static_cast<int>(order->size()) != value.shape.rank) return false;
  std::vector<int> dims;
  for (int dim = value.shape.rank; !order && dim-- > 0;) dims.push_back(dim);
  if (order) dims = call.axes(*order, value.shape.rank);
  for (int dim = 0; dim < value.shape.rank; ++dim) {
    view.shape[dim] = from.shape[dims[static_cast<size_t>(dim)]];
    view.steps[dim] = from.steps[dims[static_cast<size_t>(dim)]];
  }
  call.give(copied(call, value, view));
  return true;
}

bool expand(Call& call) {
  const Value& value = call.input(0);
  const auto wanted = call.ints(1);
  if (!wanted || wanted->size() > max_rank || std::any_of(wanted->begin(), wanted->end(), [](int64_t size) { return size < 0; }))
    return false;
  const auto shape = broadcast({value, Value{.shape = Dims(*wanted)}});
  if (!shape) return false;
  const Dims steps = contiguous_strides(value.shape);
  View view{.shape = *shape, .steps = *shape};
  for (int dim = 1; dim <= shape->rank; ++dim) {
    const bool moves = dim <= value.shape.rank && value.shape[value.shape.rank - dim] != 1;
    view.steps[shape->rank - dim] = moves ? steps[value.shape.rank - dim] : 0;
  }
  call.give(copied(call, value, view));
  return true;
}

// Parts that were joined, or cells that were chosen, along one dimension.
struct Runs {
  int64_t outer = 1, inner = 1;  // the elements before and behind the dimension
};

Runs runs_of(const Dims& shape, int axis) {
  Runs runs;
  for (int dim = 0; dim < shape.rank; ++dim) (dim < axis ? runs.outer : runs.inner) *= dim == axis ? 1 : shape[dim];
  return runs;
}

bool concat(Call& call) {
  const std::vector<Value> values = call.values();
  if (call.opset() >= 4 && !call.has_attribute("axis")) return false;  // refused where it is converted
  const int axis = call.axis(call.integer("axis", 1), values[0].shape.rank);
  Dims shape = values[0].shape;
  shape[axis] = 0;
  for (const Value& value : values) {
    Dims same = value.shape;
    if (same.rank != shape.rank || value.numbers->index() != values[0].numbers->index()) return false;
    same[axis] = shape[axis];
    if (!(same == shape)) return false;
    shape[axis] += value.shape[axis];
  }
  const Result<int64_t> count = checked_numel(shape);
  if (!count || *count > most_numbers) return false;
  const Runs runs = runs_of(shape, axis);
  std::visit(
      [&](const auto& first) {
        using List = std::decay_t<decltype(first)>;
        List list;
        for (int64_t outer = 0; outer < runs.outer; ++outer)
          for (const Value& value : values) {
            const auto& from = std::get<List>(*value.numbers);
            const int64_t length = value.shape[axis] * runs.inner;
            list.insert(list.end(), from.begin() + outer * length, from.begin() + (outer + 1) * length);
          }
        call.give(call.graph().constant(shape, values[0].type, list));
      },
      *values[0].numbers);
  return true;
}

bool gather(Call& call) {
  const Value &value = call.input(0), &indices = call.input(1);
  const auto* cells = std::get_if<Ints>(indices.numbers.get());
  if (cells == nullptr || value.shape.rank + indices.shape.rank - 1 > max_rank) return false;
  const int axis = call.axis(call.integer("axis", 0), value.shape.rank);
  const int64_t size = value.shape[axis];
  Dims shape;
  for (int dim = 0; dim < value.shape.rank; ++dim) {
    if (dim != axis)
      shape.push_back(value.shape[dim]);
    else
      for (const int64_t count : indices.shape) shape.push_back(count);
  }
  const Result<int64_t> count = checked_numel(shape);
  if (!count || *count > most_numbers) return false;
  for (const int64_t cell : *cells)
    if (cell < -size || cell >= size)
      call.fail("index " + std::to_string(cell) + " is out of range for " + std::to_string(size) + " elements", ErrorCode::out_of_range);
  const Runs runs = runs_of(value.shape, axis);
  std::visit(
      [&](const auto& from) {
        std::decay_t<decltype(from)> list;
        for (int64_t outer = 0; outer < runs.outer; ++outer)
          for (const int64_t cell : *cells) {
            const auto begin = from.begin() + (outer * size + (cell < 0 ? cell + size : cell)) * runs.inner;
            list.insert(list.end(), begin, begin + runs.inner);
          }
        call.give(call.graph().constant(shape, value.type, list));
      },
      *value.numbers);
  return true;
}

}  // namespace

bool fold_movement(Call& call) {
  // Never destroyed, because static destructors may still read files.
  static const auto& table = *new std::map<std::string_view, bool (*)(Call&)>{
      {"Slice", slice}, {"Transpose", transpose}, {"Expand", expand}, {"Concat", concat}, {"Gather", gather}};
  const auto found = table.find(call.node().op);
  return found != table.end() && found->second(call);
}

}  // namespace tidepool::inline v0_1::analyze::onnx
