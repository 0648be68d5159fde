// The operators of two numbers, by their ONNX names.
#include "analyze/onnx/fold_numbers.h"

#include <algorithm>
#include <cmath>

#include "core/checked.h"

namespace tidepool::inline v0_1::analyze::onnx {

std::optional<int64_t> of_ints(std::string_view op, int64_t a, int64_t b) {
  int64_t result = 0;
  const bool divides = b != 0 && !(a == INT64_MIN && b == -1);
  if (op == "Add") return detail::checked_add(a, b, &result) ? std::optional(result) : std::nullopt;
  if (op == "Sub") return detail::checked_sub(a, b, &result) ? std::optional(result) : std::nullopt;
  if (op == "Mul") return detail::checked_mul(a, b, &result) ? std::optional(result) : std::nullopt;
  if (op == "Div") return divides ? std::optional(a / b) : std::nullopt;
  if (op == "Mod") return divides && b > 0 ? std::optional(a - detail::floor_div(a, b) * b) : std::nullopt;
  if (op == "Max") return std::max(a, b);
  if (op == "Min") return std::min(a, b);
  if (op == "Equal") return a == b;
  if (op == "Greater") return a > b;
  if (op == "GreaterOrEqual") return a >= b;
  if (op == "Less") return a < b;
  if (op == "LessOrEqual") return a <= b;
  if (op == "And") return a != 0 && b != 0;
  if (op == "Or") return a != 0 || b != 0;
  if (op == "Xor") return (a != 0) != (b != 0);
  return {};
}

std::optional<double> of_reals(std::string_view op, double a, double b) {
  if (op == "Add") return a + b;
  if (op == "Sub") return a - b;
  if (op == "Mul") return a * b;
  if (op == "Div") return a / b;
  if (op == "Pow") return std::pow(a, b);
  if (op == "Max") return std::max(a, b);
  if (op == "Min") return std::min(a, b);
  return {};
}

bool compares(std::string_view op) {
  return op == "Equal" || op == "Greater" || op == "GreaterOrEqual" || op == "Less" || op == "LessOrEqual";
}

int64_t compare_reals(std::string_view op, double a, double b) {
  if (op == "Equal") return a == b;
  if (op == "Greater") return a > b;
  if (op == "GreaterOrEqual") return a >= b;
  return op == "Less" ? a < b : a <= b;
}

}  // namespace tidepool::inline v0_1::analyze::onnx
