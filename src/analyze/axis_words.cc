#include "analyze/axis_words.h"

namespace tidepool::inline v0_1::analyze {

namespace {

constexpr size_t most_ranges = 4;    // that a sentence lists
constexpr size_t longest_name = 80;  // bytes

std::string_view word_for(std::string_view axis) {
  return axis == "d" ? "slice" : axis == "h" ? "row" : axis == "w" ? "column" : "position";
}

}  // namespace

std::string listed(const std::vector<std::string>& items) {
  std::string text;
  for (size_t i = 0; i < items.size(); ++i) text += (i == 0 ? "" : i + 1 == items.size() ? " and " : ", ") + items[i];
  return text;
}

std::string positions(std::string_view axis, const RangeSet& set) {
  const std::string word = std::string(word_for(axis)) + (set.count() == 1 ? "" : "s");
  const std::string along = word.starts_with("position") && axis != "l" ? " along " + shown(axis) : "";
  if (set.ranges().size() <= most_ranges) return word + " " + to_string(set) + along;
  RangeSet first;
  for (size_t i = 0; i < most_ranges; ++i) first.add(RangeSet(set.ranges()[i]));
  return std::to_string(set.count()) + " " + word + along + " (" + to_string(first) + ", …)";
}

std::string axis_label(const Network& network, const Report& report, size_t axis) {
  const InputAxis& of = report.axes[axis];
  for (const InputAxis& other : report.axes)
    if (other.input != of.input) return shown(of.name) + " of '" + shown(network.node(of.input).name) + "'";
  return shown(of.name);
}

std::string shown(std::string_view name) {
  std::string text(name);
  if (text.size() > longest_name) {
    size_t end = longest_name;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // not inside a character of UTF-8
    text = text.substr(0, end) + "…";
  }
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = ' ';
  return text;
}

}  // namespace tidepool::inline v0_1::analyze
