#include "analyze/costs.h"

#include <algorithm>
#include <set>

#include "core/checked.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze {

namespace {

// A total that stays at the largest number instead of overflowing: each summand is already known to fit.
void add_to(int64_t& total, int64_t more) {
  if (!detail::checked_add(total, more, &total)) total = INT64_MAX;
}

void take_from(int64_t& total, int64_t less) {
  if (total != INT64_MAX) total -= less;
}

int64_t bytes_of(int64_t elements, int64_t element_size) {
  int64_t bytes;
  return detail::checked_mul(elements, element_size, &bytes) ? bytes : INT64_MAX;
}

int64_t bytes_of(const Node& node, int64_t element_size) { return bytes_of(checked_numel(node.shape).value(), element_size); }

// Whether the output is the input's memory under another shape. Dropout does nothing in inference.
bool is_view(const Layer& layer) {
  if (const auto* e = std::get_if<Elementwise>(&layer))
    return e->kind == Elementwise::Kind::dropout || e->kind == Elementwise::Kind::identity;
  return std::holds_alternative<Flatten>(layer) || std::holds_alternative<Reshape>(layer) || std::holds_alternative<Transpose>(layer) ||
         std::holds_alternative<Slice>(layer);
}

enum class Saves { nothing, input, output, inputs, index_bytes, mask_bytes };

// What the backward pass of a layer reads. Pooling's indices and dropout's mask take one byte for each output.
Saves saved_by(const Layer& layer) {
  if (const auto* e = std::get_if<Elementwise>(&layer)) {
    if (e->kind == Elementwise::Kind::dropout) return Saves::mask_bytes;
    if (e->kind == Elementwise::Kind::identity) return Saves::nothing;
    return e->saves_output ? Saves::output : Saves::input;
  }
  if (const auto* p = std::get_if<Pool>(&layer)) {
    if (p->op == Op::lp) return Saves::input;
    return p->op == Op::max || p->op == Op::min ? Saves::index_bytes : Saves::nothing;
  }
  if (const auto* p = std::get_if<AdaptivePool>(&layer)) return p->op == Op::max ? Saves::index_bytes : Saves::nothing;
  if (std::holds_alternative<FractionalPool>(layer)) return Saves::index_bytes;
  if (const auto* m = std::get_if<Merge>(&layer)) return m->kind == Merge::Kind::add ? Saves::nothing : Saves::inputs;
  if (std::holds_alternative<MatMul>(layer)) return Saves::inputs;
  if (std::holds_alternative<Softmax>(layer)) return Saves::output;
  if (std::holds_alternative<Conv>(layer) || std::holds_alternative<ConvTranspose>(layer) || std::holds_alternative<Linear>(layer) ||
      std::holds_alternative<StatisticsNorm>(layer))
    return Saves::input;
  return Saves::nothing;
}

class Costs {
 public:
  Costs(const Network& network, const Options& options, Report& report) : network_(network), options_(options), report_(report) {
    const size_t count = network.nodes().size();
    owner_.resize(count);
    last_use_.assign(count, -1);
    saved_.assign(count, false);
  }

  void run() {
    for (size_t at = 0; at < network_.nodes().size(); ++at) count_layer(static_cast<int>(at));
    // The program holds inputs and outputs.
    const int end = static_cast<int>(network_.nodes().size());
    for (const int input : network_.inputs()) last_use_[index(input)] = end;
    for (const int output : network_.outputs()) last_use_[index(owner_[index(output)])] = end;
    report_.inference_bytes = peak_of_inference();
    report_.training_bytes = peak_of_training();
    report_.seconds = static_cast<double>(report_.moved_bytes) / options_.bytes_per_second;
  }

 private:
  size_t index(int node) const { return static_cast<size_t>(node); }

  void count_layer(int at) {
    const Node& node = network_.node(at);
    LayerReport& layer = report_.layers[index(at)];
    const bool view = is_view(node.layer) && !node.inputs.empty();
    owner_[index(at)] = view ? owner_[index(node.inputs[0])] : at;
    if (node.weights.empty() || counted_.insert(node.weights).second) add_to(report_.parameters, node.parameters);
    if (!node.is_known()) return;
    const int64_t size = bytes_of(node, options_.element_size);
    const bool has_memory = !view && !std::holds_alternative<Constant>(node.layer);
    layer.output_bytes = has_memory ? size : 0;
    if (!std::holds_alternative<Input>(node.layer)) add_to(report_.activation_bytes, layer.output_bytes);
    add_to(report_.multiply_adds, node.multiply_adds);
    for (const int input : node.inputs) last_use_[index(owner_[index(input)])] = at;
    if (!view && !node.inputs.empty()) {
      layer.moved_bytes = size;
      for (const int input : node.inputs) add_to(layer.moved_bytes, bytes_of(network_.node(input), options_.element_size));
      add_to(layer.moved_bytes, bytes_of(node.parameters, options_.element_size));
      layer.seconds = static_cast<double>(layer.moved_bytes) / options_.bytes_per_second;
      add_to(report_.moved_bytes, layer.moved_bytes);
    }
    count_saved(at, layer);
  }

