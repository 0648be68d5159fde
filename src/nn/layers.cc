#include "tidepool/nn/layers.h"

#include "nn/check.h"
#include "nn/init.h"
#include "nn/repr.h"
#include "nn/running_statistics.h"

namespace tidepool::inline v0_1::nn {
namespace {

using detail::check_at_least_1;
using detail::repr;
using detail::repr_tuple;

void check_groups(const char* layer, int64_t in, int64_t out, int64_t groups) {
  check_at_least_1(layer, "in_channels", in);
  check_at_least_1(layer, "out_channels", out);
  check_at_least_1(layer, "groups", groups);
  if (in % groups != 0 || out % groups != 0)
    throw Error(ErrorCode::invalid_argument, std::string(layer) + ": groups must divide in_channels and out_channels, got " +
                                                 std::to_string(groups) + " for " + std::to_string(in) + " and " + std::to_string(out));
}

Dims weight_shape(const char* layer, int64_t first, int64_t second, const Sizes& window, int rank) {
  if (window.count != 1 && window.count != rank)
    throw Error(ErrorCode::invalid_argument, std::string(layer) + ": kernel_size must have 1 or " + std::to_string(rank) + " values, got " +
                                                 std::to_string(window.count));
  Dims shape{first, second};
  for (int a = 0; a < rank; ++a) shape.push_back(check_at_least_1(layer, "kernel_size", window[a]));
  return shape;
}

bool all(const Sizes& sizes, int rank, int64_t value) {
  for (int a = 0; a < rank; ++a)
    if (sizes[a] != value) return false;
  return true;
}

bool no_padding(const Pads& padding, int rank) {
  if (padding.mode != PaddingMode::explicit_sides) return false;
  for (int a = 0; a < rank; ++a)
    if (padding[a] != Sides(0)) return false;
  return true;
}

}  // namespace

template <int N>
Conv<N>::Conv(Size in_channels, Size out_channels, const ConvOptions<N>& options)
    : in_(in_channels), out_(out_channels), options_(options) {
  const std::string layer = Conv::name();
  check_groups(layer.c_str(), in_, out_, options.groups);
  const Dims shape = weight_shape(layer.c_str(), out_, in_ / options.groups, options.kernel_size, N);
  weight = add_parameter("weight", detail::uniform(shape, detail::fan_in(shape)));
  if (options.bias) bias = add_parameter("bias", detail::uniform({out_}, detail::fan_in(shape)));
}

template <>
Tensor Conv<1>::forward(const Tensor& x) {
  return conv1d(x, weight, bias, options_);
}
template <>
Tensor Conv<2>::forward(const Tensor& x) {
  return conv2d(x, weight, bias, options_);
}
template <>
Tensor Conv<3>::forward(const Tensor& x) {
  return conv3d(x, weight, bias, options_);
}

template <int N>
std::string Conv<N>::extra_repr() const {
  std::string text = std::to_string(in_) + ", " + std::to_string(out_) + ", kernel_size=" + repr_tuple(options_.kernel_size, N) +
                     ", stride=" + repr_tuple(options_.stride, N);
  if (!no_padding(options_.padding, N)) text += ", padding=" + repr_tuple(options_.padding, N);
  if (!all(options_.dilation, N, 1)) text += ", dilation=" + repr_tuple(options_.dilation, N);
  if (options_.groups != 1) text += ", groups=" + std::to_string(options_.groups);
  if (!options_.bias) text += ", bias=False";
  return text;
}

template class Conv<1>;
template class Conv<2>;
template class Conv<3>;

ConvTranspose2d::ConvTranspose2d(Size in_channels, Size out_channels, const ConvTransposeOptions& options)
    : in_(in_channels), out_(out_channels), options_(options) {
  check_groups("ConvTranspose2d", in_, out_, options.groups);
  const Dims shape = weight_shape("ConvTranspose2d", in_, out_ / options.groups, options.kernel_size, 2);
  weight = add_parameter("weight", detail::uniform(shape, detail::fan_in(shape)));
  if (options.bias) bias = add_parameter("bias", detail::uniform({out_}, detail::fan_in(shape)));
}

Tensor ConvTranspose2d::forward(const Tensor& x) { return conv_transpose2d(x, weight, bias, options_); }

std::string ConvTranspose2d::extra_repr() const {
  std::string text = std::to_string(in_) + ", " + std::to_string(out_) + ", kernel_size=" + repr_tuple(options_.kernel_size, 2) +
                     ", stride=" + repr_tuple(options_.stride, 2);
  if (!no_padding(options_.padding, 2)) text += ", padding=" + repr_tuple(options_.padding, 2);
  if (!all(options_.dilation, 2, 1)) text += ", dilation=" + repr_tuple(options_.dilation, 2);
  if (!all(options_.output_padding, 2, 0)) text += ", output_padding=" + repr_tuple(options_.output_padding, 2);
  if (options_.groups != 1) text += ", groups=" + std::to_string(options_.groups);
  if (!options_.bias) text += ", bias=False";
  return text;
}

Linear::Linear(Size in_features, Size out_features, Flag with_bias) {
  check_at_least_1("Linear", "in_features", in_features);
  check_at_least_1("Linear", "out_features", out_features);
  weight = add_parameter("weight", detail::uniform({out_features, in_features}, in_features));
  if (with_bias) bias = add_parameter("bias", detail::uniform({out_features}, in_features));
}

std::string Linear::extra_repr() const {
  return "in_features=" + std::to_string(weight.size(1)) + ", out_features=" + std::to_string(weight.size(0)) +
         ", bias=" + repr(bias.defined());
}

BatchNorm2d::BatchNorm2d(Size num_features, const BatchNorm2dOptions& options) : features_(num_features), options_(options) {
  check_at_least_1("BatchNorm2d", "num_features", num_features);
  if (options.affine) {
    weight = add_parameter("weight", full({num_features}, 1));
    if (options.bias) bias = add_parameter("bias", zeros({num_features}));
  }
  if (options.track_running_stats) {
    running_mean = add_buffer("running_mean", zeros({num_features}));
    running_var = add_buffer("running_var", full({num_features}, 1));
    num_batches_tracked = add_buffer("num_batches_tracked", zeros({}, DType::i64));
  }
}

Tensor BatchNorm2d::forward(const Tensor& x) {
  if (x.rank() != 4) throw Error(ErrorCode::shape_mismatch, "BatchNorm2d: input must have 4 dimensions, got " + std::to_string(x.rank()));
  const Tensor y = batch_norm(x, running_mean, running_var, weight, bias,
                              {.training = is_training(), .momentum = options_.momentum, .eps = options_.eps});
  if (is_training() && num_batches_tracked.defined()) {
    const std::lock_guard lock(running_statistics_mutex());
    ++*num_batches_tracked.data<int64_t>();
    num_batches_tracked.mark_changed();
  }
  return y;
}

std::string BatchNorm2d::extra_repr() const {
  return std::to_string(features_) + ", eps=" + repr(options_.eps) + ", momentum=" + repr(options_.momentum) +
         ", affine=" + repr(options_.affine) + ", bias=" + repr(options_.bias) +
         ", track_running_stats=" + repr(options_.track_running_stats);
}

Tensor ReLU::forward(const Tensor& x) { return relu(x); }
Tensor Sigmoid::forward(const Tensor& x) { return sigmoid(x); }
Tensor Tanh::forward(const Tensor& x) { return tanh(x); }
Tensor GELU::forward(const Tensor& x) { return gelu(x); }
Tensor Identity::forward(const Tensor& x) { return x; }

std::string CrossEntropyLoss::name() const { return "CrossEntropyLoss"; }
std::string MSELoss::name() const { return "MSELoss"; }
std::string LeakyReLU::extra_repr() const { return "negative_slope=" + repr(slope_); }
std::string Dropout::extra_repr() const { return "p=" + repr(p_) + ", inplace=False"; }
std::string Flatten::extra_repr() const { return "start_dim=" + std::to_string(start_) + ", end_dim=" + std::to_string(end_); }

}  // namespace tidepool::inline v0_1::nn
