#include <atomic>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "app.h"
#include "check.h"
#include "counting_executor.h"
#include "number_options.h"
#include "progress.h"
#include "run_data.h"
#include "tidepool/runtime.h"
#include "timing.h"

namespace tidepool::cli {

namespace {

struct RunArgs {
  std::string problem, target, kernel;
  bool check = false, json = false;
  int threads = 0;
  double seconds = 1;
  uint64_t seed = 0;
};

Verdict check_run(const Plan& plan, const RunData& data, Executor& executor) {
  {
    CountingExecutor counting(executor);
    const Progress progress("running", [&] { return counting.share(); });
    plan.run(data.arrays, counting);
  }
  std::atomic<int64_t> done{0};
  const auto total = static_cast<double>(plan.problem().geometry.output_numel());
  const Progress progress("checking against plain loops", [&] { return static_cast<double>(done) / total; });
  return check_arrays(plan.problem(), data.arrays, &done);
}

Timings measure(const Plan& plan, RunData& data, Executor& executor, double seconds) {
  std::atomic<double> share{0};
  const Progress progress("measuring", [&] { return share.load(); });
  const std::function<void()> jobs[] = {[&] { plan.run(data.arrays, executor); }, [&] { stream_limit(data, executor); }};
  return take_turns(jobs, seconds, [&](double part) { share = part; });
}

int report_fault(const Plan& plan, const RunArgs& args, const Fault& fault, Console& console) {
  const reference::Mismatch& m = fault.mismatch;
  if (args.json) {
    console.out
        << nlohmann::json{{"problem", to_string(plan.problem())},
                          {"seed", args.seed},
                          {"kernel", plan.kernel()},
                          {"target", plan.target()},
                          {"check", "mismatch"},
                          {"mismatch",
                           {{"array", fault.array}, {"count", m.count}, {"at", fault.place}, {"got", m.got}, {"expected", m.expected}}}}
               .dump(2)
        << "\n";
  } else {
    console.out << to_string(plan.problem()) << "\n"
                << "  check    mismatch in " << fault.array << " at (" << fault.place << "): got " << m.got << ", expected " << m.expected
                << "; " << m.count << " differ\n"
                << "  kernel   " << plan.kernel() << " on " << plan.target() << ", seed " << args.seed << "\n";
  }
  return exit_mismatch;
}

void report_times(const Plan& plan, const RunArgs& args, const RunData& data, const std::optional<Verdict>& verdict, const Timings& timings,
                  int threads, Console& console) {
  const double bytes = static_cast<double>(data.read_bytes + data.write_bytes);
  const double ours = timings.best[0], limit = timings.best[1];
  const double speed = ours > 0 ? bytes / ours / 1e9 : 0, share = ours > 0 ? limit / ours : 0;
  if (args.json) {
    nlohmann::json json{{"problem", to_string(plan.problem())},
                        {"seed", args.seed},
                        {"kernel", plan.kernel()},
                        {"target", plan.target()},
                        {"threads", threads},
                        {"seconds", ours},
                        {"limit_seconds", limit},
                        {"rounds", timings.rounds},
                        {"read_bytes", data.read_bytes},
                        {"written_bytes", data.write_bytes},
                        {"gb_per_s", speed},
                        {"limit_share", share}};
    json["check"] = verdict ? nlohmann::json("match") : nlohmann::json();
    if (verdict) json["exact"] = verdict->exact;
    console.out << json.dump(2) << "\n";
    return;
  }
  console.out << to_string(plan.problem()) << "\n";
  if (verdict)
    console.out << "  check    match, " << data.arrays.output.numel() << " values "
                << (verdict->exact ? "bit for bit\n" : "within rounding\n");
  console.out << "  kernel   " << plan.kernel() << " on " << plan.target() << ", " << threads << (threads == 1 ? " thread\n" : " threads\n")
              << "  time     " << show_seconds(ours) << ", best of " << timings.rounds << "\n"
              << "  speed    " << show_fixed(speed, 2) << " GB/s, " << show_bytes(static_cast<double>(data.read_bytes)) << " read and "
              << show_bytes(static_cast<double>(data.write_bytes)) << " written\n"
              << "  limit    " << show_seconds(limit) << " to stream the same bytes\n"
              << "  share    " << show_fixed(share, 2) << " of the memory limit\n";
}

int run(const RunArgs& args, Console& console) {
  const ScopedTarget scope(args.target);
  const Plan plan = make_plan(parse(args.problem), args.kernel);
  std::unique_ptr<Executor> own;
  if (args.threads != 0) own = make_executor(args.threads);
  Executor& executor = own ? *own : default_executor();

  std::optional<RunData> data;
  {
    const Progress progress("filling the arrays");
    data = make_run_data(plan.problem(), args.seed, executor);
  }
  std::optional<Verdict> verdict;
  if (args.check) verdict = check_run(plan, *data, executor);
  if (verdict && verdict->fault) return report_fault(plan, args, *verdict->fault, console);
  const Timings timings = measure(plan, *data, executor, args.seconds);
  report_times(plan, args, *data, verdict, timings, executor.concurrency(), console);
  return exit_ok;
}

}  // namespace

void add_run(CLI::App& app, Action& chosen) {
  auto args = std::make_shared<RunArgs>();
  CLI::App* verb = app.add_subcommand("run", "run a problem on random data, check it, measure it");
  verb->add_option("problem", args->problem, "the problem, one line of text in quotes")->required();
  verb->add_flag("--check", args->check, "compare with plain loops, bit for bit, norms within rounding; exit code 1 if they differ");
  add_threads(*verb, args->threads, "threads [all cores]");
  verb->add_option("--target", args->target, "instruction set, as `tidepool list` names it [best]")->type_name("NAME");
  verb->add_option("--kernel", args->kernel, "force a kernel by name [the planner's choice]")->type_name("NAME");
  add_seconds(*verb, args->seconds, "how long to measure [1]");
  verb->add_option("--seed", args->seed, "of the random data [0]")->check(whole_number_between(0, UINT64_MAX))->type_name("N");
  verb->add_flag("--json", args->json, "answer in JSON");
  verb->footer(
      "The memory limit is the time to read and write the same bytes once with the same\n"
      "threads, measured in turns with the problem.\n\n"
      "Examples:\n"
      "  tidepool run \"max2d fwd f32 nchw 8x64x112x112 k3 s2 p1\" --check --threads 1\n"
      "  tidepool run \"max2d bwd f32 nhwc 8x64x56x56 k2 idx=window\" --json\n"
      "  tidepool run \"lp2d bwd2x f32 nchw 8x16x64x64 k3 p=2\" --check");
  verb->callback([args, &chosen] { chosen = [args](Console& console) { return run(*args, console); }; });
}

}  // namespace tidepool::cli
