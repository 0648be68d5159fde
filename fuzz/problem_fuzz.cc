// Any bytes as a problem: parsed or refused. Every kernel on every target gives the bits of the reference implementation, and arrays that
// do not fit are refused before anything is written. TIDEPOOL_FUZZ_VERBOSE=1 prints what is about to run.
#include <cmath>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <set>

#include "fuzz/hostile.h"
#include "fuzz/problem_text.h"
#include "support/compare.h"
#include "support/targets.h"

namespace tidepool::fuzz {
namespace {

// For whoever looks into a crash.
void note(const std::string& line) {
  static const bool verbose = std::getenv("TIDEPOOL_FUZZ_VERBOSE") != nullptr;
  if (verbose) std::cerr << line << '\n';
}

void require(bool holds, const std::string& what, const std::string& problem) {
  if (holds) return;
  std::cerr << "\n" << what << "\nproblem: " << problem << "\n";
  std::abort();
}

// Small enough to run some hundred times a second. Sizes of a valid geometry cannot overflow, but their products with taps can.
bool is_small(const Geometry& g) {
  constexpr int64_t most = 1 << 11;
  for (int i = 0; i < 3; ++i)
    if (g.axis(i).kernel() > 64 || g.axis(i).output() > most) return false;
  return g.input_numel() <= most && g.output_numel() <= most && g.output_numel() * g.window_taps() <= 8 * most;
}

// Whether the reference implementation can compute it, in reasonable time.
bool has_answer(const Problem& p) {
  const Geometry& g = p.geometry;
  // Gradients of integers and averages of bool have no kernels either.
  if (kernel_names(p).empty() || !is_small(g)) return false;
  // Lp visits every pair of cells of a window, and powers far from 1 lose all digits.
  if (p.op == Op::lp) return g.window_taps() <= 30 && (std::isinf(p.reduction.norm) || std::abs(std::log2(std::abs(p.reduction.norm))) < 4);
  // A window without cells has no index to follow.
  if (p.op == Op::unpool)
    return p.nan == NanPolicy::propagate && !g.depth().has_empty_window() && !g.height().has_empty_window() &&
           !g.width().has_empty_window();
  return true;
}

void run_every_kernel(const Problem& problem, const test::Job& job, const std::string& text) {
  std::set<bool> runnable;
  for (const std::string& target : test::supported_targets()) {
    const test::ForcedTarget forced(target);
    bool any = false;
    for (std::string_view kernel : kernel_names(problem)) {
      const Result<Plan> plan = try_make_plan(problem, kernel);
      if (!plan) continue;
      any = true;
      note("kernel: " + std::string(kernel) + " on " + target);
      const auto right = test::runs_right(*plan, job, serial_executor(), 0);
      require(static_cast<bool>(right), right.message(), text);
    }
    require(try_make_plan(problem).ok() == any, "the plan and its kernels disagree on whether this can run, on " + target, text);
    runnable.insert(any);
  }
  require(runnable.size() == 1, "some targets run it, others refuse", text);
}

void refuse_hostile_arrays(const Problem& problem, test::Job job, const std::string& text, test::Rng& rng) {
  const Result<Plan> plan = try_make_plan(problem);
  if (!plan) return;
  RunArrays arrays = job.arrays();
  const std::string wrong = spoil(arrays, job, rng);
  if (wrong.empty()) return;
  note("made wrong: " + wrong);
  bool refused = false;
  try {
    plan->run(arrays, serial_executor());
  } catch (const Error&) {
    refused = true;
  }
  require(refused, "accepted although wrong: " + wrong, text);
  require(job.output.intact() && job.input.intact(), "refused, but written to: " + wrong, text);
}

void try_problem(const std::string& text, test::Rng& rng) {
  const Result<Problem> problem = parse_problem(text);
  if (!problem) return;
  note("problem: " + text);
  const Result<Problem> again = parse_problem(to_string(*problem));
  require(again.ok() && *again == *problem, "its text \"" + to_string(*problem) + "\" means another problem", text);
  // Plans hold no data: one can be made, and explains itself, whatever the size.
  for (std::string_view kernel : kernel_names(*problem))
    if (const Result<Plan> plan = try_make_plan(*problem, kernel)) plan->explain();
  if (!has_answer(*problem)) return;
  run_every_kernel(*problem, test::make_job(*problem, rng, test::random_placements(rng)), text);
  for (int i = 0; i < 3; ++i) refuse_hostile_arrays(*problem, test::make_job(*problem, rng, test::random_placements(rng)), text, rng);
}

}  // namespace
}  // namespace tidepool::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tidepool::fuzz;
  const std::string raw(reinterpret_cast<const char*>(data), size);
  FuzzedDataProvider bytes(data, size);
  // What fills the arrays depends on every byte, also on those that the text did not need.
  tidepool::test::Rng rng(std::hash<std::string>{}(raw));
  try_problem(problem_text(bytes), rng);
  try_problem(raw, rng);
  return 0;
}
