#include <optional>
#include <unordered_map>
#include <utility>

#include "autograd/node.h"
#include "core/thread_state.h"
#include "elementwise/elementwise.h"
#include "tidepool/creation.h"

namespace tidepool::inline v0_1 {
namespace detail {
namespace {

// Sets the name that running_op() returns, until the end of the scope.
struct CurrentOpScope {
  explicit CurrentOpScope(const Node& node) : previous(std::exchange(thread_state.rule, &node.op)) {}
  ~CurrentOpScope() { thread_state.rule = previous; }
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
Tensor output_of(const std::shared_ptr<Node>& node, const BackwardRule& rule) {
  if (rule.output.version() != rule.output_version)
    throw Error(ErrorCode::aliasing, node->op + " backward: its result must not be changed in place, got version " +
                                         std::to_string(rule.output.version()) + " for version " + std::to_string(rule.output_version) +
                                         " (shape " + to_string(rule.output.shape()) + ")");
  Tensor output = rule.output;
  output.set_grad_state(std::make_shared<GradState>(node));
  return output;
}

void check_gradients(const Node& node, const Gradients& gradients) {
  if (gradients.size() != node.inputs.size())
    throw Error(ErrorCode::shape_mismatch, node.op + " backward: its rule must give " + std::to_string(node.inputs.size()) +
                                               " gradients, got " + std::to_string(gradients.size()));
  for (size_t i = 0; i < gradients.size(); ++i) {
    if (!node.inputs[i] || !gradients[i].defined()) continue;
    if (gradients[i].shape() != node.shapes[i])
      throw Error(ErrorCode::shape_mismatch, node.op + " backward: a gradient must have its input's shape " + to_string(node.shapes[i]) +
                                                 ", got " + to_string(gradients[i].shape()) + " (input " + std::to_string(i) + ")");
    if (gradients[i].dtype() != node.dtypes[i])
      throw Error(ErrorCode::dtype_mismatch, node.op + " backward: a gradient must have its input's dtype " +
                                                 std::string(dtype_name(node.dtypes[i])) + ", got " +
                                                 std::string(dtype_name(gradients[i].dtype())) + " (input " + std::to_string(i) + ")");
  }
}

// The gradients of the node's inputs. Without keep_graph, the node's rule is used up, unless it throws.
Gradients run_rule(const std::shared_ptr<Node>& node, const Tensor& gradient, bool keep_graph) {
  std::shared_ptr<const BackwardRule> rule = keep_graph ? node->rule() : node->take_rule();
  if (!rule)
    throw Error(ErrorCode::invalid_argument,
                "backward: a graph must be kept to be used again, got one that an earlier backward freed (at " + node->op +
                    "; retain_graph = true keeps it)");
  try {
    const CurrentOpScope scope(*node);
    Gradients result = rule->rule ? rule->rule(gradient) : rule->output_rule(gradient, output_of(node, *rule));
    check_gradients(*node, result);
    return result;
  } catch (...) {
    if (!keep_graph) node->restore_rule(std::move(rule));
    throw;
  }
}

Tensor initial_gradient(const Tensor& root, const GradOptions& options) {
  if (!root.defined()) throw_undefined("backward");
  if (!root.requires_grad())
    throw Error(ErrorCode::invalid_argument,
                "backward: tensor must require gradients, got one that does not (shape " + to_string(root.shape()) + ")");
  if (options.gradient.defined()) {
    if (options.gradient.shape() != root.shape())
      throw Error(ErrorCode::shape_mismatch, "backward: gradient must have the tensor's shape " + to_string(root.shape()) + ", got " +
                                                 to_string(options.gradient.shape()));
    if (options.gradient.dtype() != root.dtype())
      throw Error(ErrorCode::dtype_mismatch, "backward: gradient must have the tensor's dtype " + std::string(dtype_name(root.dtype())) +
                                                 ", got " + std::string(dtype_name(options.gradient.dtype())));
    return options.gradient;
  }
  if (root.numel() != 1)
    throw Error(ErrorCode::shape_mismatch, "backward: tensor must have 1 element when no gradient is given, got " +
                                               std::to_string(root.numel()) + " (shape " + to_string(root.shape()) + ")");
  return full(root.shape(), 1, root.dtype());
}

// The gradients of leaves and of requested tensors, in the order in which the first one arrived.
class Results {
 public:
  // If `inputs` is null, collects the gradients of all leaves, otherwise those of the inputs alone.
  explicit Results(const std::vector<Tensor>* inputs) : all_leaves_(inputs == nullptr) {
    if (inputs == nullptr) return;
    for (const Tensor& x : *inputs) {
      if (!x.requires_grad())
        throw Error(ErrorCode::invalid_argument,
                    "grad: inputs must require gradients, got one that does not (shape " + to_string(x.shape()) + ")");
      if (x.grad_state()->node)
        nodes_[x.grad_state()->node.get()] = slot(x.grad_state());
      else
        slot(x.grad_state());
    }
  }

