// Optimisers and learning rate schedules with PyTorch's update rules.
#pragma once

#include <cstdint>
#include <vector>

#include "tidepool/export.h"
#include "tidepool/nn/state_dict.h"
#include "tidepool/options.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::nn {

class TIDEPOOL_API Optimizer {
 public:
  virtual ~Optimizer() = default;
  // Updates every parameter that has a gradient.
  virtual void step() = 0;
  void zero_grad();

  double lr() const noexcept { return lr_; }
  void set_lr(double lr);

  // Everything besides the parameters that the next steps depend on. A run that loads it continues as if it had not been interrupted.
  virtual StateDict state() const = 0;
  virtual void load_state(const StateDict& state) = 0;

 protected:
  Optimizer(const char* name, std::vector<Tensor> parameters, double lr);

  const char* name_;
  std::vector<Tensor> parameters_;
  double lr_;
};

struct SGDOptions {
  NamedOnly named_only = NamedOnly::fields();
  double lr = 1e-3;
  double momentum = 0;
  double dampening = 0;
  double weight_decay = 0;
  Flag nesterov = false;
};

class TIDEPOOL_API SGD : public Optimizer {
 public:
  SGD(std::vector<Tensor> parameters, const SGDOptions& options);
  void step() override;
  StateDict state() const override;
  void load_state(const StateDict& state) override;

 private:
  SGDOptions options_;
  std::vector<Tensor> velocity_;  // an empty Tensor() before the first step
};

struct AdamOptions {
  NamedOnly named_only = NamedOnly::fields();
  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0;
};

// The options of Adam, with PyTorch's other default of weight_decay.
struct AdamWOptions {
  NamedOnly named_only = NamedOnly::fields();
  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0.01;
};

// With `decoupled`, weight decay shrinks the parameter directly, as in AdamW, instead of adding to the gradient.
class TIDEPOOL_API Adam : public Optimizer {
 public:
  Adam(std::vector<Tensor> parameters, const AdamOptions& options, Flag decoupled = false);
  void step() override;
  StateDict state() const override;
  void load_state(const StateDict& state) override;

 private:
  AdamOptions options_;
  bool decoupled_;
  std::vector<int64_t> steps_;         // per parameter, because a parameter without a gradient is skipped
  std::vector<Tensor> mean_, square_;  // running averages of the gradient and of its square
};

class AdamW : public Adam {
 public:
  AdamW(std::vector<Tensor> parameters, const AdamWOptions& o = {})
      : Adam(std::move(parameters), {.lr = o.lr, .beta1 = o.beta1, .beta2 = o.beta2, .eps = o.eps, .weight_decay = o.weight_decay}, true) {}
};

// Sets the learning rate of an optimiser per epoch. Call step() after each epoch, or set_epoch() to resume at any epoch.
class TIDEPOOL_API Schedule {
 public:
  virtual ~Schedule() = default;
  void step() { set_epoch(epoch_ + 1); }
  void set_epoch(int64_t epoch);
  int64_t epoch() const noexcept { return epoch_; }

 protected:
  explicit Schedule(Optimizer& optimizer) : optimizer_(optimizer), base_(optimizer.lr()) {}
  virtual double rate(double base, int64_t epoch) const = 0;

 private:
  Optimizer& optimizer_;
  double base_;
  int64_t epoch_ = 0;
};

// Multiplies the learning rate by gamma every step_size epochs.
class TIDEPOOL_API StepLR : public Schedule {
 public:
  StepLR(Optimizer& optimizer, int64_t step_size, double gamma = 0.1);

 protected:
  double rate(double base, int64_t epoch) const override;

 private:
  int64_t step_size_;
  double gamma_;
};

// Lowers the learning rate from its initial value to eta_min along half a cosine wave of t_max epochs.
class TIDEPOOL_API CosineAnnealingLR : public Schedule {
 public:
  CosineAnnealingLR(Optimizer& optimizer, int64_t t_max, double eta_min = 0);

 protected:
  double rate(double base, int64_t epoch) const override;

 private:
  int64_t t_max_;
  double eta_min_;
};

}  // namespace tidepool::inline v0_1::nn
