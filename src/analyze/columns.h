// Text in aligned columns that fit the width of a terminal, and paragraphs.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tidepool::inline v0_1::analyze {

// The columns of a terminal that text in UTF-8 takes, if every character takes one.
size_t width_of(std::string_view text);
// No wider than `width`: an ellipsis replaces the end, or with `keep_end` the beginning.
std::string cut(std::string_view text, size_t width, bool keep_end = false);

struct Column {
  std::string title;
  std::vector<std::string> cells;
  bool right = false;  // aligned
  int drop = 0;        // columns with larger numbers are left out first, those with the same together; 0: never
  bool cuttable = false;
  bool keep_end = false;  // when it is cut
};

struct Rows {
  std::string header;
  std::vector<std::string> lines;
  std::vector<std::string> dropped;  // titles
};

// Columns that may be left out are if all their cells are empty. Then, in this order, until the lines are no wider than `width`: cells are
// cut to 24 characters, columns are left out, cells are cut to 12. Nothing if all of that is not enough.
std::optional<Rows> aligned_rows(std::vector<Column> columns, size_t width);

// Lines no wider than `width`, broken between words; the first begins with `first`, the others with as many spaces. Words that are too
// long are broken.
std::string paragraph(std::string_view text, size_t width, std::string_view first = "");
// The same for a list with commas, broken between its items where they fit.
std::string folded_list(const std::vector<std::string>& items, size_t width, std::string_view first = "");

}  // namespace tidepool::inline v0_1::analyze
