#include "suggest.h"

#include <algorithm>
#include <numeric>

namespace tidepool::cli {

namespace {

// The number of letters to insert, delete or replace (Levenshtein).
size_t distance(const std::string& a, const std::string& b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string suggestion(const std::string& typed, const std::vector<std::string>& known) {
  constexpr size_t longest = 64;  // the cost is quadratic, and no known word is longer
  if (typed.size() > longest || known.empty()) return "";
  const auto best =
      std::min_element(known.begin(), known.end(), [&](const auto& a, const auto& b) { return distance(typed, a) < distance(typed, b); });
  const size_t allowed = std::clamp<size_t>(typed.size() / 2, 1, 3);
  return distance(typed, *best) <= allowed ? ", did you mean '" + *best + "'?" : "";
}

}  // namespace tidepool::cli
