#include <optional>
#include <unordered_map>

#include "autograd/accumulate.h"
#include "autograd/node.h"
#include "elementwise/elementwise.h"
#include "tidepool/creation.h"

namespace tidepool::inline v0_1 {
namespace detail {
namespace {

thread_local const std::string* current_op = nullptr;

// Sets the name that running_op() returns, until the end of the scope.
struct CurrentOpScope {
  explicit CurrentOpScope(const Node& node) : previous(current_op) { current_op = &node.op; }
  ~CurrentOpScope() { current_op = previous; }
  const std::string* previous;
};

// For each node, the number of nodes that use its result. Its gradient is complete when all of them have been processed.
std::unordered_map<Node*, int> count_uses(Node* root) {
  std::unordered_map<Node*, int> uses{{root, 0}};
  std::vector<Node*> stack{root};
  while (!stack.empty()) {
    const Node* node = stack.back();
    stack.pop_back();
    for (const auto& input : node->inputs) {
      if (!input || !input->node) continue;
      if (uses.try_emplace(input->node.get(), 0).second) stack.push_back(input->node.get());
      ++uses[input->node.get()];
    }
  }
  return uses;
}

// The result of the node, for its output_rule. It belongs to the graph again, so that the rule itself can be differentiated.
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
  const CurrentOpScope scope(*node);
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

Tensor initial_gradient(const Tensor& root, const GradOptions& options) {
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

// Adds to the gradient of a leaf. The first gradient is copied if it is a broadcast view or shares its memory with another tensor, because
// the caller may change grad() in place. With create_graph it is not copied.
void add_to_leaf(GradState& leaf, Tensor gradient, bool create_graph) {
  if (leaf.grad.defined()) return accumulate(leaf.grad, gradient);
  const bool owns_memory = !gradient.shares_memory() && is_dense(gradient);
  leaf.grad = create_graph || owns_memory ? std::move(gradient) : gradient.clone();
}

}  // namespace

const std::string& running_op() noexcept {
  static const std::string none = "autograd";
  return current_op != nullptr ? *current_op : none;
}

void run_backward(const Tensor& root, const GradOptions& options, const std::vector<Tensor>* inputs, std::vector<Tensor>* gradients) {
  Tensor root_gradient = initial_gradient(root, options);
  const bool keep_graph = options.retain_graph || options.create_graph;
  std::unordered_map<const GradState*, Tensor> requested;
  std::unordered_map<const Node*, const GradState*> requested_nodes;  // of inputs that are not leaves
  if (inputs != nullptr) {
    for (const Tensor& x : *inputs) {
      if (!x.requires_grad())
        throw Error(ErrorCode::invalid_argument,
                    "grad: inputs must require gradients, got one that does not (shape " + to_string(x.shape()) + ")");
      const std::shared_ptr<GradState>& state = x.grad_state();
      requested[state.get()];
      if (state->node) requested_nodes[state->node.get()] = state.get();
    }
  }
  const auto at_leaf = [&](GradState& leaf, Tensor g) {
    if (inputs == nullptr) return add_to_leaf(leaf, std::move(g), options.create_graph);
    if (const auto it = requested.find(&leaf); it != requested.end()) accumulate(it->second, g);
  };

  const std::shared_ptr<GradState>& root_state = root.grad_state();
  if (!root_state->node) {
    at_leaf(*root_state, std::move(root_gradient));
  } else {
    std::optional<NoGrad> no_grad;
    if (!options.create_graph) no_grad.emplace();
    auto uses = count_uses(root_state->node.get());
    std::unordered_map<Node*, Tensor> sums;  // of the gradients that each node has received so far
    sums[root_state->node.get()] = std::move(root_gradient);
    std::vector<std::shared_ptr<Node>> ready{root_state->node};
    while (!ready.empty()) {
      const std::shared_ptr<Node> node = std::move(ready.back());
      ready.pop_back();
      Tensor g = std::move(sums[node.get()]);
      sums.erase(node.get());
      if (const auto it = requested_nodes.find(node.get()); it != requested_nodes.end() && g.defined()) requested[it->second] = g;
      // A node can become ready without having received a gradient. Its inputs must still be counted down.
      Gradients input_gradients(node->inputs.size());
      if (g.defined()) input_gradients = run_rule(node, g);
      g = Tensor();
      if (!keep_graph) node->free();
      for (size_t i = 0; i < input_gradients.size(); ++i) {
        const std::shared_ptr<GradState>& input = node->inputs[i];
        if (!input) continue;
        if (!input->node) {
          if (input_gradients[i].defined()) at_leaf(*input, std::move(input_gradients[i]));
          continue;
        }
        if (input_gradients[i].defined()) accumulate(sums[input->node.get()], input_gradients[i]);
        input_gradients[i] = Tensor();
        if (--uses[input->node.get()] == 0) ready.push_back(input->node);
      }
    }
  }
  if (inputs == nullptr) return;
  for (const Tensor& x : *inputs) gradients->push_back(requested[x.grad_state().get()]);
}

}  // namespace detail

std::vector<Tensor> grad(const Tensor& y, const std::vector<Tensor>& inputs, const GradOptions& options) {
  std::vector<Tensor> gradients;
  detail::run_backward(y, options, &inputs, &gradients);
  return gradients;
}

}  // namespace tidepool::inline v0_1
