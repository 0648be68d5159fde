#include <optional>
#include <unordered_map>

#include "autograd/accumulate.h"
#include "autograd/node.h"
#include "tidepool/creation.h"

namespace tidepool {
namespace detail {
namespace {

thread_local const std::string* running = nullptr;

struct Running {
  explicit Running(const Node& node) : before(running) { running = &node.op; }
  ~Running() { running = before; }
  const std::string* before;
};

// How many gradients each node waits for.
std::unordered_map<Node*, int> count_waiting(Node* root) {
  std::unordered_map<Node*, int> waiting{{root, 0}};
  std::vector<Node*> line{root};
  while (!line.empty()) {
    const Node* node = line.back();
    line.pop_back();
    for (const auto& input : node->inputs) {
      if (!input || !input->node) continue;
      if (waiting.try_emplace(input->node.get(), 0).second) line.push_back(input->node.get());
      ++waiting[input->node.get()];
    }
  }
  return waiting;
}

Tensor output_of(const std::shared_ptr<Node>& node) {
  if (node->output.version() != node->output_version)
    throw Error(ErrorCode::aliasing, node->op + " backward: its result must not be changed in place, got version " +
                                         std::to_string(node->output.version()) + " for version " + std::to_string(node->output_version) +
                                         " (shape " + to_string(node->output.shape()) + ")");
  Tensor output = node->output;
  auto state = std::make_shared<GradState>();
  state->node = node;
  output.set_grad_state(std::move(state));
  return output;
}

Gradients run_rule(const std::shared_ptr<Node>& node, const Tensor& gradient) {
  if (node->freed())
    throw Error(ErrorCode::invalid_argument,
                "backward: a graph must be kept to be used again, got one that an earlier backward freed (at " + node->op +
                    "; retain_graph = true keeps it)");
  const Running mark(*node);
  Gradients result = node->rule ? node->rule(gradient) : node->output_rule(gradient, output_of(node));
  if (result.size() != node->inputs.size())
    throw Error(ErrorCode::shape_mismatch, node->op + " backward: its rule must give " + std::to_string(node->inputs.size()) +
                                               " gradients, got " + std::to_string(result.size()));
  for (size_t i = 0; i < result.size(); ++i) {
    if (!node->inputs[i] || !result[i].defined() || result[i].shape() == node->shapes[i]) continue;
    throw Error(ErrorCode::shape_mismatch, node->op + " backward: a gradient must have its input's shape " + to_string(node->shapes[i]) +
                                               ", got " + to_string(result[i].shape()) + " (input " + std::to_string(i) + ")");
  }
  return result;
}

Tensor seed(const Tensor& root, const GradOptions& options) {
  if (!root.requires_grad())
    throw Error(ErrorCode::invalid_argument,
                "backward: tensor must require gradients, got one that does not (shape " + to_string(root.shape()) + ")");
  if (options.gradient.defined()) {
    if (options.gradient.shape() != root.shape())
      throw Error(ErrorCode::shape_mismatch, "backward: gradient must have the tensor's shape " + to_string(root.shape()) + ", got " +
                                                 to_string(options.gradient.shape()));
    return options.gradient;
  }
  if (root.numel() != 1)
    throw Error(ErrorCode::shape_mismatch, "backward: tensor must have 1 element when no gradient is given, got " +
                                               std::to_string(root.numel()) + " (shape " + to_string(root.shape()) + ")");
  return full(root.shape(), 1, root.dtype());
}

// The gradient of a leaf must own its memory: the same tensor, or a broadcast view, may have been sent to two leaves.
void collect(GradState& leaf, Tensor gradient, bool in_graph) {
  if (leaf.grad.defined()) return accumulate(leaf.grad, gradient);
  const bool dense = gradient.is_contiguous() || gradient.strides() == channels_last_strides(gradient.shape());
  const bool own = !gradient.shares_memory() && dense;
  leaf.grad = in_graph || own ? std::move(gradient) : gradient.clone();
}

}  // namespace

const std::string& running_op() noexcept {
  static const std::string none = "autograd";
  return running != nullptr ? *running : none;
}

void run_backward(const Tensor& root, const GradOptions& options, const std::vector<Tensor>* wanted, std::vector<Tensor>* found) {
  Tensor gradient = seed(root, options);
  const bool keep = options.retain_graph || options.create_graph;
  std::unordered_map<const GradState*, Tensor> caught;
  std::unordered_map<const Node*, const GradState*> caught_nodes;
  if (wanted != nullptr) {
    for (const Tensor& x : *wanted) {
      if (!x.requires_grad())
        throw Error(ErrorCode::invalid_argument,
                    "grad: inputs must require gradients, got one that does not (shape " + to_string(x.shape()) + ")");
      const std::shared_ptr<GradState> state = state_of(x);
      caught[state.get()];
      if (state->node) caught_nodes[state->node.get()] = state.get();
    }
  }
  const auto at_leaf = [&](GradState& leaf, Tensor g) {
    if (wanted == nullptr) return collect(leaf, std::move(g), options.create_graph);
    if (const auto it = caught.find(&leaf); it != caught.end()) accumulate(it->second, g);
  };

  const std::shared_ptr<GradState> top = state_of(root);
  if (!top->node) {
    at_leaf(*top, std::move(gradient));
  } else {
    std::optional<NoGrad> no_grad;
    if (!options.create_graph) no_grad.emplace();
    auto waiting = count_waiting(top->node.get());
    std::unordered_map<Node*, Tensor> arrived;
    arrived[top->node.get()] = std::move(gradient);
    std::vector<std::shared_ptr<Node>> ready{top->node};
    while (!ready.empty()) {
      const std::shared_ptr<Node> node = std::move(ready.back());
      ready.pop_back();
      Tensor g = std::move(arrived[node.get()]);
      arrived.erase(node.get());
      if (const auto it = caught_nodes.find(node.get()); it != caught_nodes.end() && g.defined()) caught[it->second] = g;
      // A node can become ready without having received a gradient. Its inputs must still be counted down.
      Gradients gradients(node->inputs.size());
      if (g.defined()) gradients = run_rule(node, g);
      g = Tensor();
      if (!keep) node->free();
      for (size_t i = 0; i < gradients.size(); ++i) {
        const std::shared_ptr<GradState>& input = node->inputs[i];
        if (!input) continue;
        if (!input->node) {
          if (gradients[i].defined()) at_leaf(*input, std::move(gradients[i]));
          continue;
        }
        if (gradients[i].defined()) accumulate(arrived[input->node.get()], gradients[i]);
        gradients[i] = Tensor();
        if (--waiting[input->node.get()] == 0) ready.push_back(input->node);
      }
    }
  }
  if (wanted == nullptr) return;
  for (const Tensor& x : *wanted) found->push_back(caught[state_of(x).get()]);
}

}  // namespace detail

std::vector<Tensor> grad(const Tensor& y, const std::vector<Tensor>& inputs, const GradOptions& options) {
  std::vector<Tensor> found;
  detail::run_backward(y, options, &inputs, &found);
  return found;
}

}  // namespace tidepool
