#include "analyze/chain_blocks.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "analyze/axis_words.h"

namespace tidepool::inline v0_1::analyze {

namespace {

constexpr size_t most_layers = 12;  // that are drawn one by one
constexpr size_t most_groups = 14;
constexpr size_t most_labels = 3;  // kinds of layers that a group lists

size_t index(int node) { return static_cast<size_t>(node); }

// Weights and other values that no input reaches are not part of the chain.
std::vector<int> drawn_nodes(const Network& network) {
  std::vector<bool> reached(network.nodes().size());
  std::vector<int> drawn;
  for (size_t at = 0; at < network.nodes().size(); ++at) {
    const Node& node = network.nodes()[at];
    reached[at] = std::holds_alternative<Input>(node.layer) || !node.is_known();
    for (const int input : node.inputs) reached[at] = reached[at] || reached[index(input)];
    if (reached[at]) drawn.push_back(static_cast<int>(at));
  }
  return drawn;
}

bool is_pointwise(const Layer& layer) {
  return std::holds_alternative<Elementwise>(layer) || std::holds_alternative<StatisticsNorm>(layer) ||
         std::holds_alternative<Softmax>(layer);
}

// For each node the number of its group, counted in the order of the first layer. Nodes that are not drawn have -1.
using Groups = std::vector<int>;

Groups layer_by_layer(const Network& network, const std::vector<int>& drawn) {
  std::vector<int> readers(network.nodes().size());
  for (const Node& node : network.nodes())
    for (const int input : node.inputs) ++readers[index(input)];
  Groups groups(network.nodes().size(), -1);
  int count = 0;
  for (const int at : drawn) {
    const Node& node = network.node(at);
    const bool joins = is_pointwise(node.layer) && node.is_known() && node.inputs.size() == 1 && readers[index(node.inputs[0])] == 1 &&
                       !std::holds_alternative<Input>(network.node(node.inputs[0]).layer);
    groups[index(at)] = joins ? groups[index(node.inputs[0])] : count++;
  }
  return groups;
}

// How far apart the cells of a layer are on the inputs. Everything behind global pooling or flattening is alike, and so are layers that
// are not known. Inputs have a block of their own.
std::vector<Rational> spacing(const Network& network, const Report& report, int at) {
  if (!network.node(at).is_known()) return {Rational(-1)};
  if (std::holds_alternative<Input>(network.node(at).layer)) return {Rational(-2)};
  const std::vector<Field>& fields = report.layers[index(at)].fields;
  const bool moves = std::any_of(fields.begin(), fields.end(), [](const Field& f) { return f.depends && f.stride != Rational(0); });
  if (!moves || network.node(at).shape.rank < 3) return {Rational(0)};
  std::vector<Rational> strides;
  strides.reserve(fields.size());
  for (const Field& field : fields) strides.push_back(field.depends ? field.stride : Rational(0));
  return strides;
}

// Groups of equal spacing after the same number of changes of it: the way down of a U-Net is not the way up.
Groups by_spacing(const Network& network, const Report& report, const std::vector<int>& drawn) {
  Groups groups(network.nodes().size(), -1);
  std::vector<std::vector<Rational>> spacings(network.nodes().size());
  std::vector<int> changes(network.nodes().size());
  std::map<std::pair<int, std::vector<Rational>>, int> known;
  for (const int at : drawn) {
    std::vector<Rational>& mine = spacings[index(at)];
    mine = spacing(network, report, at);
    for (const int input : network.node(at).inputs)
      if (groups[index(input)] >= 0)
        changes[index(at)] = std::max(changes[index(at)], changes[index(input)] + (spacings[index(input)] == mine ? 0 : 1));
    groups[index(at)] = known.emplace(std::pair(changes[index(at)], mine), static_cast<int>(known.size())).first->second;
  }
  // In the order of the changes, and not of execution, which may finish one branch before it starts the next.
  std::vector<int> order(known.size());
  int next = 0;
  for (const auto& [key, group] : known) order[index(group)] = next++;
  for (int& group : groups)
    if (group >= 0) group = order[index(group)];
  return groups;
}

int count_of(const Groups& groups) { return groups.empty() ? 0 : 1 + *std::max_element(groups.begin(), groups.end()); }

std::vector<std::string> kinds(const Network& network, const std::vector<int>& nodes) {
  std::vector<std::pair<std::string, int>> counts;
  for (const int at : nodes) {
    const Layer& layer = network.node(at).layer;
    if (is_pointwise(layer) && nodes.size() > 1) continue;
    const std::string kind = shown(kind_of(layer));
    const auto found = std::find_if(counts.begin(), counts.end(), [&](const auto& c) { return c.first == kind; });
    if (found == counts.end())
      counts.emplace_back(kind, 1);
    else
      ++found->second;
  }
  std::stable_sort(counts.begin(), counts.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<std::string> lines;
  for (const auto& [kind, count] : counts) {
    if (lines.size() + 1 == most_labels && counts.size() > most_labels) {
      lines.emplace_back("…");
      break;
    }
    lines.push_back(count == 1 ? kind : std::to_string(count) + " " + kind);
  }
  return lines;
}

// A unit that changes the stride may begin with layers that do not: they belong to the block before, but what it hands on is the value that
// the unit begins with.
void choose_results(const Network& network, const Groups& groups, std::vector<Block>& blocks) {
  for (Block& block : blocks) block.result = -1;
  for (size_t at = 0; at < groups.size(); ++at) {
    if (groups[at] <= 0) continue;
    for (const int input : network.nodes()[at].inputs) {
      if (groups[index(input)] != groups[at] - 1) continue;
      int& result = blocks[index(groups[index(input)])].result;
      if (result < 0 || input < result) result = input;
    }
  }
  for (Block& block : blocks)
    if (block.result < 0) block.result = block.nodes.back();
}

std::vector<Block> blocks_of(const Network& network, const std::vector<int>& drawn, const Groups& groups, bool grouped) {
  std::vector<Block> blocks(static_cast<size_t>(count_of(groups)));
  std::vector<std::set<int>> reads(blocks.size());
  for (const int at : drawn) {
    const int mine = groups[index(at)];
    blocks[index(mine)].nodes.push_back(at);
    for (const int input : network.node(at).inputs)
      if (const int theirs = groups[index(input)]; theirs >= 0 && theirs < mine) reads[index(mine)].insert(theirs);
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    Block& block = blocks[i];
    block.groups = grouped && block.nodes.size() > 1;
    block.reads.assign(reads[i].begin(), reads[i].end());
    if (grouped)
      block.labels = kinds(network, block.nodes);
    else
      for (const int at : block.nodes)
        if (block.labels.size() < most_labels) block.labels.push_back(shown(to_string(network.node(at).layer)));
  }
  choose_results(network, groups, blocks);
  return blocks;
}

}  // namespace

std::vector<Block> chain_blocks(const Network& network, const Report& report) {
  const std::vector<int> drawn = drawn_nodes(network);
  Groups groups = layer_by_layer(network, drawn);
  if (static_cast<size_t>(count_of(groups)) <= most_layers) return blocks_of(network, drawn, groups, false);
  Groups spaced = by_spacing(network, report, drawn);
  // Without spatial axes there is nothing to go by but the order.
  if (count_of(spaced) <= 2) spaced = std::move(groups);
  const auto all = static_cast<size_t>(count_of(spaced));
  if (all > most_groups)
    for (int& group : spaced)
      if (group >= 0) group = static_cast<int>(index(group) * most_groups / all);
  return blocks_of(network, drawn, spaced, true);
}

}  // namespace tidepool::inline v0_1::analyze
