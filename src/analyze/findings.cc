#include "tidepool/analyze/findings.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "analyze/axis_words.h"
#include "analyze/growth.h"

namespace tidepool::inline v0_1::analyze {

namespace {

// "max_pool1 (max 2)", or the text alone where it is the name already.
std::string layer_name(const Network& network, int node) {
  const Node& layer = network.node(node);
  const std::string name = shown(layer.name), text = shown(to_string(layer.layer));
  return name == text ? name : name + " (" + text + ")";
}

// "conv1, conv2 and conv3", "conv1 to conv9 (9 layers)"
std::string layer_names(const Network& network, const std::vector<int>& nodes) {
  if (nodes.size() > 4)
    return shown(network.node(nodes.front()).name) + " to " + shown(network.node(nodes.back()).name) + " (" + std::to_string(nodes.size()) +
           " layers)";
  std::vector<std::string> names;
  names.reserve(nodes.size());
  for (const int node : nodes) names.push_back(shown(network.node(node).name));
  return listed(names);
}

// Remedies of the axes of one layer together: "padding 0:1 along h and w" instead of one line for each. `names` are those of the axes. What
// changes the whole layer, such as ceil_mode, names them only if it does not help along all.
std::vector<std::string> together(const std::vector<const Loss*>& losses, const std::vector<std::string>& names) {
  struct Change {
    std::string what;
    bool of_layer = false;
    std::vector<std::string> axes;
  };
  std::vector<Change> found;
  for (size_t i = 0; i < losses.size(); ++i)
    for (const std::string& remedy : losses[i]->remedies) {
      const size_t split = remedy.rfind(" along ");
      const std::string what = remedy.substr(0, split);
      auto at = std::ranges::find(found, what, &Change::what);
      if (at == found.end()) at = found.insert(found.end(), {.what = what, .of_layer = split == std::string::npos, .axes = {}});
      at->axes.push_back(names[i]);
    }
  std::vector<std::string> remedies;
  remedies.reserve(found.size());
  for (const Change& change : found)
    remedies.push_back(change.of_layer && change.axes.size() == losses.size() ? change.what
                                                                              : change.what + " along " + listed(change.axes));
  return remedies;
}

class Finder {
 public:
  Finder(const Network& network, const Report& report) : network_(network), report_(report), one_input_(network.inputs().size() == 1) {}

  std::vector<Finding> run() {
    find_lost();
    find_misaligned();
    find_unproductive();
    find_unknown();
    std::ranges::stable_sort(found_, {}, &Finding::node);
    find_unseen();
    return std::move(found_);
  }

 private:
  std::string axis_word(int dim, int rank) const {
    return std::string(rank > 5 ? std::to_string(dim) : std::string(axis_name(rank - 2, dim - 2)));
  }

  // "of the input: row 6 and column 6", for each input that has any.
  std::string of_inputs(const std::vector<std::pair<int, RangeSet>>& parts) const {
    std::map<int, std::vector<std::string>> by_input;
    for (const auto& [axis, set] : parts) {
      const InputAxis& of = report_.axes[static_cast<size_t>(axis)];
      by_input[of.input].push_back(positions(of.name, set));
    }
    std::string text;
    for (const auto& [input, words] : by_input) text += (text.empty() ? "" : "; ") + ("of " + input_name(input) + ": " + listed(words));
    return text;
  }

  std::string input_name(int input) const { return one_input_ ? "the input" : "the input '" + shown(network_.node(input).name) + "'"; }

  void find_lost() {
    for (size_t from = 0; from < report_.losses.size();) {
      std::vector<const Loss*> of_layer;
      std::vector<std::string> axes;
      const int node = report_.losses[from].node, rank = network_.node(network_.node(node).inputs[0]).shape.rank;
      for (; from < report_.losses.size() && report_.losses[from].node == node; ++from) {
        of_layer.push_back(&report_.losses[from]);
        axes.push_back(axis_word(report_.losses[from].dim, rank));
      }
      found_.push_back({Finding::Kind::lost, node, lost_text(node, of_layer), together(of_layer, axes)});
    }
  }

  std::string lost_text(int node, const std::vector<const Loss*>& losses) const {
    const Dims& shape = network_.node(network_.node(node).inputs[0]).shape;
    std::vector<std::string> cells;
    std::vector<std::pair<int, RangeSet>> gone;  // what no output sees
    bool other_path = false, kept_cells = true;
    for (const Loss* loss : losses) {
      cells.push_back(positions(axis_word(loss->dim, shape.rank), loss->cells) + " of " + std::to_string(shape[loss->dim]));
      other_path = other_path || (loss->elsewhere && !loss->of_input.empty());
      kept_cells = kept_cells && loss->elsewhere && loss->of_input.empty();
      for (const auto& [axis, set] : loss->of_input) {
        const RangeSet& unseen = report_.unseen[static_cast<size_t>(axis)];
        if (RangeSet lost = set.without(set.without(unseen)); !lost.empty()) gone.emplace_back(axis, std::move(lost));
      }
    }
    const std::string text = layer_name(network_, node) + " loses " + listed(cells);
    if (!gone.empty()) return text + " (" + of_inputs(gone) + ").";
    if (kept_cells) return text + " (nothing of the input: the cells that it keeps depend on the same part).";
    if (other_path && report_.unknown.empty()) return text + " (nothing of the input: another path reads the same part).";
    return text + ".";
  }

