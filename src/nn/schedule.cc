#include <cmath>
#include <numbers>
#include <string>

#include "nn/check.h"
#include "tidepool/nn/optim.h"

namespace tidepool::inline v0_1::nn {

void Schedule::set_epoch(int64_t epoch) {
  optimizer_.set_lr(rate(base_, epoch));  // throws for a rate below 0
  epoch_ = epoch;
}

StepLR::StepLR(Optimizer& optimizer, int64_t step_size, double gamma)
    : Schedule(optimizer), step_size_(detail::check_at_least_1("StepLR", "step_size", step_size)), gamma_(gamma) {}

double StepLR::rate(double base, int64_t epoch) const {
  const int64_t steps = epoch / step_size_;
  return base * std::pow(gamma_, static_cast<double>(steps));
}

CosineAnnealingLR::CosineAnnealingLR(Optimizer& optimizer, int64_t t_max, double eta_min)
    : Schedule(optimizer), t_max_(detail::check_at_least_1("CosineAnnealingLR", "t_max", t_max)), eta_min_(eta_min) {}

double CosineAnnealingLR::rate(double base, int64_t epoch) const {
  const double turn = std::numbers::pi * static_cast<double>(epoch) / static_cast<double>(t_max_);
  return eta_min_ + (base - eta_min_) * (1 + std::cos(turn)) / 2;
}

}  // namespace tidepool::inline v0_1::nn