  void at_leaf(const std::shared_ptr<GradState>& leaf, const Tensor& gradient) {
    if (all_leaves_ || positions_.contains(leaf.get())) accumulate(sums_[slot(leaf)].second, gradient);
  }
  void at_node(const Node* node, const Tensor& gradient) {
    if (const auto it = nodes_.find(node); it != nodes_.end()) sums_[it->second].second = gradient;
  }

  // Adds the gradients to grad() of their leaves, all or none. A gradient that is recorded is stored as it is.
  void add_to_leaves(bool recorded) {
    std::vector<GradientAddition> additions;
    additions.reserve(sums_.size());
    for (auto& [leaf, sum] : sums_) additions.emplace_back(leaf->grad, std::move(sum));
    add_all(std::move(additions), !recorded);
  }
  // The gradients of the inputs, undefined where none arrived. Unless they are recorded, no two of them share memory.
  std::vector<Tensor> take(const std::vector<Tensor>& inputs, bool recorded) {
    std::vector<Tensor> gradients;
    gradients.reserve(inputs.size());
    for (const Tensor& x : inputs) gradients.push_back(sums_[positions_.at(x.grad_state().get())].second);
    sums_.clear();
    if (!recorded)
      for (Tensor& gradient : gradients) gradient = own_gradient(std::move(gradient));
    return gradients;
  }

 private:
  size_t slot(const std::shared_ptr<GradState>& state) {
    const auto [it, inserted] = positions_.try_emplace(state.get(), sums_.size());
    if (inserted) sums_.emplace_back(state, Tensor());
    return it->second;
  }

  bool all_leaves_;
  std::vector<std::pair<std::shared_ptr<GradState>, Tensor>> sums_;
  std::unordered_map<const GradState*, size_t> positions_;  // in sums_
  std::unordered_map<const Node*, size_t> nodes_;           // positions of inputs that are not leaves
};

// Visits every node once, after all nodes that use its result.
void walk(const std::shared_ptr<Node>& root, Tensor root_gradient, bool keep_graph, Results& results) {
  auto uses = count_uses(root.get());
  std::unordered_map<Node*, Tensor> sums;  // of the gradients that each node has received so far
  sums[root.get()] = std::move(root_gradient);
  std::vector<std::shared_ptr<Node>> ready{root};
  while (!ready.empty()) {
    const std::shared_ptr<Node> node = std::move(ready.back());
    ready.pop_back();
    Tensor g = std::move(sums[node.get()]);
    sums.erase(node.get());
    if (g.defined()) results.at_node(node.get(), g);
    // A node can become ready without having received a gradient. Its inputs must still be counted down.
    Gradients input_gradients(node->inputs.size());
    if (g.defined())
      input_gradients = run_rule(node, g, keep_graph);
    else if (!keep_graph)
      node->take_rule();
    g = Tensor();
    for (size_t i = 0; i < input_gradients.size(); ++i) {
      const std::shared_ptr<GradState>& input = node->inputs[i];
      if (!input) continue;
      const Tensor gradient = std::move(input_gradients[i]);
      if (!input->node) {
        if (gradient.defined()) results.at_leaf(input, gradient);
        continue;
      }
      if (gradient.defined()) accumulate(sums[input->node.get()], gradient);
      if (--uses[input->node.get()] == 0) ready.push_back(input->node);
    }
  }
}

}  // namespace

std::string running_op() { return thread_state.rule != nullptr ? *thread_state.rule : "autograd"; }

std::vector<Tensor> run_backward(const Tensor& root, const GradOptions& options, const std::vector<Tensor>* inputs) {
  Tensor root_gradient = initial_gradient(root, options);
  Results results(inputs);
  const BackwardScope scope;
  std::optional<NoGrad> no_grad;
  if (!options.create_graph) no_grad.emplace();
  // A share of its own, because a rule may assign to the root.
  const std::shared_ptr<GradState> root_state = root.grad_state();  // NOLINT(performance-unnecessary-copy-initialization)
  if (root_state->node)
    walk(root_state->node, std::move(root_gradient), options.retain_graph || options.create_graph, results);
  else
    results.at_leaf(root_state, root_gradient);
  if (inputs != nullptr) return results.take(*inputs, options.create_graph);
  results.add_to_leaves(options.create_graph);
  return {};
}

}  // namespace detail

std::vector<Tensor> grad(const Tensor& y, const std::vector<Tensor>& inputs, const GradOptions& options) {
  return detail::run_backward(y, options, &inputs);
}

}  // namespace tidepool::inline v0_1
