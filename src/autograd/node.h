// The graph: a tensor's state names the node that made it, a node names the states of its inputs. Gradients flow from states to nodes.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tidepool/autograd.h"

namespace tidepool::detail {

struct State;

// One call of a recorded function.
struct Node {
  Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  ~Node();

  std::string op;
  std::vector<std::shared_ptr<State>> inputs;  // null for an input that requires no gradient
  std::vector<Dims> shapes;                    // of the inputs
  Rule rule;                                   // one of the two, until the graph is freed
  OutputRule output_rule;
  Tensor output;  // for output_rule, outside the graph
  uint64_t output_version = 0;

  bool freed() const noexcept { return !rule && !output_rule; }
  void free();
};

// Of a tensor that requires gradients: a leaf, which has no node and collects its gradient, or the result of a node.
struct State final : GraphState, std::enable_shared_from_this<State> {
  bool requires_grad = true;
  std::shared_ptr<Node> node;
  Tensor grad;

  Tensor transpose(const Tensor& x, int dim0, int dim1) const override;
  Tensor slice(const Tensor& x, int dim, int64_t start, int64_t stop, int64_t step) const override;
  Tensor reshape(const Tensor& x, const Dims& shape) const override;
  Tensor clone(const Tensor& x, MemoryFormat format) const override;
  Tensor to(const Tensor& x, DType target) const override;
};

std::shared_ptr<State> state_of(const Tensor& x) noexcept;

// The node whose rule is running on this thread, for messages.
const std::string& running_op() noexcept;

// Sends `gradient` from `root` down the graph: into grad of every leaf, or, if `wanted` is not null, into `found` for those alone.
void run_backward(const Tensor& root, const GradOptions& options, const std::vector<Tensor>* wanted, std::vector<Tensor>* found);

}  // namespace tidepool::detail
