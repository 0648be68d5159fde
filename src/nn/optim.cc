#include "tidepool/nn/optim.h"

#include <cmath>
#include <map>

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

// The elements of a parameter and of its gradient, both row-major.
struct Elements {
  size_t i;  // the position of the parameter
  float* parameter;
  const float* gradient;
  Tensor keep_alive;  // owns `gradient`
};

// Those of the parameters that have a gradient. A step makes all of them, and its states, before it changes the first parameter: a step
// without enough memory changes nothing.
std::vector<Elements> elements_of(std::vector<Tensor>& parameters) {
  std::vector<Elements> all;
  all.reserve(parameters.size());
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Tensor gradient = parameters[i].grad();
    if (!gradient.defined()) continue;
    all.push_back({.i = i, .parameter = parameters[i].data<float>(), .gradient = nullptr, .keep_alive = contiguous(gradient.detach())});
    all.back().gradient = all.back().keep_alive.data<float>();
  }
  return all;
}

// Zeros for each element of `all` that has no state yet, Tensor() for the others.
std::vector<Tensor> first_states(const std::vector<Elements>& all, const std::vector<Tensor>& states) {
  std::vector<Tensor> first(all.size());
  for (size_t at = 0; at < all.size(); ++at)
    if (!states[all[at].i].defined()) first[at] = zeros(all[at].keep_alive.shape());
  return first;
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
  const std::vector<Elements> all = elements_of(parameters_);
  const std::vector<Tensor> first_velocity = momentum == 0 ? std::vector<Tensor>(all.size()) : first_states(all, velocity_);
  for (size_t at = 0; at < all.size(); ++at) {
    const Elements& c = all[at];
    Tensor& p = parameters_[c.i];
    const int64_t n = p.numel();
    if (momentum == 0) {
      for (int64_t k = 0; k < n; ++k) c.parameter[k] -= lr * (c.gradient[k] + decay * c.parameter[k]);
    } else {
      const bool first = first_velocity[at].defined();  // as in PyTorch, the first velocity is the gradient, without dampening
      if (first) velocity_[c.i] = first_velocity[at];
      float* v = velocity_[c.i].data<float>();
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
  const std::vector<Elements> all = elements_of(parameters_);
  const std::vector<Tensor> first_mean = first_states(all, mean_), first_square = first_states(all, square_);
  for (size_t at = 0; at < all.size(); ++at) {
    const Elements& c = all[at];
    const size_t i = c.i;
    Tensor& p = parameters_[i];
    if (first_mean[at].defined()) {
      mean_[i] = first_mean[at];
      square_[i] = first_square[at];
    }
    const double t = static_cast<double>(++steps_[i]);
    const float rate = static_cast<float>(lr_ / (1 - std::pow(options_.beta1, t)));
    const float root = static_cast<float>(1 / std::sqrt(1 - std::pow(options_.beta2, t)));
    const float shrink = decoupled_ ? static_cast<float>(1 - lr_ * options_.weight_decay) : 1.0F;
    float* m = mean_[i].data<float>();
    float* s = square_[i].data<float>();
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
