#include <cmath>
#include <mutex>

#include "nn/check.h"
#include "nn/onednn.h"
#include "nn/running_statistics.h"
#include "tidepool/nn/functional.h"
#include "tidepool/trace.h"

namespace tidepool::inline v0_1::nn {
namespace {

constexpr const char* op = "batch_norm";

Dims per_channel(const Tensor& x) {
  Dims shape;
  for (int d = 0; d < x.rank(); ++d) shape.push_back(d == 1 ? x.size(1) : 1);
  return shape;
}

std::vector<int> all_but_channels(const Tensor& x) {
  std::vector<int> dims;
  for (int d = 0; d < x.rank(); ++d)
    if (d != 1) dims.push_back(d);
  return dims;
}

// The gradient composed of differentiable functions. It is slower than oneDNN and only needed when the gradient itself is differentiated.
Gradients backward_by_definition(const Tensor& g, const Tensor& x, const Tensor& weight, double eps) {
  const std::vector<int> dims = all_but_channels(x);
  const Tensor centred = x - mean(x, dims, true);
  const Tensor scale = pow(mean(centred * centred, dims, true) + eps, -0.5);
  const Tensor normal = centred * scale;
  const Tensor gx = reshape(weight, per_channel(x)) * scale * (g - mean(g, dims, true) - normal * mean(g * normal, dims, true));
  return {gx, sum(g * normal, dims), sum(g, dims)};
}

Tensor train(const Tensor& x, Tensor& running_mean, Tensor& running_var, const Tensor& weight, const Tensor& bias,
             const BatchNormOptions& o) {
  const int64_t count = x.numel() / x.size(1);
  if (count < 2)
    throw Error(ErrorCode::invalid_argument, "batch_norm: values per channel must be at least 2 in training, got " + std::to_string(count) +
                                                 " (shape " + to_string(x.shape()) + ")");
  const Tensor in = detail::dense(x.detach());
  Tensor y(x.shape(), DType::f32, detail::format_of(in)), mean({x.size(1)}), variance({x.size(1)});
  const Tensor w = weight.detach(), b = bias.detach();
  onednn::batch_norm_train(y.span(), {in, w, b, mean.span(), variance.span()}, o.eps);
  const auto rule = [x = Saved(x), weight = Saved(weight), bias = Saved(bias), mean, variance, eps = o.eps](const Tensor& g) {
    if (grad_enabled()) return backward_by_definition(g, x.get(), weight.get(), eps);
    const Tensor kept = detail::dense(x.get().detach());
    const Tensor gy = detail::dense(g, detail::format_of(kept));
    Tensor gx(kept.shape(), DType::f32, detail::format_of(kept)), gw(mean.shape()), gb(mean.shape());
    const Tensor w_now = weight.get().detach(), b_now = bias.get().detach();
    Tensor m = mean, v = variance;
    onednn::batch_norm_backward(gx.span(), gw.span(), gb.span(), gy, {kept, w_now, b_now, m.span(), v.span()}, eps);
    return Gradients{gx, gw, gb};
  };
  const Tensor result = record(op, {x, weight, bias}, y, rule);
  // Last, because a batch for which there is no memory is not counted. These functions do not allocate for few channels.
  if (running_mean.defined()) {
    const std::lock_guard lock(running_statistics_mutex());
    // As in PyTorch, the running variance uses the unbiased estimate.
    const double unbias = static_cast<double>(count) / static_cast<double>(count - 1);
    mul_(running_mean, 1 - o.momentum);
    add_(running_mean, mean, o.momentum);
    mul_(running_var, 1 - o.momentum);
    add_(running_var, variance, o.momentum * unbias);
  }
  return result;
}

Tensor infer(const Tensor& x, const Tensor& running_mean, const Tensor& running_var, const Tensor& weight, const Tensor& bias, double eps) {
  if (recording(x) || recording(weight) || recording(bias)) {
    const Dims shape = per_channel(x);
    const Tensor scale = reshape(pow(running_var + eps, -0.5), shape) * reshape(weight, shape);
    return (x - reshape(running_mean, shape)) * scale + reshape(bias, shape);
  }
  const Tensor in = detail::dense(x.detach());
  Tensor y(x.shape(), DType::f32, detail::format_of(in));
  if (x.numel() == 0) return y;
  Tensor mean = running_mean, variance = running_var;
  const Tensor w = weight.detach(), b = bias.detach();
  onednn::batch_norm_infer(y.span(), {in, w, b, mean.span(), variance.span()}, eps);
  return y;
}

}  // namespace

Tensor batch_norm(const Tensor& x, Tensor running_mean, Tensor running_var, const Tensor& weight, const Tensor& bias,
                  const BatchNormOptions& o) {
  detail::check_f32(op, "input", x);
  if (x.rank() < 2)
    throw Error(ErrorCode::shape_mismatch, "batch_norm: input must have 2 dimensions or more, got " + std::to_string(x.rank()));
  const Tensor w = weight.defined() ? weight : full({x.size(1)}, 1);
  const Tensor b = bias.defined() ? bias : zeros({x.size(1)});
  detail::check_f32_vector(op, "weight", w, x.size(1));
  detail::check_f32_vector(op, "bias", b, x.size(1));
  if (running_mean.defined() != running_var.defined())
    throw Error(ErrorCode::invalid_argument, std::string("batch_norm: running_mean and running_var must be given together, got ") +
                                                 (running_mean.defined() ? "running_mean" : "running_var") + " alone");
  if (running_mean.defined()) detail::check_f32_vector(op, "running_mean", running_mean, x.size(1));
  if (running_var.defined()) detail::check_f32_vector(op, "running_var", running_var, x.size(1));
  const bool trains = o.training || !running_mean.defined();
  const auto options = [&] { return std::vector<CallOption>{{"training", {trains ? 1 : 0}}}; };
  return tidepool::detail::traced(op, {&x, &weight, &bias}, options, [&] {
    return trains ? train(x, running_mean, running_var, w, b, o) : infer(x, running_mean, running_var, w, b, o.eps);
  });
}

}  // namespace tidepool::inline v0_1::nn
