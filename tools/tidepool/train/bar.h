// A bar that grows on a terminal, and is nothing elsewhere.
#pragma once

#include <chrono>
#include <cstdint>
#include <ostream>
#include <string>

namespace tidepool::cli {

class Bar {
 public:
  Bar(std::ostream& out, bool live) : out_(out), live_(live) {}
  ~Bar() { wipe(); }
  Bar(const Bar&) = delete;
  Bar& operator=(const Bar&) = delete;

  // "epoch 2/5 [=====>    ] 410/938  loss 0.0812  11 s left", at most ten times a second.
  void show(const std::string& what, int64_t done, int64_t all, const std::string& note);
  void wipe();

  // The line itself, for tests.
  static std::string line(const std::string& what, int64_t done, int64_t all, const std::string& note);

 private:
  using Clock = std::chrono::steady_clock;
  std::ostream& out_;
  bool live_, shown_ = false;
  Clock::time_point last_{};
};

}  // namespace tidepool::cli
