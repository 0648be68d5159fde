// Measures jobs in turns and keeps the best time of each, so that a temporary slowdown of the machine affects all of them.
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

// Runs all jobs once without measuring, then at least three times and until `seconds` have passed.
// Tells `report` the finished part of the work after every call.
Timings take_turns(std::span<const std::function<void()>> jobs, double seconds, const std::function<void(double)>& report = {});

std::string show_seconds(double seconds);  // "13.2 ms"
std::string show_bytes(double bytes);      // "102.8 MB"
std::string show_fixed(double value, int decimals);

}  // namespace tidepool::cli
