#include <algorithm>
#include <atomic>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app.h"
#include "draw_problem.h"
#include "number_options.h"
#include "progress.h"
#include "suite.h"
#include "tidepool/executor.h"
#include "tidepool/runtime.h"
#include "timing.h"
#include "tune.h"

namespace tidepool::cli {

namespace {

struct TuneArgs {
  std::vector<std::string> problems;
  std::string target;
  bool json = false, all = false;
  int threads = 1;
  double seconds = 0.3;
  uint64_t drawn = 0, seed = 1;
};

constexpr double drawn_within = 1.1;  // of the best, for problems that are drawn: short measurements vary more
constexpr size_t most_examples = 10;  // of bad choices

// All problems are parsed before the first is measured, so that a typing error is reported at once.
std::vector<Problem> problems_of(const TuneArgs& args) {
  if (args.drawn > 0) {
    std::vector<Problem> problems(args.drawn);
    for (uint64_t i = 0; i < args.drawn; ++i) problems[i] = draw_problem(args.seed, i);
    return problems;
  }
  std::vector<std::string> texts = args.problems;
  if (texts.empty())
    for (Workload& workload : read_suite(suite_text())) texts.push_back(std::move(workload.problem));
  std::vector<Problem> problems(texts.size());
  std::ranges::transform(texts, problems.begin(), [](const std::string& text) { return parse(text); });
  return problems;
}

nlohmann::json json_of(const std::vector<Tuning>& tunings, int threads) {
  nlohmann::json rows = nlohmann::json::array();
  for (const Tuning& tuning : tunings) {
    nlohmann::json kernels = nlohmann::json::array();
    for (const KernelTime& time : tuning.kernels) kernels.push_back({{"kernel", time.kernel}, {"seconds", time.seconds}});
    rows.push_back({{"problem", to_string(tuning.problem)},
                    {"target", tuning.target},
                    {"chosen", tuning.chosen},
                    {"best", tuning.best().kernel},
                    {"ratio", tuning.ratio()},
                    {"kernels", kernels}});
  }
  return {{"threads", threads}, {"within", tuned_within}, {"problems", rows}};
}

void print(const Tuning& tuning, std::ostream& out) {
  out << to_string(tuning.problem) << "\n  chosen " << tuning.chosen;
  if (tuning.chosen != tuning.best().kernel) out << ", " << show_fixed(tuning.ratio(), 2) << " x the time of " << tuning.best().kernel;
  out << "\n";
  for (const KernelTime& time : tuning.kernels)
    out << "    " << time.kernel << std::string(20 - std::min<size_t>(20, time.kernel.size()), ' ') << show_seconds(time.seconds) << "\n";
  out << std::flush;
}

// How often the choice is good, and the worst ones.
void print_drawn(std::vector<Tuning> tunings, const TuneArgs& args, std::ostream& out) {
  const auto well = std::ranges::count_if(tunings, [](const Tuning& tuning) { return tuning.ratio() <= drawn_within; });
  std::ranges::stable_sort(tunings, std::ranges::greater(), &Tuning::ratio);
  out << tunings.size() << " problems drawn with seed " << args.seed << ", " << tunings.front().target << ", " << args.threads
      << (args.threads == 1 ? " thread" : " threads") << ": the choice is within 10 % of the best in "
      << show_fixed(100 * static_cast<double>(well) / static_cast<double>(tunings.size()), 1) << " %, at worst "
      << show_fixed(tunings.front().ratio(), 2) << " x\n";
  const size_t shown = args.all ? tunings.size() : std::min(most_examples, tunings.size() - static_cast<size_t>(well));
  for (const Tuning& tuning : std::span(tunings).first(shown))
    out << show_fixed(tuning.ratio(), 2) << " x  " << to_string(tuning.problem) << ": " << tuning.chosen << ", best "
        << tuning.best().kernel << "\n";
}

int tune_all(const TuneArgs& args, Console& console) {
  const ScopedTarget scope(args.target);
  const std::vector<Problem> problems = problems_of(args);
  const std::unique_ptr<Executor> executor = make_executor(args.threads);
  std::vector<Tuning> tunings;
  {
    std::atomic<double> share{0};
    Progress progress("measuring", [&] { return share.load(); });
    const auto count = static_cast<double>(problems.size());
    for (const Problem& problem : problems) {
      progress.change("[" + std::to_string(tunings.size() + 1) + "/" + std::to_string(problems.size()) + "] " + to_string(problem));
      const auto finished = static_cast<double>(tunings.size());
      tunings.push_back(tune(problem, *executor, args.seconds, [&](double part) { share = (finished + part) / count; }));
      if (args.json || args.drawn > 0 || (!args.all && tunings.back().ratio() <= tuned_within)) continue;
      progress.wipe();
      print(tunings.back(), console.out);
    }
  }
  if (args.json) {
    console.out << json_of(tunings, args.threads).dump(2) << "\n";
    return exit_ok;
  }
  if (args.drawn > 0) {
    print_drawn(std::move(tunings), args, console.out);
    return exit_ok;
  }
  const auto well = std::ranges::count_if(tunings, [](const Tuning& tuning) { return tuning.ratio() <= tuned_within; });
  console.out << well << " of " << tunings.size() << " problems have a kernel within 5 % of the best one, " << args.threads
              << (args.threads == 1 ? " thread\n" : " threads\n");
  return exit_ok;
}

}  // namespace

void add_tune(CLI::App& app, Action& chosen) {
  auto args = std::make_shared<TuneArgs>();
  CLI::App* verb = app.add_subcommand("tune", "measure every fitting kernel, and say where the planner does not take the best");
  verb->add_option("problems", args->problems, "problems, each one line of text in quotes [the benchmark's suite]");
  add_seconds(*verb, args->seconds, "how long to measure each problem [0.3]");
  add_threads(*verb, args->threads, "threads [1]");
  verb->add_option("--target", args->target, "instruction set, as `tidepool list` names it [best]")->type_name("NAME");
  CLI::Option* drawn =
      verb->add_option("--check", args->drawn, "draw N random problems, and count how often the choice is within 10 % of the best");
  drawn->check(whole_number_between(1, 1'000'000))->type_name("N")->excludes("problems");
  verb->add_option("--seed", args->seed, "of the problems that are drawn [1]")->type_name("N")->needs(drawn);
  verb->add_flag("--all", args->all, "show the problems with a good choice too");
  verb->add_flag("--json", args->json, "answer in JSON");
  verb->footer(
      "Examples:\n"
      "  tidepool tune\n"
      "  tidepool tune \"max2d fwd f32 nchw 32x64x112x112 k3 s2 p1\" --all\n"
      "  tidepool tune --check 300 --target AVX2\n"
      "  tidepool tune --json --threads 2 >tuning.json");
  verb->callback([args, &chosen] { chosen = [args](Console& console) { return tune_all(*args, console); }; });
}

}  // namespace tidepool::cli
