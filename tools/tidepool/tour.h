// The tour's parts. Each shows something, compares it with numbers worked out by hand, and keeps the outcome.
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
  void networks();  // train/tour_networks.cc, and nothing in builds without tidepool::nn
  void timing();    // tour_timing.cc

  bool right() const noexcept { return right_; }
  const nlohmann::json& facts() const noexcept { return facts_; }

 private:
  void windows_one_by_one();
  void indices_and_gradient();
  void dropped_cells();
  void more_planes();
  void shapes();

  // Keeps `got` under `name`; if it is not what it must be, says so.
  void expect(const std::string& name, TensorView got, std::initializer_list<double> values);
  void expect_shape(const std::string& text, const Dims& got, const Dims& shape);
  void wrong(const std::string& what);

  std::ostream& out_;
  bool colour_, live_;
  bool right_ = true;
  nlohmann::json facts_;
};

}  // namespace tidepool::cli
