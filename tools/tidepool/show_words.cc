#include "show_words.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "words.h"

namespace tidepool::cli {

namespace {

constexpr size_t most_terms = 12;  // of a computation

}  // namespace

std::string value_text(double value) {
  char text[40];
  if (std::isfinite(value) && value == std::trunc(value) && std::abs(value) < 1e9)
    std::snprintf(text, sizeof text, "%.0f", value == 0 ? 0.0 : value);  // no -0
  else
    std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string computation(const Shown& shown, const ShownWindow& window) {
  const bool adds = shown.op == Op::avg || shown.op == Op::sum, norm = shown.op == Op::lp;
  std::string terms;
  for (size_t i = 0; i < window.values.size(); ++i) {
    if (i == most_terms) {
      join(terms, "... " + std::to_string(window.values.size()) + " cells", adds || norm ? " + " : " ");
      break;
    }
    const std::string value = value_text(window.values[i]);
    const bool minus = value.starts_with('-');
    if (norm)
      join(terms, "|" + value + "|^" + value_text(shown.norm_type), " + ");
    else if (adds && minus && !terms.empty())
      terms += " - " + value.substr(1);
    else
      join(terms, value, adds ? " + " : " ");
  }
  const std::string result = " = " + value_text(window.result);
  if (shown.op == Op::sum) return (terms.empty() ? "0" : terms) + result;
  if (shown.op == Op::avg) return "(" + (terms.empty() ? "0" : terms) + ") / " + value_text(window.divisor) + result;
  if (norm) return "(" + terms + ")^(1/" + value_text(shown.norm_type) + ")" + result;
  return std::string(op_name(shown.op)) + "(" + terms + ")" + result;
}

std::string remark(const Shown& shown, const ShownWindow& window) {
  std::string text;
  const Dims& shape = shown.input.shape();
  if (window.winner >= 0) {
    text = " from " + place_text(shape, window.winner);
    if (std::isnan(window.result)) text += ", because NaN wins over all numbers";
  }
  if (!window.ties.empty()) {
    constexpr size_t most_ties = 6;
    std::string ties;
    for (size_t i = 0; i < std::min(most_ties, window.ties.size()); ++i) join(ties, place_text(shape, window.ties[i]), " and ");
    if (window.ties.size() > most_ties) ties += " and " + std::to_string(window.ties.size() - most_ties) + " more";
    text += " (also at " + ties + (window.winner < window.ties[0] ? "; the first wins)" : ")");
  }
  if (window.padded > 0)
    text += "; " + value_text(window.padded) + " of " + value_text(window.padded + static_cast<double>(window.cells.size())) +
            " cells lie outside the input";
  return text;
}

std::vector<bool> read_cells(const Shown& shown) {
  std::vector<bool> read(static_cast<size_t>(shown.input.numel()));
  for (const ShownWindow& window : shown.windows)
    for (const int64_t cell : window.cells) read[static_cast<size_t>(cell)] = true;
  return read;
}

int64_t slices_of(const Tensor& array) { return array.rank() == 3 ? array.size(0) : 1; }

std::vector<std::vector<std::string>> slice_texts(const Tensor& array, int64_t slice) {
  const int64_t rows = array.rank() == 1 ? 1 : array.size(-2), columns = array.size(-1);
  const Tensor flat = array.reshape({-1});
  std::vector<std::vector<std::string>> texts(static_cast<size_t>(rows));
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c)
      texts[static_cast<size_t>(r)].push_back(value_text(flat.item({(slice * rows + r) * columns + c})));
  return texts;
}

}  // namespace tidepool::cli
