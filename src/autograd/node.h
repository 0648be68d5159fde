// The graph: a tensor's GradState names the node that made it, and a node names the GradStates of its inputs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tidepool/autograd.h"

namespace tidepool::detail {

struct GradState;

// One call of a recorded function.
struct Node {
  Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node();

  std::string op;
  std::vector<std::shared_ptr<GradState>> inputs;  // null for an input that requires no gradient
  std::vector<Dims> shapes;                        // of the inputs
  Rule rule;                                       // one of the two, until the graph is freed
  OutputRule output_rule;
  Tensor output;  // for output_rule, outside the graph
  uint64_t output_version = 0;

  bool freed() const noexcept { return !rule && !output_rule; }
  void free();
};

// The gradient side of a tensor. A leaf has no node and collects its gradient; every other tensor names the node that made it.
struct GradState {
  bool requires_grad = true;
  std::shared_ptr<Node> node;
  Tensor grad;
};

std::shared_ptr<GradState> state_of(const Tensor& x) noexcept;

// The node whose rule is running on this thread, for messages.
const std::string& running_op() noexcept;

// Sends `gradient` from `root` down the graph: into grad of every leaf, or, if `wanted` is not null, into `found` for those alone.
void run_backward(const Tensor& root, const GradOptions& options, const std::vector<Tensor>* wanted, std::vector<Tensor>* found);

}  // namespace tidepool::detail
