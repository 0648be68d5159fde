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

void Counts::add_refusal(const std::string& op, const std::string& dtype, const std::string& pass) {
  ++counts_[{op, dtype, pass}].refusals;
}

int64_t Counts::sum(int64_t Count::* field) const {
  int64_t sum = 0;
  for (const auto& [key, count] : counts_) sum += count.*field;
  return sum;
}

int64_t Counts::cases() const { return sum(&Count::cases); }
int64_t Counts::mismatches() const { return sum(&Count::mismatches); }
int64_t Counts::refusals() const { return sum(&Count::refusals); }

void Counts::print(const std::string& title, const std::string& unit) const {
  std::map<std::string, Count> by_op;
  for (const auto& [key, count] : counts_) {
    by_op[std::get<0>(key)].cases += count.cases;
    by_op[std::get<0>(key)].mismatches += count.mismatches;
  }
  for (const auto& [op, count] : by_op)
    std::cout << title << ' ' << op << ": " << count.cases << ' ' << unit << ", " << count.mismatches << " mismatches\n";
  std::cout << title << " total: " << cases() << ' ' << unit << ", " << mismatches() << " mismatches\n";
  if (refusals() > 0 || invalid_ > 0)
    std::cout << title << " not compared: " << refusals() << " pairs of problem and kernel that does not fit, " << invalid_
              << " invalid problems\n";
}

void Counts::write(const std::string& file) const {
  const char* folder = std::getenv("TIDEPOOL_COUNTS_DIR");
  if (folder == nullptr) return;
  std::ofstream out(std::string(folder) + "/" + file);
  const char* separator = "[\n";
  for (const auto& [key, count] : counts_) {
    const auto& [op, dtype, pass] = key;
    out << separator << R"(  {"source": ")" << source_ << R"(", "op": ")" << op << R"(", "dtype": ")" << dtype << R"(", "pass": ")" << pass
        << R"(", "cases": )" << count.cases << R"(, "mismatches": )" << count.mismatches << R"(, "refusals": )" << count.refusals << "}";
    separator = ",\n";
  }
  out << separator << R"(  {"source": ")" << source_
      << R"(", "op": "", "dtype": "", "pass": "", "cases": 0, "mismatches": 0, "refusals": 0, "invalid": )" << invalid_ << "}\n]\n";
  if (!out.flush()) throw std::runtime_error("cannot write " + file + " to TIDEPOOL_COUNTS_DIR");
}

}  // namespace tidepool::test
