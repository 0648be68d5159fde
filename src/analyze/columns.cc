#include "analyze/columns.h"

#include <algorithm>

namespace tidepool::inline v0_1::analyze {

namespace {

constexpr std::string_view ellipsis = "…";
constexpr size_t gap = 2;

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

// The byte at which character number `count` begins.
size_t byte_of(std::string_view text, size_t count) {
  size_t at = 0;
  for (; at < text.size(); ++at)
    if (begins_character(text[at]) && count-- == 0) break;
  return at;
}

size_t column_width(const Column& column) {
  size_t width = width_of(column.title);
  for (const std::string& cell : column.cells) width = std::max(width, width_of(cell));
  return width;
}

size_t total_width(const std::vector<Column>& columns) {
  size_t width = columns.empty() ? 0 : gap * (columns.size() - 1);
  for (const Column& column : columns) width += column_width(column);
  return width;
}

void cut_cells(std::vector<Column>& columns, size_t width) {
  for (Column& column : columns)
    if (column.cuttable)
      for (std::string& cell : column.cells) cell = cut(cell, width, column.keep_end);
}

void append(std::string& line, std::string_view text, size_t width, bool right) {
  const std::string spaces(width - width_of(text), ' ');
  if (right) line += spaces;
  line += text;
  if (!right) line += spaces;
}

// Lines of pieces with spaces between them.
std::string filled(const std::vector<std::string_view>& pieces, size_t width, std::string_view first) {
  const size_t indent = width_of(first);
  const size_t room = width > indent + 1 ? width - indent : 1;
  std::string out(first);
  size_t used = 0;
  const auto new_line = [&] {
    out += "\n" + std::string(indent, ' ');
    used = 0;
  };
  for (std::string_view piece : pieces) {
    if (used > 0 && used + 1 + width_of(piece) > room) new_line();
    if (used > 0) {
      out += ' ';
      ++used;
    }
    for (; width_of(piece) > room; new_line()) {
      const size_t bytes = byte_of(piece, room);
      out += piece.substr(0, bytes);
      piece.remove_prefix(bytes);
    }
    out += piece;
    used += width_of(piece);
  }
  return out + "\n";
}

}  // namespace

size_t width_of(std::string_view text) { return static_cast<size_t>(std::ranges::count_if(text, begins_character)); }

std::string cut(std::string_view text, size_t width, bool keep_end) {
  const size_t characters = width_of(text);
  if (characters <= width) return std::string(text);
  if (width == 0) return "";
  if (keep_end) return std::string(ellipsis) + std::string(text.substr(byte_of(text, characters - width + 1)));
  return std::string(text.substr(0, byte_of(text, width - 1))) + std::string(ellipsis);
}

std::optional<Rows> aligned_rows(std::vector<Column> columns, size_t width) {
  Rows rows;
  const size_t count = columns.empty() ? 0 : columns.front().cells.size();
  std::erase_if(columns, [](const Column& column) { return column.drop > 0 && std::ranges::all_of(column.cells, &std::string::empty); });
  const auto fits = [&] { return total_width(columns) <= width; };
  if (!fits()) cut_cells(columns, 24);
  while (!fits()) {
    const auto last = std::ranges::max_element(columns, {}, &Column::drop);
    if (last == columns.end() || last->drop == 0) break;
    rows.dropped.push_back(last->title);
    std::erase_if(columns, [drop = last->drop](const Column& column) { return column.drop == drop; });
  }
  if (!fits()) cut_cells(columns, 12);
  if (!fits()) return std::nullopt;
  rows.lines.resize(count);
  for (size_t i = 0; i < columns.size(); ++i) {
    const Column& column = columns[i];
    const size_t wide = column_width(column);
    const auto add = [&](std::string& line, std::string_view text) {
      if (i > 0) line.append(gap, ' ');
      append(line, text, wide, column.right);
    };
    add(rows.header, column.title);
    for (size_t row = 0; row < count; ++row) add(rows.lines[row], column.cells[row]);
  }
  rows.header.erase(rows.header.find_last_not_of(' ') + 1);
  for (std::string& line : rows.lines) line.erase(line.find_last_not_of(' ') + 1);
  return rows;
}

std::string paragraph(std::string_view text, size_t width, std::string_view first) {
  std::vector<std::string_view> words;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return filled(words, width, first);
}

std::string folded_list(const std::vector<std::string>& items, size_t width, std::string_view first) {
  std::vector<std::string> with_commas = items;
  for (size_t i = 0; i + 1 < items.size(); ++i) with_commas[i] += ",";
  return filled({with_commas.begin(), with_commas.end()}, width, first);
}

}  // namespace tidepool::inline v0_1::analyze
