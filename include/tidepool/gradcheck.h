// Tests gradients by comparison with finite differences, like torch.autograd.gradcheck.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tidepool/export.h"
#include "tidepool/options.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1 {

struct GradcheckOptions {
  NamedOnly named_only = NamedOnly::fields();
  double eps = 1e-6;  // differences are f(x + eps) - f(x - eps); use about 1e-2 for functions of f32
  double atol = 1e-5;
  double rtol = 1e-3;
};

using TensorFunction = std::function<Tensor(const std::vector<Tensor>& inputs)>;

// Compares the gradients of f with respect to all inputs that require gradients. Returns "" if they agree with the differences, otherwise a
// description of the first mismatch: "gradcheck: gradient of input 0 at 3 must be 0.25, got 0.5", where 3 is the element in row-major
// order.
TIDEPOOL_API std::string gradcheck(const TensorFunction& f, const std::vector<Tensor>& inputs, const GradcheckOptions& options = {});
// The same for second derivatives.
TIDEPOOL_API std::string gradgradcheck(const TensorFunction& f, const std::vector<Tensor>& inputs, const GradcheckOptions& options = {});

}  // namespace tidepool::inline v0_1
