// Gradients: what is recorded, and how to record a function of your own. See docs/autograd.md.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tidepool/options.h"
#include "tidepool/tensor.h"

namespace tidepool {

// While one lives on this thread, functions record nothing.
class NoGrad {
 public:
  NoGrad() noexcept;
  ~NoGrad();
  NoGrad(const NoGrad&) = delete;
  NoGrad& operator=(const NoGrad&) = delete;

 private:
  bool before_;
};

// The opposite, inside a NoGrad.
class EnableGrad {
 public:
  EnableGrad() noexcept;
  ~EnableGrad();
  EnableGrad(const EnableGrad&) = delete;
  EnableGrad& operator=(const EnableGrad&) = delete;

 private:
  bool before_;
};

bool grad_enabled() noexcept;

// Functions of x are recorded: x requires gradients, and no NoGrad is alive. Borrowed memory is never recorded.
bool recording(const Tensor& x) noexcept;
inline bool recording(const TensorArg& x) noexcept { return x.tensor() != nullptr && recording(*x.tensor()); }

struct GradOptions {
  NamedOnly named_only = NamedOnly::fields();
  Tensor gradient = {};  // of y; unset: 1, and y must have one element
  Flag retain_graph = false;
  Flag create_graph = false;  // the gradients can be differentiated again; keeps the graph too
};

// The gradients of y with respect to tensors it was computed from; grad() of no tensor changes. Tensor() where y does not depend on one.
std::vector<Tensor> grad(const Tensor& y, const std::vector<Tensor>& inputs, const GradOptions& options = {});

// ---- for those who write functions -------------------------------------------------------------------------------------------------

// From the gradient of the result to the gradients of the inputs, in their order; Tensor() for an input that needs none. A rule made of
// recorded functions can be differentiated again.
using Gradients = std::vector<Tensor>;
using Rule = std::function<Gradients(const Tensor& gradient)>;
using OutputRule = std::function<Gradients(const Tensor& gradient, const Tensor& output)>;

// `value` as the result of `op`: with the rule if one of the inputs is recording, as it is otherwise.
//
//   Tensor square(const Tensor& x) {
//     Tensor value = x.detach() * x.detach();
//     return record("square", {x}, value, [x = Saved(x)](const Tensor& g) { return Gradients{2 * x.get() * g}; });
//   }
Tensor record(std::string op, const std::vector<Tensor>& inputs, Tensor value, Rule rule);
// The same for a rule that reads the result. (Holding the result in the rule itself would make a circle that is never freed.)
Tensor record_output(std::string op, const std::vector<Tensor>& inputs, Tensor value, OutputRule rule);

// A tensor that a rule reads. get() refuses if it was changed in place in between.
class Saved {
 public:
  explicit Saved(const Tensor& tensor) : tensor_(tensor), version_(tensor.version()) {}
  const Tensor& get() const;
  bool requires_grad() const noexcept { return tensor_.requires_grad(); }

 private:
  Tensor tensor_;
  uint64_t version_;
};

// Throws Error if x is recorded: for a change in place of x,
void check_in_place(const char* op, const Tensor& x);
// and for functions that cannot record, such as those that write into memory of the caller. `name` is x's name in the message.
void check_not_recording(const char* op, const char* name, const TensorArg& x);

}  // namespace tidepool
