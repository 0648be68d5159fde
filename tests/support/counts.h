// How many comparisons a test made, and how many problems and kernels it could not compare.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace tidepool::test {

class Counts {
 public:
  // `source` names what the results are compared with: "ONNX", "reference".
  explicit Counts(std::string source) : source_(std::move(source)) {}

  void add(const std::string& op, const std::string& dtype, const std::string& pass, bool match);
  // A kernel that does not fit a problem: nothing was compared.
  void add_refusal(const std::string& op, const std::string& dtype, const std::string& pass);
  // A problem that was drawn or written down and is not valid.
  void add_invalid(int64_t problems = 1) { invalid_ += problems; }
  int64_t cases() const;
  int64_t mismatches() const;
  int64_t refusals() const;
  int64_t invalid() const { return invalid_; }

  // "onnx MaxPool: 27 cases, 0 mismatches" for every op, then the total.
  void print(const std::string& title, const std::string& unit = "cases") const;
  // Writes rows {source, op, dtype, pass, cases, mismatches, refusals} into FILE of the folder that TIDEPOOL_COUNTS_DIR names. The last row
  // has no op and the number of invalid problems. Does nothing without that variable.
  void write(const std::string& file) const;

 private:
  struct Count {
    int64_t cases = 0, mismatches = 0, refusals = 0;
  };

  int64_t sum(int64_t Count::* field) const;

  std::string source_;
  int64_t invalid_ = 0;
  std::map<std::tuple<std::string, std::string, std::string>, Count> counts_;  // op, dtype, pass
};

}  // namespace tidepool::test
