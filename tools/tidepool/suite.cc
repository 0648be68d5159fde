#include "suite.h"

#include <sstream>

#include "tidepool/error.h"

namespace tidepool::cli {

namespace {

// Expands the first {a,b} and calls itself for the others, so that the first braces change slowest.
void expand(const std::string& id, const std::string& text, std::vector<Workload>& workloads) {
  const size_t open = text.find('{'), close = text.find('}', open);
  if (open == std::string::npos || close == std::string::npos) {
    workloads.push_back({id, text});
    return;
  }
  std::istringstream words(text.substr(open + 1, close - open - 1));
  for (std::string word; std::getline(words, word, ',');) expand(id, text.substr(0, open) + word + text.substr(close + 1), workloads);
}

}  // namespace

std::vector<Workload> read_suite(std::string_view text) {
  std::vector<Workload> workloads;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string id, problem;
    if (!(words >> id)) continue;
    for (std::string word; words >> word;) problem += (problem.empty() ? "" : " ") + word;
    if (problem.empty()) throw Error(ErrorCode::parse, "suite: an id and a problem, got \"" + line + "\"");
    expand(id, problem, workloads);
  }
  return workloads;
}

}  // namespace tidepool::cli
