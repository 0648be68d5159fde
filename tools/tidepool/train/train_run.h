// A whole run of `tidepool train`: loading, training, reports, checkpoints and results.
#pragma once

#include <chrono>
#include <string>

#include "app.h"
#include "train/training.h"

namespace tidepool::cli {

struct TrainArgs {
  std::string data = "mnist", pool = "max", out = "lenet";
  int64_t epochs = 5, batch = 64, glyphs = 12'000, save_every = 200;
  double rate = 2e-3;
  uint64_t seed = 1;
  int threads = 1;
  bool resume = false, json = false;
};

class TrainRun {
 public:
  TrainRun(const TrainArgs& args, Console& console);
  int run();

 private:
  using Clock = std::chrono::steady_clock;

  void begin();
  void one_epoch();
  void report_epoch(double seconds);
  void finish();
  void save();
  std::string file(const std::string& name) const;
  void say(const std::string& text);
  // Prints a row with one column per variant: "epoch 1/5    0.2183  98.12 %".
  template <class Cell>
  void say_row(const std::string& what, const Cell& cell);

  const TrainArgs& args_;
  Console& console_;
  Sets sets_;
  Training training_;
  std::vector<Tensor> confusions_;  // after the last epoch
  Clock::time_point start_ = Clock::now();
};

}  // namespace tidepool::cli
