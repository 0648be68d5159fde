#include "tune.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string_view>

#include "run_data.h"
#include "tidepool/plan.h"
#include "timing.h"

namespace tidepool::cli {

namespace {

constexpr double slow_factor = 4;             // kernels that take this many times as long as the best are not measured again
constexpr double sample_seconds = 20e-6;      // shorter calls are measured several at a time
constexpr int64_t calls_per_sample = 100;     // at most
constexpr double second_call_seconds = 0.05;  // a first call that takes longer is believed

struct Candidate {
  Plan plan;
  double seconds = 0;
};

double time_of(const std::function<void()>& job) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  job();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

std::vector<Candidate> fitting(const Problem& problem) {
  std::vector<Candidate> candidates;
  for (std::string_view name : kernel_names(problem)) {
    const bool seen = std::ranges::any_of(candidates, [&](const Candidate& c) { return c.plan.kernel() == name; });
    if (seen) continue;
    if (auto plan = try_make_plan(problem, name)) candidates.push_back({*plan});
  }
  return candidates;
}

void measure(std::vector<Candidate>& candidates, std::string_view chosen, const RunArrays& arrays, Executor& executor, double seconds,
             const std::function<void(double)>& report) {
  for (Candidate& c : candidates) c.seconds = time_of([&] { c.plan.run(arrays, executor); });
  double first_best = std::ranges::min(candidates, {}, &Candidate::seconds).seconds;
  // A single call may have been interrupted.
  for (Candidate& c : candidates)
    if (c.seconds > slow_factor * first_best && c.seconds < second_call_seconds)
      c.seconds = std::min(c.seconds, time_of([&] { c.plan.run(arrays, executor); }));
  first_best = std::ranges::min(candidates, {}, &Candidate::seconds).seconds;
  const auto calls = std::clamp<int64_t>(static_cast<int64_t>(sample_seconds / std::max(first_best, 1e-9)), 1, calls_per_sample);
  std::vector<Candidate*> measured;
  std::vector<std::function<void()>> jobs;
  for (Candidate& c : candidates) {
    // The planner's choice is always measured: one slow call must not rule it out.
    if (c.plan.kernel() != chosen && c.seconds > slow_factor * first_best && c.seconds > sample_seconds * slow_factor) continue;
    measured.push_back(&c);
    jobs.emplace_back([&c, &arrays, &executor, calls] {
      for (int64_t i = 0; i < calls; ++i) c.plan.run(arrays, executor);
    });
  }
  const Timings timings = take_turns(jobs, seconds, report);
  for (size_t i = 0; i < measured.size(); ++i) measured[i]->seconds = timings.best[i] / static_cast<double>(calls);
}

}  // namespace

double Tuning::ratio() const {
  const auto mine = std::ranges::find(kernels, chosen, &KernelTime::kernel);
  return mine == kernels.end() || best().seconds <= 0 ? 1 : mine->seconds / best().seconds;
}

Tuning tune(const Problem& problem, Executor& executor, double seconds, const std::function<void(double)>& report) {
  const Plan plan = make_plan(problem);
  const RunData data = make_run_data(problem, 0, executor);
  std::vector<Candidate> candidates = fitting(problem);
  measure(candidates, plan.kernel(), data.arrays, executor, seconds, report);
  std::ranges::sort(candidates, {}, &Candidate::seconds);
  Tuning tuning{.problem = problem, .target = std::string(plan.target()), .chosen = std::string(plan.kernel()), .kernels = {}};
  for (const Candidate& c : candidates) tuning.kernels.push_back({std::string(c.plan.kernel()), c.seconds});
  return tuning;
}

}  // namespace tidepool::cli
