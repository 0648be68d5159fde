#include "tidepool/nn/optim.h"

#include <cmath>
#include <map>
#include <utility>

#include "nn/check.h"

namespace tidepool::inline v0_1::nn {
namespace {

void at_least_0(const char* op, const char* name, double value) {
  if (!(value >= 0))
    throw Error(ErrorCode::invalid_argument, std::string(op) + ": " + name + " must be at least 0, got " + std::to_string(value));
}

// A state dict by name. get() throws Error if the entry is missing or has another shape or element type.
class Entries {
 public:
  Entries(const char* op, const StateDict& state) : op_(op), entries_(state.begin(), state.end()) {}
  bool has(const std::string& name) const { return entries_.contains(name); }
  Tensor get(const std::string& name, const Dims& shape, DType dtype) const {
    const auto it = entries_.find(name);
    if (it == entries_.end()) throw Error(ErrorCode::shape_mismatch, std::string(op_) + ": state must have " + name + ", got none");
    if (it->second.shape() != shape || it->second.dtype() != dtype)
      throw Error(ErrorCode::shape_mismatch, std::string(op_) + ": state must be " + std::string(dtype_name(dtype)) + " " +
                                                 to_string(shape) + " for " + name + ", got " +
                                                 std::string(dtype_name(it->second.dtype())) + " " + to_string(it->second.shape()));
    return it->second.clone();
  }

