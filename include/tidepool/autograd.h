// Reverse-mode differentiation: when functions are recorded, gradients, and how to record your own functions. See docs/autograd.md.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tidepool/export.h"
#include "tidepool/options.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1 {

// While an object of this class exists, functions called on the same thread are not recorded (torch.no_grad).
class TIDEPOOL_API NoGrad {
 public:
  NoGrad() noexcept;
  ~NoGrad();
  NoGrad(const NoGrad&) = delete;
  NoGrad& operator=(const NoGrad&) = delete;

 private:
  bool previous_;
};

// Turns recording on again inside the scope of a NoGrad (torch.enable_grad).
class TIDEPOOL_API EnableGrad {
 public:
  EnableGrad() noexcept;
  ~EnableGrad();
  EnableGrad(const EnableGrad&) = delete;
  EnableGrad& operator=(const EnableGrad&) = delete;

 private:
  bool previous_;
};

TIDEPOOL_API bool grad_enabled() noexcept;

// Whether functions of x are recorded: x requires gradients, and grad_enabled() is true. Always false for views.
TIDEPOOL_API bool recording(const Tensor& x) noexcept;
inline bool recording(const TensorArg& x) noexcept { return x.tensor() != nullptr && recording(*x.tensor()); }

struct GradOptions {
  NamedOnly named_only = NamedOnly::fields();
  Tensor gradient = {};  // with respect to y; if unset, y must have one element, and the gradient is 1
  Flag retain_graph = false;
  Flag create_graph = false;  // records the gradients, so that they can be differentiated again; implies retain_graph
};

// Returns the gradients of y with respect to `inputs`, without changing grad() of any tensor. The gradient is undefined for an input that y
// does not depend on.
TIDEPOOL_API std::vector<Tensor> grad(const Tensor& y, const std::vector<Tensor>& inputs, const GradOptions& options = {});

// ---- recording your own functions --------------------------------------------------------------------------------------------------

// The backward pass of a function: takes the gradient with respect to the result and returns the gradients with respect to the inputs, in
// their order. The gradient of an input that needs none may be Tensor(). If a rule only calls functions that are recorded themselves, its
// result can be differentiated again.
using Gradients = std::vector<Tensor>;
using Rule = std::function<Gradients(const Tensor& gradient)>;
using OutputRule = std::function<Gradients(const Tensor& gradient, const Tensor& output)>;

// Returns `value`, recorded as the result of function `op` with this rule. If recording(x) is false for every input, returns it unchanged.
//
//   Tensor square(const Tensor& x) {
//     Tensor value = x.detach() * x.detach();
//     return record("square", {x}, value, [x = Saved(x)](const Tensor& g) { return Gradients{2 * x.get() * g}; });
//   }
TIDEPOOL_API Tensor record(std::string op, const std::vector<Tensor>& inputs, Tensor value, Rule rule);
// The same for a rule that reads the result. The rule must not capture the result: that reference cycle would never be freed.
TIDEPOOL_API Tensor record_output(std::string op, const std::vector<Tensor>& inputs, Tensor value, OutputRule rule);

// A tensor that a rule captures. get() throws Error if the tensor has been changed in place since.
class TIDEPOOL_API Saved {
 public:
  explicit Saved(const Tensor& tensor) : tensor_(tensor), version_(tensor.version()) {}
  const Tensor& get() const;
  bool requires_grad() const noexcept { return tensor_.requires_grad(); }

 private:
  Tensor tensor_;
  uint64_t version_;
};

// Both throw Error if recording(x). The first is for functions that change x in place.
TIDEPOOL_API void check_in_place(const char* op, const Tensor& x);
// The second is for functions that are never recorded, such as those that write to the caller's memory. `name` is the name of x in the
// message.
TIDEPOOL_API void check_not_recording(const char* op, const char* name, const TensorArg& x);

}  // namespace tidepool::inline v0_1
