#include "shape_notes.h"

#include <array>
#include <vector>

namespace tidepool::cli {

std::string dropped_note(const Geometry& geometry) {
  static constexpr std::array names = {"slice", "row", "column"};
  std::vector<std::string> parts;
  int64_t total = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const int64_t dropped = geometry.axis(axis).dropped();
    if (dropped == 0) continue;
    total += dropped;
    const std::string name = geometry.rank() == 1 ? "cell" : names[static_cast<size_t>(axis)];
    parts.push_back(std::to_string(dropped) + " " + name + (dropped == 1 ? "" : "s"));
  }
  if (parts.empty()) return "";
  std::string text = parts[0];
  for (size_t i = 1; i < parts.size(); ++i) text += (i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text + (total == 1 ? " at the end is" : " at the end are") + " read by no window";
}

}  // namespace tidepool::cli
