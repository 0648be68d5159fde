// A progress bar on a terminal. Prints nothing if the output is not a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <ostream>
#include <string>

namespace tidepool::cli {

class ProgressBar {
 public:
  ProgressBar(std::ostream& out, bool live) : out_(out), live_(live) {}
  ~ProgressBar() { erase(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Shows "epoch 2/5 [=====>    ] 410/938  loss 0.0812  11 s left". Updates at most ten times per second.
  void show(const std::string& what, int64_t done, int64_t all, const std::string& note);
  void erase();

  // The text of the bar.
  static std::string line(const std::string& what, int64_t done, int64_t all, const std::string& note);

 private:
  using Clock = std::chrono::steady_clock;
  std::ostream& out_;
  bool live_, shown_ = false;
  Clock::time_point last_{};
};

}  // namespace tidepool::cli
