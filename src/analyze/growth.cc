#include "analyze/growth.h"

#include <algorithm>

#include "core/checked.h"

namespace tidepool::inline v0_1::analyze {

namespace {

int64_t rounded_up(const Rational& number) { return detail::ceil_div(number.numerator(), number.denominator()); }

}  // namespace

std::vector<Growth> growth_beyond_input(const Network& network, const Report& report, bool all_paths) {
  std::vector<Growth> found;
  for (size_t axis = 0; axis < report.axes.size(); ++axis) {
    bool continues = false;  // the last layer that enlarged the field belongs to the last group
    for (size_t at = 0; at < network.nodes().size(); ++at) {
      const Node& node = network.nodes()[at];
      if (!node.is_known() || node.inputs.size() != 1) continue;
      const Field& field = report.layers[at].fields[axis];
      const Field& before = report.layers[static_cast<size_t>(node.inputs[0])].fields[axis];
      if (!field.depends || field.size <= before.size || field.stride == Rational(0)) continue;
      const bool counts = all_paths ? field.saturated : field.oversized && !field.saturated;
      if (counts && !continues) found.push_back({.axis = axis, .nodes = {}, .field = before.size, .input = report.axes[axis].size});
      continues = counts;
      if (!counts) continue;
      found.back().nodes.push_back(static_cast<int>(at));
      found.back().needed = std::max(found.back().needed, all_paths ? rounded_up(before.smallest) : before.size);
    }
  }
  return found;
}

}  // namespace tidepool::inline v0_1::analyze
