// Optimisers and learning rates over time, with PyTorch's update rules.
#pragma once

#include <cstdint>
#include <vector>

#include "tidepool/nn/state_dict.h"
#include "tidepool/tensor.h"

namespace tidepool::nn {

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  // Moves every parameter that has a gradient.
  virtual void step() = 0;
  void zero_grad();

  double lr() const noexcept { return lr_; }
  void set_lr(double lr);

  // All that a step depends on beside the parameters: load_state and the next steps are as if nothing had been interrupted.
  virtual StateDict state() const = 0;
  virtual void load_state(const StateDict& state) = 0;

 protected:
  Optimizer(const char* name, std::vector<Tensor> parameters, double lr);

  const char* name_;
  std::vector<Tensor> parameters_;
  double lr_;
};

struct SGDOptions {
  double lr = 1e-3;
  double momentum = 0;
  double dampening = 0;
  double weight_decay = 0;
  bool nesterov = false;
};

class SGD : public Optimizer {
 public:
  SGD(std::vector<Tensor> parameters, const SGDOptions& options);
  void step() override;
  StateDict state() const override;
  void load_state(const StateDict& state) override;

 private:
  SGDOptions options_;
  std::vector<Tensor> velocity_;  // Tensor() before the first step
};

struct AdamOptions {
  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0;  // AdamW: 0.01
};

// decoupled: AdamW's weight decay, which shrinks the parameter itself and not through the gradient.
class Adam : public Optimizer {
 public:
  Adam(std::vector<Tensor> parameters, const AdamOptions& options, bool decoupled = false);
  void step() override;
  StateDict state() const override;
  void load_state(const StateDict& state) override;

 private:
  AdamOptions options_;
  bool decoupled_;
  std::vector<int64_t> steps_;  // of each parameter: one without a gradient waits
  std::vector<Tensor> mean_, square_;
};

class AdamW : public Adam {
 public:
  AdamW(std::vector<Tensor> parameters, const AdamOptions& options = {.weight_decay = 0.01}) : Adam(std::move(parameters), options, true) {}
};

// A learning rate for every epoch. step() ends an epoch; set_epoch goes to any.
class Schedule {
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

// times gamma every step_size epochs
class StepLR : public Schedule {
 public:
  StepLR(Optimizer& optimizer, int64_t step_size, double gamma = 0.1);

 protected:
  double rate(double base, int64_t epoch) const override;

 private:
  int64_t step_size_;
  double gamma_;
};

// half a cosine from the first rate to eta_min, in t_max epochs
class CosineAnnealingLR : public Schedule {
 public:
  CosineAnnealingLR(Optimizer& optimizer, int64_t t_max, double eta_min = 0);

 protected:
  double rate(double base, int64_t epoch) const override;

 private:
  int64_t t_max_;
  double eta_min_;
};

}  // namespace tidepool::nn
