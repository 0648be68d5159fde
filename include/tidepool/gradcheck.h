// Compares gradients with finite differences: for tests of functions.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tidepool/options.h"
#include "tidepool/tensor.h"

namespace tidepool {

struct GradcheckOptions {
  NamedOnly named_only = NamedOnly::fields();
  double eps = 1e-6;  // half the step of the differences; 1e-6 suits f64, 1e-2 functions of f32
  double atol = 1e-5;
  double rtol = 1e-3;
};

using TensorFunction = std::function<Tensor(const std::vector<Tensor>& inputs)>;

// Compares the gradients of f with differences of f, for all inputs that require gradients. "" when they agree, else where they do not:
// "gradcheck: gradient of input 0 at 3 must be 0.25, got 0.5".
std::string gradcheck(const TensorFunction& f, const std::vector<Tensor>& inputs, const GradcheckOptions& options = {});
// The same for the gradients of the gradients.
std::string gradgradcheck(const TensorFunction& f, const std::vector<Tensor>& inputs, const GradcheckOptions& options = {});

}  // namespace tidepool
