// Chooses the nodes that are computed while reading, and computes those that make constants.
#include "analyze/onnx/fold.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/checked.h"

namespace tidepool::inline v0_1::analyze::onnx {

namespace {

// A tensor that is an attribute.
Value tensor_value(Call& call, const TensorProto& tensor) {
  Value value{.shape = shape_of(tensor, call.graph().model().file), .type = tensor.type};
  value.numbers = numbers_of(tensor, value.shape, call.graph().model().file);
  value.weights = call.output_name();
  return value;
}

template <class List, class From>
Value list_value(Call& call, int64_t type, const From& from) {
  const Dims shape{static_cast<int64_t>(from.size())};
  if (shape[0] > most_numbers) return {.shape = shape, .type = type};
  return call.graph().constant(shape, type, List(from.begin(), from.end()));
}

bool constant(Call& call) {
  using Type = Attribute::Type;
  if (const Attribute* a = call.attribute("value", Type::tensor, "a tensor")) return call.give(tensor_value(call, a->tensor)), true;
  if (const Attribute* a = call.attribute("value_int", Type::integer, "an integer"))
    return call.give(call.graph().constant({}, type_i64, Ints{a->integer})), true;
  if (const Attribute* a = call.attribute("value_float", Type::real, "a float"))
    return call.give(call.graph().constant({}, type_f32, Reals{static_cast<double>(a->real)})), true;
  if (const auto list = call.integers("value_ints")) return call.give(list_value<Ints>(call, type_i64, *list)), true;
  if (const auto list = call.reals("value_floats")) return call.give(list_value<Reals>(call, type_f32, *list)), true;
  if (const Attribute* a = call.node().find("sparse_value"))
    return call.give({.shape = shape_of(a->tensor, call.graph().model().file), .type = a->tensor.type}), true;
  if (call.has_attribute("value_string") || call.has_attribute("value_strings")) return call.unknown(), true;
  call.fail("attribute 'value' is missing");
}

bool constant_of_shape(Call& call) {
  const auto sizes = call.ints(0);
  if (!sizes) return false;
  if (sizes->size() > max_rank) call.fail("at most 8 dimensions are supported, got " + std::to_string(sizes->size()));
  const Dims shape(*sizes);
  const Result<int64_t> count = checked_numel(shape);
  if (!count) call.fail("sizes must not be negative, and their product must fit 64 bits, got " + to_string(shape));
  Numbers element = Reals{0};
  int64_t type = type_f32;
  bool known = true;
  if (const Attribute* a = call.attribute("value", Attribute::Type::tensor, "a tensor")) {
    const Value value = tensor_value(call, a->tensor);
    type = value.type;
    known = value.numbers != nullptr && count_of(value.shape) == 1;
    if (known) element = *value.numbers;
  }
  Value result{.shape = shape, .type = type};
  if (known && *count <= most_numbers)
    result = call.graph().constant(
        shape, type,
        std::visit([&](const auto& one) { return Numbers(std::decay_t<decltype(one)>(static_cast<size_t>(*count), one[0])); }, element));
  // Files whose weights were replaced by such nodes.
  result.weights = call.output_name();
  if (is_float(type) && *count > 1) result.parameters = *count;
  call.give(result);
  return true;
}

bool shape(Call& call) {
  const Dims of = call.shape(0);
  const auto counted = [&](int64_t at) { return std::clamp<int64_t>(at < 0 ? at + of.rank : at, 0, of.rank); };
  const int64_t begin = counted(call.integer("start", 0)), end = counted(call.integer("end", of.rank));
  Ints sizes;
  for (int64_t dim = begin; dim < end; ++dim) sizes.push_back(of[static_cast<int>(dim)]);
  call.give(call.graph().constant({sizes.size()}, type_i64, sizes));
  return true;
}

bool size(Call& call) {
  call.give(call.graph().constant({}, type_i64, Ints{count_of(call.shape(0))}));
  return true;
}

// The number of elements, rounded up; nothing if it is not a number that can be listed.
template <class T>
std::optional<int64_t> steps_between(T start, T limit, T delta) {
  const double exact = std::ceil((static_cast<double>(limit) - static_cast<double>(start)) / static_cast<double>(delta));
  if (!(exact <= static_cast<double>(most_numbers))) return {};
  return std::max<int64_t>(0, exact > 0 ? static_cast<int64_t>(exact) : 0);
}

bool range(Call& call) {
  if (call.inputs() != 3 || !has_numbers(call)) return false;
  for (size_t i = 0; i < 3; ++i)
    if (count_of(call.shape(i)) != 1) call.fail("start, limit and delta must be single numbers");
  const Numbers &start = *call.input(0).numbers, &limit = *call.input(1).numbers, &delta = *call.input(2).numbers;
  if (start.index() != limit.index() || start.index() != delta.index()) call.fail("start, limit and delta must have one type");
  return std::visit(
      [&](const auto& first) {
        using List = std::decay_t<decltype(first)>;
        const auto by = std::get<List>(delta)[0];
        if (by == 0) call.fail("delta must not be 0");
        const auto count = steps_between(first[0], std::get<List>(limit)[0], by);
        if (!count) return false;
        List list;
        for (int64_t i = 0; i < *count; ++i) {
          if constexpr (std::is_same_v<List, Reals>) {
            list.push_back(first[0] + static_cast<double>(i) * by);
          } else {
            int64_t at = 0;
            if (!detail::checked_mul(i, by, &at) || !detail::checked_add(first[0], at, &at)) return false;
            list.push_back(at);
          }
        }
        call.give(call.graph().constant({*count}, call.input(0).type, list));
        return true;
      },
      start);
}

const std::map<std::string_view, bool (*)(Call&)>& sources() {
  // Never destroyed, because static destructors may still read files.
  static const auto& table = *new std::map<std::string_view, bool (*)(Call&)>{
      {"Constant", constant}, {"ConstantOfShape", constant_of_shape}, {"Shape", shape}, {"Size", size}, {"Range", range}};
  return table;
}

}  // namespace

bool has_numbers(const Call& call) {
  for (size_t i = 0; i < call.inputs(); ++i)
    if (call.has(i) && !call.input(i).numbers) return false;
  return call.inputs() > 0;
}

bool fold(Call& call) {
  if (!call.node().domain.empty() && call.node().domain != "ai.onnx") return false;
  if (const auto found = sources().find(call.node().op); found != sources().end()) return found->second(call);
  if (!has_numbers(call) || !call.graph().computes()) return false;
  return fold_arithmetic(call) || fold_movement(call);
}

}  // namespace tidepool::inline v0_1::analyze::onnx
