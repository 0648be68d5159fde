// Best times of jobs that take turns, so that a slow moment of the machine touches all of them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace tidepool::cli {

struct Timings {
  std::vector<double> best;  // seconds, one per job
  int64_t rounds = 0;
};

// One unmeasured round, then at least three, until `seconds` have passed.
Timings take_turns(std::span<const std::function<void()>> jobs, double seconds);

std::string show_seconds(double seconds);  // "13.2 ms"
std::string show_bytes(double bytes);      // "102.8 MB"
std::string show_fixed(double value, int decimals);

}  // namespace tidepool::cli
