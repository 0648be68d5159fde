#include "timing.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <limits>

namespace tidepool::cli {

Timings take_turns(std::span<const std::function<void()>> jobs, double seconds, const std::function<void(double)>& report) {
  using Clock = std::chrono::steady_clock;
  constexpr int least_rounds = 3;
  // The first round, which is not measured, counts as well.
  const double least_calls = static_cast<double>(jobs.size()) * (least_rounds + 1);
  double calls = 0;
  const auto finished_call = [&](double elapsed) {
    ++calls;
    if (report) report(std::min(calls / least_calls, seconds > 0 ? elapsed / seconds : 1));
  };
  for (const auto& job : jobs) {
    job();
    finished_call(0);
  }
  Timings timings;
  timings.best.assign(jobs.size(), std::numeric_limits<double>::infinity());
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  for (; timings.rounds < least_rounds || elapsed() < seconds; ++timings.rounds) {
    for (size_t i = 0; i < jobs.size(); ++i) {
      const auto begin = Clock::now();
      jobs[i]();
      timings.best[i] = std::min(timings.best[i], std::chrono::duration<double>(Clock::now() - begin).count());
      finished_call(elapsed());
    }
  }
  return timings;
}

std::string show_fixed(double value, int decimals) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
  return text.data();
}

std::string show_seconds(double seconds) {
  if (seconds >= 1) return show_fixed(seconds, 2) + " s";
  if (seconds >= 1e-3) return show_fixed(seconds * 1e3, 2) + " ms";
  return show_fixed(seconds * 1e6, 2) + " us";
}

std::string show_bytes(double bytes) {
  if (bytes >= 1e9) return show_fixed(bytes / 1e9, 2) + " GB";
  if (bytes >= 1e6) return show_fixed(bytes / 1e6, 1) + " MB";
  if (bytes >= 1e3) return show_fixed(bytes / 1e3, 1) + " kB";
  return show_fixed(bytes, 0) + " B";
}

}  // namespace tidepool::cli
