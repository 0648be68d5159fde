// The benchmark's workloads, bench/suite.txt, as they were when this was built.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tidepool::cli {

struct Workload {
  std::string id;
  std::string problem;
};

// A line is an id and a problem; # starts a comment; {a,b} stands for a line with a and a line with b. Throws Error for a line without
// a problem.
std::vector<Workload> read_suite(std::string_view text);

std::string_view suite_text();

}  // namespace tidepool::cli
