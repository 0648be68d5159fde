#include "tidepool/gradcheck.h"

#include <cmath>

#include "core/convert.h"
#include "tidepool/creation.h"
#include "tidepool/functional.h"

namespace tidepool::inline v0_1 {
namespace {

void add_at(Tensor& x, int64_t i, double step) {
  dispatch(x.dtype(), [&]<class T>(TypeTag<T>) {
    std::byte* at = x.data<std::byte>() + i * static_cast<int64_t>(sizeof(T));
    detail::store_element<T>(at, detail::convert<T>(detail::convert<double>(detail::load_element<T>(at)) + step));
  });
}

double dot(const Tensor& a, const Tensor& b) { return sum(mul(a.to(DType::f64), b.to(DType::f64))).item(); }

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

}  // namespace

std::string gradcheck(const TensorFunction& f, const std::vector<Tensor>& inputs, const GradcheckOptions& o) {
  std::vector<Tensor> leaves;
  leaves.reserve(inputs.size());
  for (const Tensor& x : inputs) {
    leaves.push_back(x.detach().clone());
    if (x.requires_grad()) leaves.back().set_requires_grad();
  }
  const Tensor y = f(leaves);
  // Checks one weighted sum of the outputs instead of each output. The weights are random, so that errors do not cancel by symmetry.
  const Tensor weights = rand(y.shape(), 7, DType::f64).to(y.dtype());
  std::vector<Tensor> wanted;
  for (const Tensor& x : leaves)
    if (x.requires_grad()) wanted.push_back(x);
  if (wanted.empty()) throw Error(ErrorCode::invalid_argument, "gradcheck: an input must require gradients, got none that does");
  const std::vector<Tensor> found = grad(y, wanted, {.gradient = weights});

  const NoGrad no_grad;
  size_t w = 0;
  for (size_t k = 0; k < leaves.size(); ++k) {
    if (!leaves[k].requires_grad()) continue;
    const Tensor got = found[w].defined() ? found[w].clone().to(DType::f64) : zeros(leaves[k].shape(), DType::f64);
    ++w;
    std::vector<Tensor> moved = leaves;
    for (Tensor& x : moved) x = x.detach();
    for (int64_t i = 0; i < leaves[k].numel(); ++i) {
      moved[k] = leaves[k].detach().clone();
      add_at(moved[k], i, o.eps);
      const double above = dot(f(moved), weights);
      moved[k] = leaves[k].detach().clone();
      add_at(moved[k], i, -o.eps);
      const double below = dot(f(moved), weights);
      const double want = (above - below) / (2 * o.eps);
      const double have = got.data<double>()[i];
      if (std::fabs(want - have) <= o.atol + o.rtol * std::fabs(want)) continue;
      return "gradcheck: gradient of input " + std::to_string(k) + " at " + std::to_string(i) + " must be " + number(want) + ", got " +
             number(have);
    }
  }
  return "";
}

std::string gradgradcheck(const TensorFunction& f, const std::vector<Tensor>& inputs, const GradcheckOptions& o) {
  // gradcheck is applied to this function: from the inputs of f and the gradient of its output to all gradients of f, concatenated.
  Tensor probe;
  {
    const NoGrad no_grad;
    probe = f(inputs);
  }
  std::vector<Tensor> arguments = inputs;
  arguments.push_back(randn(probe.shape(), 11, DType::f64).to(probe.dtype()).set_requires_grad());
  const auto gradients = [&](const std::vector<Tensor>& arguments_now) {
    std::vector<Tensor> in(arguments_now.begin(), arguments_now.end() - 1);
    std::vector<Tensor> wanted;
    const bool differentiable = grad_enabled();
    if (!differentiable) {  // a call for finite differences, under NoGrad: f must still be recorded to compute its gradients
      for (size_t k = 0; k < in.size(); ++k)
        if (inputs[k].requires_grad()) in[k] = in[k].detach().set_requires_grad();
    }
    for (size_t k = 0; k < in.size(); ++k)
      if (inputs[k].requires_grad()) wanted.push_back(in[k]);
    const EnableGrad enable;
    const std::vector<Tensor> found = grad(f(in), wanted, {.gradient = arguments_now.back(), .create_graph = differentiable});
    std::vector<Tensor> flat;
    flat.reserve(found.size());
    for (size_t k = 0; k < found.size(); ++k)
      flat.push_back(flatten(found[k].defined() ? found[k] : zeros(wanted[k].shape(), wanted[k].dtype()), 0));
    return concat(flat, 0);
  };
  std::string text = gradcheck(gradients, arguments, o);
  return text.empty() ? text : "gradgradcheck" + text.substr(sizeof "gradcheck" - 1);
}

}  // namespace tidepool::inline v0_1
