// Every kernel that fits, on every problem of bench/shapes, one thread. Google Benchmark's own flags apply (--benchmark_filter=…).
#include <benchmark/benchmark.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <string>

#include "tidepool/tidepool.h"

namespace tidepool {
namespace {

Tensor make(const Dims& shape, DType dtype, const Problem& p) {
  return Tensor(shape, dtype, p.layout == Layout::channels_last ? MemoryFormat::channels_last : MemoryFormat::contiguous);
}

void pool(benchmark::State& state, const Problem& problem, const std::string& kernel) {
  const Geometry& g = problem.geometry;
  Tensor x = make(g.input_shape(), problem.dtype, problem), y = make(g.output_shape(), problem.dtype, problem), indices;
  fill_rand(x.span(), 1);
  RunArrays arrays{.input = x, .output = y.span()};
  if (problem.indices) {
    indices = make(g.output_shape(), index_dtype(*problem.indices, g, problem.nan), problem);
    arrays.indices_out = indices.span();
  }
  const Plan plan = make_plan(problem, kernel);
  for (auto _ : state) plan.run(arrays, serial_executor());
  state.SetBytesProcessed(state.iterations() * (g.input_numel() + g.output_numel()) * dtype_size(problem.dtype));
}

void register_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(' ') == std::string::npos) continue;
    const Problem problem = parse(line);
    std::set<std::string_view> seen;
    for (std::string_view kernel : kernel_names(problem))
      if (seen.insert(kernel).second && try_make_plan(problem, kernel))
        benchmark::RegisterBenchmark((to_string(problem) + " / " + std::string(kernel)).c_str(),
                                     [problem, name = std::string(kernel)](benchmark::State& s) { pool(s, problem, name); })
            ->UseRealTime()
            ->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace
}  // namespace tidepool

int main(int argc, char** argv) {
  try {
    for (const auto& entry : std::filesystem::directory_iterator(TIDEPOOL_SOURCE_DIR "/bench/shapes"))
      tidepool::register_file(entry.path());
  } catch (const std::exception& error) {
    std::cerr << "tidepool_bench: " << error.what() << "\n";
    return 2;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
}