  void find_unseen() {
    std::map<int, std::vector<std::pair<int, RangeSet>>> by_input;
    for (size_t axis = 0; axis < report_.unseen.size(); ++axis)
      if (!report_.unseen[axis].empty()) by_input[report_.axes[axis].input].emplace_back(static_cast<int>(axis), report_.unseen[axis]);
    for (const auto& [input, parts] : by_input) {
      std::vector<std::string> words;
      for (const auto& [axis, set] : parts) {
        const InputAxis& of = report_.axes[static_cast<size_t>(axis)];
        words.push_back(positions(of.name, set) + " of " + std::to_string(of.size));
      }
      Finding finding{Finding::Kind::unseen, -1, "No output depends on " + listed(words) + " of " + input_name(input) + ".", {}};
      for (const std::string& size : report_.input_sizes) finding.remedies.push_back("an input of " + size);
      found_.push_back(std::move(finding));
    }
  }

  void find_misaligned() {
    for (size_t from = 0; from < report_.misalignments.size();) {
      const Misalignment& first = report_.misalignments[from];
      std::vector<std::string> axes;
      size_t to = from;
      for (; to < report_.misalignments.size(); ++to) {
        const Misalignment& other = report_.misalignments[to];
        if (other.node != first.node || other.paths != first.paths) break;
        axes.push_back(axis_label(network_, report_, static_cast<size_t>(other.axis)));
      }
      const bool strides = std::ranges::any_of(first.paths, [&](const auto& path) { return path.first != first.paths[0].first; });
      Finding finding{Finding::Kind::misaligned, first.node, {}, {}};
      finding.text =
          layer_name(network_, first.node) + " joins paths that are not aligned along " + listed(axes) + ": " + paths_text(first) + ".";
      finding.remedies.emplace_back(strides ? "strides with the same product on every path"
                                            : "kernel sizes or padding with the same middle on every path");
      found_.push_back(std::move(finding));
      from = to;
    }
  }

  static std::string paths_text(const Misalignment& found) {
    constexpr size_t most = 4;
    std::vector<std::pair<Rational, Rational>> different;
    for (const auto& path : found.paths)
      if (std::ranges::find(different, path) == different.end() && different.size() <= most) different.push_back(path);
    std::vector<std::string> texts;
    for (size_t i = 0; i < std::min(most, different.size()); ++i)
      texts.push_back("stride " + to_string(different[i].first) + " and the middle of cell 0 at " + to_string(different[i].second));
    return (texts.size() == different.size() ? listed(texts) : listed(texts) + ", …") + " of the input";
  }

  void find_unproductive() {
    for (const bool all_paths : {true, false}) {
      // Groups of several axes with the same layers and numbers become one finding.
      std::map<std::tuple<std::vector<int>, int64_t, int64_t>, std::pair<Growth, std::vector<std::string>>> groups;
      for (Growth& group : growth_beyond_input(network_, report_, all_paths)) {
        auto& same = groups[{group.nodes, group.field, group.input}];
        same.second.push_back(axis_label(network_, report_, group.axis));
        same.first = std::move(group);
      }
      for (const auto& [key, group] : groups) found_.push_back(growth_finding(group.first, group.second, all_paths));
    }
  }

  Finding growth_finding(const Growth& group, const std::vector<std::string>& axes, bool all_paths) const {
    const bool one = group.nodes.size() == 1;
    Finding finding{all_paths ? Finding::Kind::unproductive : Finding::Kind::critical, group.nodes.front(), {}, {}};
    finding.text = "Along " + listed(axes) + ", the field before " + layer_names(network_, group.nodes) + " is " +
                   std::to_string(group.field) + " cells, more than the " + std::to_string(group.input) + " of the input: ";
    finding.text += all_paths ? (one ? "the layer sees nothing new." : "these layers see nothing new.")
                              : (one ? "the layer sees something new only on the paths with smaller fields."
                                     : "these layers see something new only on the paths with smaller fields.");
    finding.remedies = {"an input of at least " + std::to_string(group.needed) + " along " + listed(axes),
                        "fewer or smaller strides before " + shown(network_.node(group.nodes.front()).name)};
    return finding;
  }

  void find_unknown() {
    std::map<int, std::vector<int>> blocked;
    for (size_t at = 0; at < network_.nodes().size(); ++at)
      if (const int by = network_.nodes()[at].blocked_by; by >= 0 && by != static_cast<int>(at))
        blocked[by].push_back(static_cast<int>(at));
    for (const int node : report_.unknown) {
      Finding finding{Finding::Kind::unknown, node, "The layer " + unknown_name(node) + " is not known", {}};
      const std::vector<int>& behind = blocked[node];
      finding.text += behind.empty()
                          ? "."
                          : ", so " + layer_names(network_, behind) + (behind.size() == 1 ? " is not analysed." : " are not analysed.");
      found_.push_back(std::move(finding));
    }
  }

  // "nms (NonMaxSuppression)"
  std::string unknown_name(int node) const {
    const Node& layer = network_.node(node);
    const auto* unknown = std::get_if<Unknown>(&layer.layer);
    return shown(layer.name) + (unknown == nullptr || unknown->function.empty() ? "" : " (" + shown(unknown->function) + ")");
  }

  const Network& network_;
  const Report& report_;
  bool one_input_;
  std::vector<Finding> found_;
};

}  // namespace

std::string to_string(Finding::Kind kind) {
  constexpr std::string_view names[] = {"lost", "unseen", "misaligned", "unproductive", "critical", "unknown"};
  return std::string(names[static_cast<size_t>(kind)]);
}

std::vector<Finding> findings(const Network& network, const Report& report) { return Finder(network, report).run(); }

}  // namespace tidepool::inline v0_1::analyze
