// Arithmetic on small constants.
#include <algorithm>
#include <cmath>
#include <map>

#include "analyze/onnx/fold.h"
#include "analyze/onnx/fold_numbers.h"

namespace tidepool::inline v0_1::analyze::onnx {

namespace {

// The position in `shape` of element `at` of an array of the shape `of`.
size_t source(int64_t at, const Dims& of, const Dims& shape) {
  int64_t index = 0, stride = 1;
  for (int dim = 1; dim <= of.rank; ++dim) {
    const int64_t size = of[of.rank - dim];
    if (dim <= shape.rank && shape[shape.rank - dim] > 1) index += at % size * stride;
    if (dim <= shape.rank) stride *= shape[shape.rank - dim];
    at /= size;
  }
  return static_cast<size_t>(index);
}

bool binary(Call& call, const Value& a, const Value& b, Value* result) {
  const auto shape = broadcast({a, b});
  if (!shape || a.numbers->index() != b.numbers->index()) return false;
  const std::string_view op = call.node().op;
  const int64_t count = count_of(*shape);
  if (const auto* left = std::get_if<Ints>(a.numbers.get())) {
    const auto& right = std::get<Ints>(*b.numbers);
    Ints list;
    for (int64_t i = 0; i < count; ++i) {
      const auto one = of_ints(op, (*left)[source(i, *shape, a.shape)], right[source(i, *shape, b.shape)]);
      if (!one) return false;
      list.push_back(*one);
    }
    *result = call.graph().constant(*shape, compares(op) ? int64_t{type_bool} : a.type, list);
    return true;
  }
  const auto &left = std::get<Reals>(*a.numbers), &right = std::get<Reals>(*b.numbers);
  Ints ints;
  Reals reals;
  for (int64_t i = 0; i < count; ++i) {
    const double x = left[source(i, *shape, a.shape)], y = right[source(i, *shape, b.shape)];
    if (compares(op)) {
      ints.push_back(compare_reals(op, x, y));
      continue;
    }
    const auto one = of_reals(op, x, y);
    if (!one) return false;
    reals.push_back(*one);
  }
  *result = compares(op) ? call.graph().constant(*shape, type_bool, ints) : call.graph().constant(*shape, a.type, reals);
  return true;
}

bool merge(Call& call) {
  const std::vector<Value> values = call.values();
  if (values.size() < 2 || (call.opset() < 7 && call.has_attribute("axis"))) return false;
  Value result = values[0];
  for (size_t i = 1; i < values.size(); ++i) {
    Value next;
    if (!binary(call, result, values[i], &next) || !next.numbers) return false;
    result = next;
  }
  call.give(result);
  return true;
}

bool unary(Call& call) {
  const std::string_view op = call.node().op;
  const Value& value = call.input(0);
  if (const auto* list = std::get_if<Ints>(value.numbers.get())) {
    Ints ints = *list;
    for (int64_t& x : ints) {
      if (x == INT64_MIN) return false;
      if (op == "Neg")
        x = -x;
      else if (op == "Abs")
        x = std::abs(x);
      else if (op == "Not")
        x = x == 0;
      else if (op == "Sign")
        x = (x > 0) - (x < 0);
      else
        return false;
    }
    call.give(call.graph().constant(value.shape, value.type, ints));
    return true;
  }
  Reals reals = std::get<Reals>(*value.numbers);
  for (double& x : reals) {
    if (op == "Neg")
      x = -x;
    else if (op == "Abs")
      x = std::abs(x);
    else if (op == "Floor")
      x = std::floor(x);
    else if (op == "Ceil")
      x = std::ceil(x);
    else if (op == "Round")
      x = std::nearbyint(x);
    else if (op == "Sqrt")
      x = std::sqrt(x);
    else if (op == "Reciprocal")
      x = 1 / x;
    else
      return false;
  }
  call.give(call.graph().constant(value.shape, value.type, reals));
  return true;
}

bool cast(Call& call) {
  const Value& value = call.input(0);
  const int64_t type = call.node().op == "CastLike" ? call.input(1).type : call.integer("to", 0);
  if (type == type_f32 || type == type_f64) {
    const auto list = std::visit([](const auto& from) { return Reals(from.begin(), from.end()); }, *value.numbers);
    call.give(call.graph().constant(value.shape, type, list));
    return true;
  }
  if (is_float(type) || type < 2 || type > 13 || type == 8) return false;
  Ints ints;
  if (const auto* list = std::get_if<Ints>(value.numbers.get())) {
    ints = *list;
  } else {
    for (const double x : std::get<Reals>(*value.numbers)) {
      if (!(std::abs(x) < 9e18)) return false;
      ints.push_back(static_cast<int64_t>(x));
    }
  }
  // Narrow types wrap around, which shapes do not rely on: such results are left out.
  const int64_t largest = type == type_i64 ? INT64_MAX : type == type_i32 ? INT32_MAX : 127;
  for (int64_t& x : ints) {
    if (type == type_bool) x = x != 0;
    if (x > largest || x < -largest) return false;
  }
  call.give(call.graph().constant(value.shape, type, ints));
  return true;
}

bool where(Call& call) {
  if (call.inputs() != 3) return false;
  const Value &condition = call.input(0), &a = call.input(1), &b = call.input(2);
  const auto shape = broadcast({condition, a, b});
  const auto* chosen = std::get_if<Ints>(condition.numbers.get());
  if (!shape || chosen == nullptr || a.numbers->index() != b.numbers->index()) return false;
  std::visit(
      [&](const auto& left) {
        using List = std::decay_t<decltype(left)>;
        const List& right = std::get<List>(*b.numbers);
        List list;
        for (int64_t i = 0; i < count_of(*shape); ++i)
          list.push_back((*chosen)[source(i, *shape, condition.shape)] != 0 ? left[source(i, *shape, a.shape)]
                                                                            : right[source(i, *shape, b.shape)]);
        call.give(call.graph().constant(*shape, a.type, list));
      },
      *a.numbers);
  return true;
}

// Of a list to one number.
bool reduce(Call& call) {
  const Value& value = call.input(0);
  const auto* list = std::get_if<Ints>(value.numbers.get());
  if (list == nullptr || value.shape.rank != 1 || list->empty()) return false;
  if ((call.has(1) || call.has_attribute("axes") ? 0 : call.integer("noop_with_empty_axes", 0)) != 0) return false;
  const std::string_view name = call.node().op, op = name == "ReduceProd"  ? "Mul"
                                                     : name == "ReduceSum" ? "Add"
                                                     : name == "ReduceMax" ? "Max"
                                                                           : "Min";
  int64_t result = list->front();
  for (size_t i = 1; i < list->size(); ++i) {
    const auto next = of_ints(op, result, (*list)[i]);
    if (!next) return false;
    result = *next;
  }
  call.give(call.graph().constant(call.integer("keepdims", 1) != 0 ? Dims{1} : Dims{}, value.type, Ints{result}));
  return true;
}

}  // namespace

std::optional<Dims> broadcast(const std::vector<Value>& values) {
  Dims shape;
  for (const Value& value : values) shape.rank = std::max(shape.rank, value.shape.rank);
  for (int dim = 1; dim <= shape.rank; ++dim) {
    int64_t& size = shape[shape.rank - dim];
    size = 1;
    for (const Value& value : values) {
      if (dim > value.shape.rank || value.shape[value.shape.rank - dim] == 1) continue;
      if (size != 1 && size != value.shape[value.shape.rank - dim]) return {};
      size = value.shape[value.shape.rank - dim];
    }
  }
  const Result<int64_t> count = checked_numel(shape);
  if (!count || *count > most_numbers) return {};
  return shape;
}

bool fold_arithmetic(Call& call) {
  // Never destroyed, because static destructors may still read files.
  static const auto& table = *new std::map<std::string_view, bool (*)(Call&)>{{"Add", merge},
                                                                              {"Sub", merge},
                                                                              {"Mul", merge},
                                                                              {"Div", merge},
                                                                              {"Mod", merge},
                                                                              {"Pow", merge},
                                                                              {"Max", merge},
                                                                              {"Min", merge},
                                                                              {"Equal", merge},
                                                                              {"Greater", merge},
                                                                              {"GreaterOrEqual", merge},
                                                                              {"Less", merge},
                                                                              {"LessOrEqual", merge},
                                                                              {"And", merge},
                                                                              {"Or", merge},
                                                                              {"Xor", merge},
                                                                              {"Where", where},
                                                                              {"Neg", unary},
                                                                              {"Abs", unary},
                                                                              {"Floor", unary},
                                                                              {"Ceil", unary},
                                                                              {"Round", unary},
                                                                              {"Sqrt", unary},
                                                                              {"Reciprocal", unary},
                                                                              {"Not", unary},
                                                                              {"Sign", unary},
                                                                              {"Cast", cast},
                                                                              {"CastLike", cast},
                                                                              {"ReduceProd", reduce},
                                                                              {"ReduceSum", reduce},
                                                                              {"ReduceMax", reduce},
                                                                              {"ReduceMin", reduce}};
  const auto found = table.find(call.node().op);
  return found != table.end() && found->second(call);
}

}  // namespace tidepool::inline v0_1::analyze::onnx