 private:
  const char* op_;
  std::map<std::string, Tensor> entries_;
};

// The elements of parameter number i and of its gradient, both row-major.
struct Elements {
  size_t i;
  float* parameter;
  const float* gradient;
  Tensor keep_alive;  // owns `gradient`
};

// Those of all parameters that have a gradient. A step allocates before it changes the first of them, so that all or none are changed.
std::vector<Elements> elements_of(std::vector<Tensor>& parameters) {
  std::vector<Elements> all;
  for (size_t i = 0; i < parameters.size(); ++i) {
    Tensor& p = parameters[i];
    if (!p.grad().defined()) continue;
    all.push_back({.i = i, .parameter = p.data<float>(), .gradient = nullptr, .keep_alive = contiguous(p.grad().detach())});
    all.back().gradient = std::as_const(all.back().keep_alive).data<float>();
  }
  return all;
}

// Zeros in the shape of every parameter that has a gradient and no state yet.
void add_zeros(std::vector<Tensor>& state, const std::vector<Elements>& elements, const std::vector<Tensor>& parameters) {
  for (const Elements& c : elements)
    if (!state[c.i].defined()) state[c.i] = zeros(parameters[c.i].shape());
}

}  // namespace

Optimizer::Optimizer(const char* name, std::vector<Tensor> parameters, double lr)
    : name_(name), parameters_(std::move(parameters)), lr_(lr) {
  at_least_0(name, "lr", lr);
  if (parameters_.empty()) throw Error(ErrorCode::invalid_argument, std::string(name) + ": parameters must be at least 1, got 0");
  for (const Tensor& p : parameters_) {
    detail::check_f32(name, "parameters", p);
    if (!p.is_contiguous())
      throw Error(ErrorCode::invalid_argument,
                  std::string(name) + ": parameters must be contiguous, got strides " + to_string(p.strides()));
  }
}

void Optimizer::zero_grad() {
  for (Tensor& p : parameters_) p.zero_grad();
}

void Optimizer::set_lr(double lr) {
  at_least_0(name_, "lr", lr);
  lr_ = lr;
}

SGD::SGD(std::vector<Tensor> parameters, const SGDOptions& options)
    : Optimizer("SGD", std::move(parameters), options.lr), options_(options), velocity_(parameters_.size()) {
  at_least_0(name_, "momentum", options.momentum);
  at_least_0(name_, "weight_decay", options.weight_decay);
  if (options.nesterov && (options.momentum == 0 || options.dampening != 0))
    throw Error(ErrorCode::invalid_argument, "SGD: nesterov needs a momentum and no dampening, got momentum " +
                                                 std::to_string(options.momentum) + " and dampening " + std::to_string(options.dampening));
}

void SGD::step() {
  const float lr = static_cast<float>(lr_), decay = static_cast<float>(options_.weight_decay);
  const float momentum = static_cast<float>(options_.momentum), fresh = static_cast<float>(1 - options_.dampening);
  const std::vector<Elements> elements = elements_of(parameters_);
  std::vector<Tensor> velocity = velocity_;
  if (momentum != 0) add_zeros(velocity, elements, parameters_);
  for (const Elements& c : elements) {
    Tensor& p = parameters_[c.i];
    const int64_t n = p.numel();
    if (momentum == 0) {
      for (int64_t k = 0; k < n; ++k) c.parameter[k] -= lr * (c.gradient[k] + decay * c.parameter[k]);
    } else {
      const bool first = !velocity_[c.i].defined();  // as in PyTorch, the first velocity is the gradient, without dampening
      float* v = velocity[c.i].data<float>();
      const float share = first ? 1.0F : fresh;
      const bool nesterov = options_.nesterov;
      for (int64_t k = 0; k < n; ++k) {
        const float g = c.gradient[k] + decay * c.parameter[k];
        v[k] = momentum * v[k] + share * g;
        c.parameter[k] -= lr * (nesterov ? g + momentum * v[k] : v[k]);
      }
    }
    p.mark_changed();
  }
  velocity_ = std::move(velocity);
}

StateDict SGD::state() const {
  StateDict result{{"lr", full({}, lr_, DType::f64)}};
  for (size_t i = 0; i < velocity_.size(); ++i)
    if (velocity_[i].defined()) result.emplace_back("momentum_buffer." + std::to_string(i), velocity_[i]);
  return result;
}

void SGD::load_state(const StateDict& state) {
  const Entries entries(name_, state);
  std::vector<Tensor> velocity(parameters_.size());
  for (size_t i = 0; i < velocity.size(); ++i) {
    const std::string name = "momentum_buffer." + std::to_string(i);
    if (entries.has(name)) velocity[i] = entries.get(name, parameters_[i].shape(), DType::f32);
  }
  set_lr(entries.get("lr", {}, DType::f64).item());
  velocity_ = std::move(velocity);
}

Adam::Adam(std::vector<Tensor> parameters, const AdamOptions& options, Flag decoupled)
    : Optimizer(decoupled ? "AdamW" : "Adam", std::move(parameters), options.lr),
      options_(options),
      decoupled_(decoupled),
      steps_(parameters_.size()),
      mean_(parameters_.size()),
      square_(parameters_.size()) {
  at_least_0(name_, "eps", options.eps);
  at_least_0(name_, "weight_decay", options.weight_decay);
  for (double beta : {options.beta1, options.beta2})
    if (!(beta >= 0 && beta < 1))
      throw Error(ErrorCode::invalid_argument, std::string(name_) + ": betas must be in [0, 1), got " + std::to_string(beta));
}

void Adam::step() {
  const float b1 = static_cast<float>(options_.beta1), b2 = static_cast<float>(options_.beta2), eps = static_cast<float>(options_.eps);
  // Computed in f64, because 1 - 0.999 in f32 would lose four digits.
  const float c1 = static_cast<float>(1 - options_.beta1), c2 = static_cast<float>(1 - options_.beta2);
  const float decay = static_cast<float>(options_.weight_decay);
  const std::vector<Elements> elements = elements_of(parameters_);
  std::vector<Tensor> mean = mean_, square = square_;
  add_zeros(mean, elements, parameters_);
  add_zeros(square, elements, parameters_);
  mean_ = std::move(mean);
  square_ = std::move(square);
  for (const Elements& c : elements) {
    Tensor& p = parameters_[c.i];
    const double t = static_cast<double>(++steps_[c.i]);
    const float rate = static_cast<float>(lr_ / (1 - std::pow(options_.beta1, t)));
    const float root = static_cast<float>(1 / std::sqrt(1 - std::pow(options_.beta2, t)));
    const float shrink = decoupled_ ? static_cast<float>(1 - lr_ * options_.weight_decay) : 1.0F;
    float* m = mean_[c.i].data<float>();
    float* s = square_[c.i].data<float>();
    for (int64_t k = 0; k < p.numel(); ++k) {
      const float g = decoupled_ ? c.gradient[k] : c.gradient[k] + decay * c.parameter[k];
      m[k] = b1 * m[k] + c1 * g;
      s[k] = b2 * s[k] + c2 * g * g;
      c.parameter[k] = shrink * c.parameter[k] - rate * m[k] / (std::sqrt(s[k]) * root + eps);
    }
    p.mark_changed();
  }
}

StateDict Adam::state() const {
  StateDict result{{"lr", full({}, lr_, DType::f64)}};
  for (size_t i = 0; i < mean_.size(); ++i) {
    if (!mean_[i].defined()) continue;
    const std::string number = std::to_string(i);
    result.emplace_back("step." + number, Tensor::from<int64_t>({}, {steps_[i]}));
    result.emplace_back("exp_avg." + number, mean_[i]);
    result.emplace_back("exp_avg_sq." + number, square_[i]);
  }
  return result;
}

void Adam::load_state(const StateDict& state) {
  const Entries entries(name_, state);
  std::vector<int64_t> steps(parameters_.size());
  std::vector<Tensor> mean(parameters_.size()), square(parameters_.size());
  for (size_t i = 0; i < mean.size(); ++i) {
    const std::string number = std::to_string(i);
    if (!entries.has("step." + number)) continue;
    steps[i] = *entries.get("step." + number, {}, DType::i64).data<int64_t>();
    mean[i] = entries.get("exp_avg." + number, parameters_[i].shape(), DType::f32);
    square[i] = entries.get("exp_avg_sq." + number, parameters_[i].shape(), DType::f32);
  }
  set_lr(entries.get("lr", {}, DType::f64).item());
  steps_ = std::move(steps);
  mean_ = std::move(mean);
  square_ = std::move(square);
}

}  // namespace tidepool::inline v0_1::nn
