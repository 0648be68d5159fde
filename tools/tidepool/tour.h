// The parts of `tidepool tour`. Each shows a computation, compares it with values worked out by hand, and records the result for --json.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

#include "app.h"
#include "tidepool/tensor.h"

namespace tidepool::cli {

class Tour {
 public:
  Tour(std::ostream& out, bool colour, bool live) : out_(out), colour_(colour), live_(live) {}

  void examples();  // tour_examples.cc
  void networks();  // train/tour_networks.cc; says so in builds without tidepool::nn
  void timing();    // tour_timing.cc

  bool right() const noexcept { return right_; }
  const nlohmann::json& facts() const noexcept { return facts_; }

 private:
  void windows_one_by_one();
  void indices_and_gradient();
  void dropped_cells();
  void more_planes();
  void shapes();

  // Records `got` under `name`, and reports a difference from `values`.
  void expect(const std::string& name, const TensorArg& got, std::initializer_list<double> values);
  void expect_shape(const std::string& text, const Dims& got, const Dims& shape);
  void wrong(const std::string& what);

  std::ostream& out_;
  bool colour_, live_;
  bool right_ = true;
  nlohmann::json facts_;
};

}  // namespace tidepool::cli
