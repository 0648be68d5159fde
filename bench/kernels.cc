// Measures every applicable kernel on every workload of bench/suite.txt, with one thread. Takes the flags of Google Benchmark, such as
// --benchmark_filter, and --target NAME, the instruction set.
#include <benchmark/benchmark.h>

#include <iostream>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "run_data.h"
#include "suite.h"
#include "tidepool/tidepool.h"

namespace tidepool {
namespace {

void pool(benchmark::State& state, const Problem& problem, const std::string& kernel) {
  const cli::RunData data = cli::make_run_data(problem, 1, serial_executor());
  const Plan plan = make_plan(problem, kernel);
  for (auto _ : state) plan.run(data.arrays, serial_executor());
  state.SetBytesProcessed(state.iterations() * (data.read_bytes + data.write_bytes));
}

void register_workload(const cli::Workload& workload) {
  const Problem problem = parse(workload.problem);
  std::set<std::string_view> seen;
  for (std::string_view kernel : kernel_names(problem))
    if (seen.insert(kernel).second && try_make_plan(problem, kernel))
      benchmark::RegisterBenchmark((workload.id + ": " + to_string(problem) + " / " + std::string(kernel)).c_str(),
                                   [problem, name = std::string(kernel)](benchmark::State& s) { pool(s, problem, name); })
          ->UseRealTime()
          ->Unit(benchmark::kMicrosecond);
}

// Removes --target NAME or --target=NAME from the arguments. Returns NAME, or "" for the best instruction set.
std::string take_target(int& argc, char** argv) {
  std::string name;
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word.starts_with("--target=")) {
      name = word.substr(9);
    } else if (word == "--target") {
      if (i + 1 == argc) throw Error(ErrorCode::invalid_argument, "--target takes the name of an instruction set");
      name = argv[++i];
    } else {
      argv[kept++] = argv[i];
    }
  }
  argc = kept;
  return name;
}

}  // namespace
}  // namespace tidepool

int main(int argc, char** argv) {
  std::optional<tidepool::ScopedTarget> target;
  try {
    target.emplace(tidepool::take_target(argc, argv));
    benchmark::AddCustomContext("target", tidepool::current_target());
    for (const tidepool::cli::Workload& workload : tidepool::cli::read_suite(tidepool::cli::suite_text()))
      tidepool::register_workload(workload);
  } catch (const std::exception& error) {
    std::cerr << "tidepool_bench: " << error.what() << "\n";
    return 2;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
