#include "small_array.h"

#include <vector>

#include "open_input.h"
#include "option_text.h"
#include "tidepool/error.h"
#include "tidepool/io/npy.h"

namespace tidepool::cli {

namespace {

constexpr int64_t most_bytes = 1 << 20;
constexpr std::string_view spaces = " \t\r,";

[[noreturn]] void fail(const std::string& what, const std::string& message) {
  throw Error(ErrorCode::parse, "show: " + what + ": " + message);
}

using Row = std::vector<double>;
using Slice = std::vector<Row>;

Row parse_row(const std::string& what, std::string_view text) {
  Row row;
  for (;;) {
    const size_t from = text.find_first_not_of(spaces);
    if (from == std::string_view::npos) return row;
    text.remove_prefix(from);
    const std::string_view word = text.substr(0, text.find_first_of(spaces));
    text.remove_prefix(word.size());
    double value = 0;
    try {
      read_text(word, value);
    } catch (const Error&) {
      constexpr size_t most_quoted = 40;
      fail(what, "expected a number, got '" + std::string(word.substr(0, most_quoted)) + "'");
    }
    row.push_back(value);
  }
}

// Parts without numbers, as at the end of a file, are left out.
Slice parse_slice(const std::string& what, std::string_view text) {
  Slice rows;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find_first_of(";\n"));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
    Row row = parse_row(what, part);
    if (row.empty()) continue;
    if (!rows.empty() && row.size() != rows[0].size())
      fail(what, "rows must be equally long, got " + std::to_string(rows[0].size()) + " and " + std::to_string(row.size()) + " numbers");
    rows.push_back(std::move(row));
  }
  return rows;
}

void check_cells(const std::string& what, int64_t cells) {
  if (cells == 0) fail(what, "an array without numbers");
  if (cells > most_small_cells)
    throw Error(ErrorCode::invalid_argument, "show: " + what + ": takes at most " + std::to_string(most_small_cells) + " numbers, got " +
                                                 std::to_string(cells) + "; tidepool pool takes large arrays");
}

}  // namespace

Tensor parse_small_array(const std::string& what, std::string_view text) {
  std::vector<Slice> slices;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find('|'));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    Slice slice = parse_slice(what, part);
    if (slice.empty()) continue;
    if (!slices.empty() && (slice.size() != slices[0].size() || slice[0].size() != slices[0][0].size()))
      fail(what, "slices must have equally many rows and columns");
    slices.push_back(std::move(slice));
  }
  std::vector<double> values;
  for (const Slice& slice : slices)
    for (const Row& row : slice) values.insert(values.end(), row.begin(), row.end());
  check_cells(what, static_cast<int64_t>(values.size()));
  const auto rows = static_cast<int64_t>(slices[0].size()), columns = static_cast<int64_t>(slices[0][0].size());
  Dims shape{static_cast<int64_t>(slices.size()), rows, columns};
  if (slices.size() == 1) shape = rows == 1 ? Dims{columns} : Dims{rows, columns};
  return Tensor::from<double>(shape, std::span<const double>(values));
}

Tensor read_small_array(const std::string& what, const std::string& name) {
  const FileName source = parse_file_name(name);
  const std::string shown = source.is_stream() ? "standard input" : source.path;
  const io::InputFile file(shown, read_contents("show", source.is_stream() ? "-" : source.path, most_bytes));
  const auto kind = kind_of_contents(file);
  if (!kind) return parse_small_array(what, file.text(file.size(), 0));
  if (*kind != FileKind::npy) fail(what, "takes .npy files and text, such as .csv");
  Tensor array = io::read_npy(file);
  check_cells(what, array.numel());
  array = array.to(DType::f64).clone();
  while (array.rank() > 2 && array.size(0) == 1) array = array[0];
  return array.rank() == 0 ? array.reshape({1}) : array;
}

Tensor with_rank(const std::string& what, const Tensor& array, int rank) {
  Tensor result = array;
  while (result.rank() > rank && result.size(0) == 1) result = result[0];
  if (result.rank() > rank)
    throw Error(ErrorCode::shape_mismatch,
                "show: " + what + ": must have " + std::to_string(rank) + " dims or fewer, got " + to_string(array.shape()));
  Dims shape;
  for (int i = result.rank(); i < rank; ++i) shape.push_back(1);
  for (const int64_t size : result.shape()) shape.push_back(size);
  return result.clone().reshape(shape);
}

}  // namespace tidepool::cli
