#include <algorithm>
#include <atomic>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app.h"
#include "draw_problem.h"
#include "fit.h"
#include "number_options.h"
#include "progress.h"
#include "suite.h"
#include "tidepool/executor.h"
#include "tidepool/io/atomic_file.h"
#include "tidepool/plan.h"
#include "tidepool/runtime.h"
#include "timing.h"
#include "tune.h"

namespace tidepool::cli {

namespace {

struct TuneArgs {
  std::vector<std::string> problems;
  std::string target;
  bool json = false, all = false, with_suite = false;
  int threads = 1;
  double seconds = 0.3;
  uint64_t drawn = 0, fitted = 0, seed = 1;
  std::string table;
};

constexpr double drawn_within = 1.1;  // of the best, for problems that are drawn: short measurements vary more
constexpr size_t most_examples = 10;  // of bad choices

// All problems are parsed before the first is measured, so that a typing error is reported at once.
std::vector<Problem> problems_of(const TuneArgs& args) {
  if (const uint64_t drawn = args.drawn + args.fitted; drawn > 0) {
    std::vector<Problem> problems(drawn);
    for (uint64_t i = 0; i < drawn; ++i) problems[i] = draw_problem(args.seed, i);
    // What people are known to run: mostly larger arrays than those that are drawn.
    if (args.with_suite)
      for (const Workload& workload : read_suite(suite_text())) problems.push_back(parse(workload.problem));
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

// Fits on four fifths of the problems, reports how well that chooses on the others, and writes what all of them give.
void fit_and_report(const std::vector<Tuning>& tunings, const TuneArgs& args, io::AtomicFile* file, std::ostream& out) {
  std::vector<CostSamples> all, known, held_out;
  for (size_t i = 0; i < tunings.size(); ++i) {
    CostSamples kernels;
    for (const KernelTime& time : tunings[i].kernels) {
      detail::CostInputs inputs = detail::cost_inputs(tunings[i].problem, time.kernel);
      kernels.push_back({std::move(inputs.key), std::move(inputs.terms), time.seconds * 1e9});
    }
    (i % 5 == 0 ? held_out : known).push_back(kernels);
    all.push_back(std::move(kernels));
  }
  const auto report = [&](const char* what, const auto& ratio, const auto& of) {
    std::vector<double> ratios;
    for (const auto& one : of) ratios.push_back(ratio(one));
    const auto well = std::ranges::count_if(ratios, [](double r) { return r <= drawn_within; });
    out << "  " << what << ": within 10 % of the best in "
        << show_fixed(100 * static_cast<double>(well) / static_cast<double>(ratios.size()), 1) << " % of " << ratios.size() << ", at worst "
        << show_fixed(std::ranges::max(ratios), 2) << " x\n";
  };
  const CostTable part = fit_costs(known), table = fit_costs(all);
  out << args.fitted << " problems drawn with seed " << args.seed << ", " << tunings.size() - args.fitted << " of the suite, "
      << tunings.front().target << ", " << table.size() << " fits\n";
  report("as it chooses now", [](const Tuning& tuning) { return tuning.ratio(); }, tunings);
  report("problems that were fitted", [&](const CostSamples& kernels) { return choice_ratio(table, kernels); }, all);
  report("a fifth of them, fitted to the others", [&](const CostSamples& kernels) { return choice_ratio(part, kernels); }, held_out);
  const std::string text = table_text(table);
  if (file == nullptr) {
    out << text;
    return;
  }
  file->write(text.data(), text.size());
  file->commit();
  out << "wrote " << args.table << "\n";
}

int tune_all(const TuneArgs& args, Console& console) {
  const ScopedTarget scope(args.target);
  const std::vector<Problem> problems = problems_of(args);
  const std::unique_ptr<Executor> executor = make_executor(args.threads);
  std::optional<io::AtomicFile> file;  // opened now, so that a wrong path is reported before minutes of measuring
  if (!args.table.empty()) file.emplace(args.table);
  std::vector<Tuning> tunings;
  {
    std::atomic<double> share{0};
    Progress progress("measuring", [&] { return share.load(); });
    const auto count = static_cast<double>(problems.size());
    for (const Problem& problem : problems) {
      progress.change("[" + std::to_string(tunings.size() + 1) + "/" + std::to_string(problems.size()) + "] " + to_string(problem));
      const auto finished = static_cast<double>(tunings.size());
      tunings.push_back(tune(problem, *executor, args.seconds, [&](double part) { share = (finished + part) / count; }));
      if (args.json || args.drawn > 0 || args.fitted > 0 || (!args.all && tunings.back().ratio() <= tuned_within)) continue;
      progress.wipe();
      print(tunings.back(), console.out);
    }
  }
  if (args.json) {
    console.out << json_of(tunings, args.threads).dump(2) << "\n";
    return exit_ok;
  }
  if (args.fitted > 0) {
    fit_and_report(tunings, args, file ? &*file : nullptr, console.out);
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
  CLI::Option* fitted =
      verb->add_option("--fit", args->fitted, "draw N random problems, and fit the coefficients that the planner estimates times with");
  fitted->check(whole_number_between(5, 1'000'000))->type_name("N")->excludes("problems")->excludes(drawn);
  verb->add_option("--table", args->table, "write the coefficients to this file [print them]")->type_name("FILE")->needs(fitted);
  verb->add_flag("--with-suite", args->with_suite, "fit to the benchmark's suite as well")->needs(fitted);
  CLI::Option* seed = verb->add_option("--seed", args->seed, "of the problems that are drawn [1]")->type_name("N");
  verb->add_flag("--all", args->all, "show the problems with a good choice too");
  verb->add_flag("--json", args->json, "answer in JSON");
  verb->footer(
      "Examples:\n"
      "  tidepool tune\n"
      "  tidepool tune \"max2d fwd f32 nchw 32x64x112x112 k3 s2 p1\" --all\n"
      "  tidepool tune --check 300 --target AVX2\n"
      "  tidepool tune --fit 3000 --target AVX2 --seconds 0.006 --table src/plan/costs/AVX2.inc\n"
      "  tidepool tune --json --threads 2 >tuning.json");
  verb->callback([args, seed, &chosen] {
    if (seed->count() > 0 && args->drawn + args->fitted == 0) throw CLI::RequiresError("--seed", "--check or --fit");
    chosen = [args](Console& console) { return tune_all(*args, console); };
  });
}

}  // namespace tidepool::cli