  void save(int node, LayerReport& layer) {
    const int owner = owner_[index(node)];
    if (saved_[index(owner)]) return;
    saved_[index(owner)] = true;
    add_to(layer.saved_bytes, bytes_of(network_.node(owner), options_.element_size));
  }

  void count_saved(int at, LayerReport& layer) {
    const Node& node = network_.node(at);
    if (node.inputs.empty()) return;
    switch (saved_by(node.layer)) {
      case Saves::nothing:
        break;
      case Saves::input:
        save(node.inputs[0], layer);
        break;
      case Saves::inputs:
        for (const int input : node.inputs) save(input, layer);
        break;
      case Saves::output:
        save(at, layer);
        break;
      case Saves::index_bytes:
      case Saves::mask_bytes:
        add_to(layer.saved_bytes, checked_numel(node.shape).value());
        break;
    }
  }

  // Every output lives from its layer to the last layer that reads it.
  int64_t peak_of_inference() const {
    std::vector<std::vector<int>> ends(network_.nodes().size());
    int64_t alive = 0, peak = 0;
    for (size_t at = 0; at < network_.nodes().size(); ++at) {
      add_to(alive, report_.layers[at].output_bytes);
      peak = std::max(peak, alive);
      if (last_use_[at] >= 0 && index(last_use_[at]) < ends.size()) ends[index(last_use_[at])].push_back(static_cast<int>(at));
      for (const int done : ends[at]) take_from(alive, report_.layers[index(done)].output_bytes);
    }
    return peak;
  }

  // Forward, then backward in reverse. What is saved lives until the backward pass of its layer. The gradient of a value lives from the
  // backward pass of the last layer that reads it to that of the layer that made it.
  int64_t peak_of_training() const {
    const size_t count = network_.nodes().size();
    int64_t alive = 0, peak = 0;
    std::vector<std::vector<int>> ends(count);
    for (size_t at = 0; at < count; ++at) {
      const LayerReport& layer = report_.layers[at];
      // Values that a backward pass reads stay. Masks and indices are memory of their own.
      add_to(alive, layer.output_bytes);
      if (const Saves saves = saved_by(network_.nodes()[at].layer); saves == Saves::index_bytes || saves == Saves::mask_bytes)
        add_to(alive, layer.saved_bytes);
      peak = std::max(peak, alive);
      if (!saved_[at] && last_use_[at] >= 0 && index(last_use_[at]) < count) ends[index(last_use_[at])].push_back(static_cast<int>(at));
      for (const int done : ends[at]) take_from(alive, report_.layers[index(done)].output_bytes);
    }
    std::vector<bool> has_gradient(count);
    for (size_t i = count; i-- > 0;) {
      const Node& node = network_.nodes()[i];
      if (!node.is_known() || node.inputs.empty()) continue;
      const auto gradient = [&](int of) {
        const size_t owner = index(owner_[index(of)]);
        if (has_gradient[owner]) return;
        has_gradient[owner] = true;
        add_to(alive, report_.layers[owner].output_bytes);
      };
      gradient(static_cast<int>(i));
      for (const int input : node.inputs)
        if (!std::holds_alternative<Input>(network_.node(owner_[index(input)]).layer)) gradient(input);
      peak = std::max(peak, alive);
      // This layer is done: its output, the gradient of its output and what it saved are not needed any more.
      if (owner_[i] == static_cast<int>(i)) {
        take_from(alive, report_.layers[i].output_bytes);
        if (saved_[i] || index(last_use_[i]) >= count) take_from(alive, report_.layers[i].output_bytes);
      }
      if (const Saves saves = saved_by(node.layer); saves == Saves::index_bytes || saves == Saves::mask_bytes)
        take_from(alive, report_.layers[i].saved_bytes);
    }
    return peak;
  }

  const Network& network_;
  const Options& options_;
  Report& report_;
  std::vector<int> owner_;     // the node whose memory a value is in
  std::vector<int> last_use_;  // of the memory that a node owns; the number of nodes if the program keeps it
  std::vector<bool> saved_;    // whether a backward pass reads the memory
  std::set<std::string> counted_;
};

}  // namespace

void add_costs(const Network& network, const Options& options, Report& report) { Costs(network, options, report).run(); }

}  // namespace tidepool::inline v0_1::analyze
