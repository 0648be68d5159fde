// The workloads of the benchmark, compiled in from bench/suite.txt.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tidepool::cli {

struct Workload {
  std::string id;
  std::string problem;
};

// A line has an id and a problem. # starts a comment. A line with {a,b} is read as two lines, one with a and one with b. Throws Error for a
// line without a problem.
std::vector<Workload> read_suite(std::string_view text);

std::string_view suite_text();

}  // namespace tidepool::cli
