// The graph that backward() traverses: the GradState of a tensor points to the node that computed it, and a node points to the GradStates
// of its inputs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tidepool/autograd.h"

namespace tidepool::inline v0_1::detail {

struct GradState;

// One call of a recorded function.
struct Node {
  Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node();

  std::string op;
  std::vector<std::shared_ptr<GradState>> inputs;  // null for inputs that do not require gradients
  std::vector<Dims> shapes;                        // of the inputs
  Rule rule;                                       // either rule or output_rule is set, until the graph is freed
  OutputRule output_rule;
  Tensor output;  // the result, detached; only with output_rule
  uint64_t output_version = 0;

  bool freed() const noexcept { return !rule && !output_rule; }
  void free();
};

// What autograd knows about a tensor. A leaf has no node, and backward() adds to its grad. Every other tensor has the node that computed
// it.
struct GradState {
  bool requires_grad = true;
  std::shared_ptr<Node> node;
  Tensor grad;
};

// The name of the function whose rule is running on this thread, for messages.
const std::string& running_op() noexcept;

// Computes gradients of `root`. If `inputs` is null, adds them to grad of every leaf. Otherwise appends the gradient of each input to
// `gradients` and changes no leaf.
void run_backward(const Tensor& root, const GradOptions& options, const std::vector<Tensor>* inputs, std::vector<Tensor>* gradients);

}  // namespace tidepool::inline v0_1::detail
