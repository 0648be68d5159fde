// Every public pooling function that returns a tensor, of every rank, as a function of the tensors it can be differentiated by.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tidepool/tidepool.h"

namespace tidepool::test {

using Arguments = std::vector<TensorArg>;

struct PoolingCase {
  std::string function;  // "max_pool2d_backward"
  std::function<Tensor(const Arguments&)> call;
  std::vector<Dims> shapes;      // of the arguments
  std::string rule = "";         // the function that computes the gradient: its name begins the errors of the backward pass
  std::string second_rule = "";  // the same for the gradient of the gradient; empty where it is refused
  bool once = true;              // has a first derivative
};

inline std::vector<Tensor> leaves(const PoolingCase& c) {
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < c.shapes.size(); ++i) inputs.push_back(randn(c.shapes[i], i + 3, DType::f64).set_requires_grad());
  return inputs;
}

// The tensors themselves, which are recorded.
inline Arguments as_tensors(const std::vector<Tensor>& inputs) { return {inputs.begin(), inputs.end()}; }

// The same memory, borrowed.
inline Arguments as_views(const std::vector<Tensor>& inputs) {
  Arguments result;
  for (const Tensor& x : inputs) result.emplace_back(x.view());
  return result;
}

const std::vector<PoolingCase>& pooling_cases();

}  // namespace tidepool::test
