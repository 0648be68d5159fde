#include "fit.h"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <numeric>

namespace tidepool::cli {

namespace {

constexpr int sweeps = 3000;
constexpr double least_written = 1e-9;  // less is no time for any array, and may be less than a float can hold
constexpr double least_weight = 0.5;    // of kernels that take many times as long as the fastest: too low an estimate would choose them

double estimate(const std::vector<double>& coefficients, const std::vector<double>& terms) {
  return std::inner_product(terms.begin(), terms.end(), coefficients.begin(), 0.0);
}

struct Row {
  const CostSample* sample;
  double weight;
};

// Minimises the sum of weight² (estimate / measured - 1)² over coefficients that are not negative, one coefficient at a time.
std::vector<double> least_squares(const std::vector<Row>& rows) {
  const size_t n = rows.front().sample->terms.size();
  std::vector<double> products(n * n), sums(n), coefficients(n), scale(n);
  for (const Row& row : rows)
    for (size_t i = 0; i < n; ++i) scale[i] = std::max(scale[i], row.sample->terms[i] / row.sample->nanoseconds);
  for (const Row& row : rows) {
    const double w = row.weight * row.weight;
    const auto term = [&](size_t i) { return scale[i] > 0 ? row.sample->terms[i] / row.sample->nanoseconds / scale[i] : 0; };
    for (size_t i = 0; i < n; ++i) {
      sums[i] += w * term(i);
      for (size_t j = 0; j < n; ++j) products[i * n + j] += w * term(i) * term(j);
    }
  }
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (size_t i = 0; i < n; ++i) {
      if (products[i * n + i] <= 0) continue;
      double rest = sums[i];
      for (size_t j = 0; j < n; ++j) rest -= products[i * n + j] * coefficients[j];
      coefficients[i] = std::max(0.0, coefficients[i] + rest / products[i * n + i]);
    }
  for (size_t i = 0; i < n; ++i) coefficients[i] = scale[i] > 0 ? coefficients[i] / scale[i] : 0;
  return coefficients;
}

// Least squares of relative errors estimates too low. This makes half of the estimates too high.
void centre(std::vector<double>& coefficients, const std::vector<Row>& rows) {
  std::vector<double> ratios;
  for (const Row& row : rows) {
    const double estimated = estimate(coefficients, row.sample->terms);
    if (estimated > 0) ratios.push_back(row.sample->nanoseconds / estimated);
  }
  if (ratios.empty()) return;
  const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
  std::ranges::nth_element(ratios, middle);
  for (double& c : coefficients) c *= *middle;
}

}  // namespace

CostTable fit_costs(std::span<const CostSamples> problems) {
  std::map<std::string, std::vector<Row>> rows;
  for (const CostSamples& kernels : problems) {
    const double best = std::ranges::min(kernels, {}, &CostSample::nanoseconds).nanoseconds;
    for (const CostSample& sample : kernels) rows[sample.key].push_back({&sample, std::max(least_weight, best / sample.nanoseconds)});
  }
  CostTable table;
  for (const auto& [key, of_key] : rows) {
    std::vector<double> coefficients = least_squares(of_key);
    centre(coefficients, of_key);
    table[key] = std::move(coefficients);
  }
  return table;
}

double choice_ratio(const CostTable& table, const CostSamples& kernels) {
  const CostSample* chosen = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const CostSample& sample : kernels) {
    const auto found = table.find(sample.key);
    if (found == table.end()) continue;
    const double estimated = estimate(found->second, sample.terms);
    if (estimated < least) least = estimated, chosen = &sample;
  }
  const double best = std::ranges::min(kernels, {}, &CostSample::nanoseconds).nanoseconds;
  return chosen == nullptr ? std::numeric_limits<double>::infinity() : chosen->nanoseconds / best;
}

std::string table_text(const CostTable& table) {
  std::string text;
  for (const auto& [key, coefficients] : table) {
    text += "{\"" + key + "\", {";
    for (size_t i = 0; i < coefficients.size(); ++i) {
      char number[32];
      std::snprintf(number, sizeof number, "%s%.4gF", i == 0 ? "" : ", ", coefficients[i] < least_written ? 0 : coefficients[i]);
      std::string written = number;
      if (written.find_first_of(".e") == std::string::npos) written.insert(written.size() - 1, ".0");
      text += written;
    }
    text += "}},\n";
  }
  return text;
}

}  // namespace tidepool::cli
