#include "golden/judge.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <iostream>
#include <sstream>

#include "support/compare.h"
#include "support/tensors.h"

namespace tidepool::golden {
namespace {

constexpr size_t most_failures = 20;

double epsilon(DType dtype) {
  return dtype == DType::f64 ? 0x1p-52 : dtype == DType::f32 ? 0x1p-23 : dtype == DType::f16 ? 0x1p-10 : 0x1p-7;
}

bool same_cell_bits(TensorView a, TensorView b, const Dims& at) {
  const auto size = static_cast<size_t>(dtype_size(a.dtype));
  return std::memcmp(a.data + test::offset_of(a.strides, at) * dtype_size(a.dtype),
                     b.data + test::offset_of(b.strides, at) * dtype_size(b.dtype), size) == 0;
}

}  // namespace

Rule sum_rule(const Case& c) { return {.any_nan = true, .any_zero = c.marked(negative_zero)}; }

std::optional<std::string> difference(const TensorArg& expected_arg, const TensorArg& actual_arg, const Rule& rule) {
  const TensorView& expected = expected_arg.view();
  const TensorView& actual = actual_arg.view();
  if (expected.dtype != actual.dtype) return "dtype " + std::string(dtype_name(actual.dtype));
  if (!(expected.shape == actual.shape)) return "shape " + to_string(actual.shape) + " for " + to_string(expected.shape);
  const std::vector<double> wanted = test::cells(expected), got = test::cells(actual);
  const double rounding = epsilon(expected.dtype);
  const double summing = expected.dtype == DType::f64 ? rounding : epsilon(DType::f32);
  size_t i = 0, wrong = 0;
  std::string first;
  test::for_each_cell(expected.shape, [&](const Dims& at) {
    const double w = wanted[i], g = got[i];
    const double magnitude = rule.magnitudes.empty() ? 0 : rule.magnitudes[i];
    ++i;
    if (same_cell_bits(expected, actual, at)) return;
    if (std::isnan(w) && (rule.skip_nan || (rule.any_nan && std::isnan(g)))) return;
    if (rule.any_zero && w == 0 && g == 0) return;
    if (!rule.magnitudes.empty() && std::abs(w - g) <= rounding * std::abs(w) + rule.ulps * summing * magnitude) return;
    if (++wrong == 1)
      first = "at " + to_string(at) + " PyTorch has " + test::cell_text(expected, at) + ", got " + test::cell_text(actual, at);
  });
  if (wrong == 0) return std::nullopt;
  return first + "; " + std::to_string(wrong) + " of " + std::to_string(i) + " cells differ";
}

void Score::count(const Case& c, const char* pass, const std::function<std::optional<std::string>()>& compare) {
  std::optional<std::string> found;
  try {
    found = compare();
  } catch (const Error& error) {
    found = "refused: " + std::string(error.message());
  }
  Count& count = counts_[{c.op(), c.dtype, pass}];
  ++count.cases;
  if (!found) return;
  ++count.mismatches;
  ++mismatches_;
  if (failures_.size() < most_failures) failures_.push_back(to_string(c) + ", " + pass + ": " + *found);
}

void Score::end_case(const Case& c) {
  ++cases_;
  if (c.hard != 0) ++hard_;
  for (int bit = 0; bit < 8; ++bit)
    if ((c.marks >> bit & 1) != 0) ++marked_[static_cast<uint8_t>(1 << bit)];
}

void Score::print() const {
  struct Line {
    std::map<DType, int64_t> dtypes;
    std::map<std::string, int64_t> passes;
    int64_t mismatches = 0;
  };
  std::map<std::string, Line> lines;
  for (const auto& [key, count] : counts_) {
    const auto& [op, dtype, pass] = key;
    Line& line = lines[op];
    if (pass == "forward") line.dtypes[dtype] += count.cases;
    line.passes[pass] += count.cases;
    line.mismatches += count.mismatches;
  }
  for (auto& [op, line] : lines) {
    std::cout << "golden " << op << ": " << line.passes["forward"] << " cases,";
    for (const auto& [dtype, cases] : line.dtypes) std::cout << ' ' << dtype_name(dtype) << ' ' << cases;
    for (const char* pass : {"forward", "indices", "backward", "double_backward", "double_backward_input"})
      if (line.passes[pass] != 0) std::cout << ", " << pass << ' ' << line.passes[pass];
    std::cout << ", " << line.mismatches << " mismatches\n";
  }
  static constexpr const char* names[] = {"empty_window", "rounded_once", "bin_division",  "negative_zero",
                                          "start_index",  "lp_signed",    "lp_zero_window"};
  std::cout << "golden total: " << cases_ << " cases, " << hard_ << " hard, " << mismatches_ << " mismatches; marked as intended:";
  for (const auto& [mark, cases] : marked_) std::cout << ' ' << names[std::countr_zero(mark)] << ' ' << cases;
  std::cout << '\n';
}

std::string Score::json() const {
  std::ostringstream out;
  const char* separator = "[\n";
  for (const auto& [key, count] : counts_) {
    const auto& [op, dtype, pass] = key;
    out << separator << R"(  {"source": "PyTorch", "op": ")" << op << R"(", "dtype": ")" << dtype_name(dtype) << R"(", "pass": ")" << pass
        << R"(", "cases": )" << count.cases << R"(, "mismatches": )" << count.mismatches << "}";
    separator = ",\n";
  }
  out << "\n]\n";
  return out.str();
}

}  // namespace tidepool::golden
