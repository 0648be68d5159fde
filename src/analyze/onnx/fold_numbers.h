// Arithmetic of two numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tidepool::inline v0_1::analyze::onnx {

// Nothing for results that do not fit or do not exist, and for operators that are not known.
std::optional<int64_t> of_ints(std::string_view op, int64_t a, int64_t b);
std::optional<double> of_reals(std::string_view op, double a, double b);

// Comparisons give 0 or 1 for every type.
bool compares(std::string_view op);
int64_t compare_reals(std::string_view op, double a, double b);

}  // namespace tidepool::inline v0_1::analyze::onnx
