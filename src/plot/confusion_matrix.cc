#include <algorithm>
#include <cmath>

#include "plot/svg_text.h"
#include "tidepool/error.h"
#include "tidepool/plot/svg.h"

namespace tidepool::inline v0_1::plot {

namespace {

constexpr int cell = 40, left = 70, top = 74;

// The opacity of a square. The square root of the share of its row makes a few mistakes visible beside thousands of correct predictions.
double strength(int64_t count, int64_t row_total) {
  return row_total == 0 ? 0 : std::sqrt(static_cast<double>(count) / static_cast<double>(row_total));
}

std::string square(int row, int column, int64_t count, int64_t row_total) {
  const std::string x = std::to_string(left + column * cell), y = std::to_string(top + row * cell), side = std::to_string(cell - 2);
  std::string svg = "<rect class=\"" + std::string(row == column ? "h" : "m") + "\" x=\"" + x + "\" y=\"" + y + "\" width=\"" + side +
                    "\" height=\"" + side + "\" rx=\"3\" fill-opacity=\"" +
                    number(std::round(100 * (.05 + .6 * strength(count, row_total))) / 100) + "\"/>";
  if (count > 0)
    svg += "<text x=\"" + std::to_string(left + column * cell + cell / 2 - 1) + "\" y=\"" +
           std::to_string(top + row * cell + cell / 2 + 4) + "\">" + std::to_string(count) + "</text>";
  return svg + "\n";
}

}  // namespace

std::string confusion_matrix(const std::string& title, const Tensor& counts, const std::vector<std::string>& classes) {
  const auto n = static_cast<int>(classes.size());
  if (counts.dtype() != DType::i64 || counts.shape() != Dims{n, n})
    throw Error(ErrorCode::shape_mismatch, "confusion_matrix: counts must be " + std::to_string(n) + "x" + std::to_string(n) +
                                               " of i64, got " + to_string(counts.shape()) + " of " +
                                               std::string(dtype_name(counts.dtype())));
  const int width = std::max(left + n * cell + 22, 320), height = top + n * cell + 20;
  std::string svg = svg_header(width, height, title, "rows: the true class, columns: the predicted one",
                               ".h{fill:#1a7f37}.m{fill:#cf222e}@media(prefers-color-scheme:dark){.h{fill:#56d364}.m{fill:#ff7b72}}");
  svg += "<text class=\"s l\" x=\"" + std::to_string(left) + "\" y=\"50\">predicted</text><text class=\"s e\" x=\"" +
         std::to_string(left - 12) + "\" y=\"" + std::to_string(top - 8) + "\">true</text>\n";
  for (int row = 0; row < n; ++row) {
    const std::string name = escaped(classes[static_cast<size_t>(row)]);
    svg += "<text class=\"s\" x=\"" + std::to_string(left + row * cell + cell / 2 - 1) + "\" y=\"" + std::to_string(top - 8) + "\">" +
           name + "</text>";
    svg += "<text class=\"s e\" x=\"" + std::to_string(left - 12) + "\" y=\"" + std::to_string(top + row * cell + cell / 2 + 4) + "\">" +
           name + "</text>\n";
    int64_t total = 0;
    for (int column = 0; column < n; ++column) total += static_cast<int64_t>(counts.item({row, column}));
    for (int column = 0; column < n; ++column) svg += square(row, column, static_cast<int64_t>(counts.item({row, column})), total);
  }
  return svg + "</svg>\n";
}

}  // namespace tidepool::inline v0_1::plot
