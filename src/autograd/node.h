// The graph that backward() traverses: the GradState of a tensor points to the node that computed it, and a node points to the GradStates
// of its inputs.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "autograd/leaf_gradient.h"
#include "tidepool/autograd.h"

namespace tidepool::inline v0_1::detail {

struct GradState;

// The backward rule of a node, with what it needs. Several threads may call the same one.
struct BackwardRule {
  Rule rule;  // either rule or output_rule is set
  OutputRule output_rule;
  Tensor output;  // the result, detached; only with output_rule
  uint64_t output_version = 0;
};

// One call of a recorded function. Only its backward rule changes after it was made: the rule is dropped when the graph is freed.
class Node {
 public:
  Node(std::string name, const std::vector<Tensor>& arguments, std::shared_ptr<const BackwardRule> rule);
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node();

  const std::string op;
  std::vector<std::shared_ptr<GradState>> inputs;  // null for inputs that do not require gradients
  std::vector<Dims> shapes;                        // of the inputs
  std::vector<DType> dtypes;                       // of the inputs

  // The rule, or null if the graph was freed.
  std::shared_ptr<const BackwardRule> rule() const;
  // Returns the rule and drops it from the node: of several threads, one gets it.
  std::shared_ptr<const BackwardRule> take_rule();
  // Undoes take_rule(), for a rule that has failed.
  void restore_rule(std::shared_ptr<const BackwardRule> rule);

 private:
  std::shared_ptr<const BackwardRule> rule_;  // guarded by mutex_of(this)
};

// What autograd knows about a tensor. A leaf has no node, and backward() adds to its grad. Every other tensor has the node that computed
// it. Tensors of several threads may share a GradState.
struct GradState {
  GradState() = default;
  explicit GradState(std::shared_ptr<Node> made_by) : node(std::move(made_by)) {}

  std::atomic<bool> requires_grad = true;
  const std::shared_ptr<Node> node;
  LeafGradient grad;
  std::shared_ptr<GradState> next_to_release;  // see ~Node
};

// The name of the function whose rule is running on this thread, for messages.
std::string running_op();

// Computes gradients of `root`. If `inputs` is null, adds them to grad of every leaf, after the whole graph was walked: an error changes no
// leaf. Otherwise returns the gradient of each input and changes no leaf.
std::vector<Tensor> run_backward(const Tensor& root, const GradOptions& options, const std::vector<Tensor>* inputs = nullptr);

}  // namespace tidepool::inline v0_1::detail
