#include "support/counts.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <stdexcept>

namespace tidepool::test {

void Counts::add(const std::string& op, const std::string& dtype, const std::string& pass, bool match) {
  Count& count = counts_[{op, dtype, pass}];
  ++count.cases;
  if (!match) ++count.mismatches;
}

int64_t Counts::cases() const {
  int64_t sum = 0;
  for (const auto& [key, count] : counts_) sum += count.cases;
  return sum;
}

int64_t Counts::mismatches() const {
  int64_t sum = 0;
  for (const auto& [key, count] : counts_) sum += count.mismatches;
  return sum;
}

void Counts::print(const std::string& title, const std::string& unit) const {
  std::map<std::string, Count> by_op;
  for (const auto& [key, count] : counts_) {
    by_op[std::get<0>(key)].cases += count.cases;
    by_op[std::get<0>(key)].mismatches += count.mismatches;
  }
  for (const auto& [op, count] : by_op)
    std::cout << title << ' ' << op << ": " << count.cases << ' ' << unit << ", " << count.mismatches << " mismatches\n";
  std::cout << title << " total: " << cases() << ' ' << unit << ", " << mismatches() << " mismatches\n";
}

void Counts::write(const std::string& file) const {
  const char* folder = std::getenv("TIDEPOOL_COUNTS_DIR");
  if (folder == nullptr) return;
  std::ofstream out(std::string(folder) + "/" + file);
  const char* separator = "[\n";
  for (const auto& [key, count] : counts_) {
    const auto& [op, dtype, pass] = key;
    out << separator << R"(  {"source": ")" << source_ << R"(", "op": ")" << op << R"(", "dtype": ")" << dtype << R"(", "pass": ")" << pass
        << R"(", "cases": )" << count.cases << R"(, "mismatches": )" << count.mismatches << "}";
    separator = ",\n";
  }
  out << (counts_.empty() ? "[]\n" : "\n]\n");
  if (!out.flush()) throw std::runtime_error("cannot write " + file + " to TIDEPOOL_COUNTS_DIR");
}

}  // namespace tidepool::test
