// How many comparisons a test made: a line per op for whoever watches, and rows for tables elsewhere.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace tidepool::test {

class Counts {
 public:
  // `source` is whom we compare with: "ONNX", "oracle".
  explicit Counts(std::string source) : source_(std::move(source)) {}

  void add(const std::string& op, const std::string& dtype, const std::string& pass, bool match);
  int64_t cases() const;
  int64_t mismatches() const;

  // "onnx MaxPool: 27 cases, 0 mismatches" for every op, then the total.
  void print(const std::string& title, const std::string& unit = "cases") const;
  // Rows {source, op, dtype, pass, cases, mismatches} into FILE of the folder that TIDEPOOL_COUNTS_DIR names; nothing without it.
  void write(const std::string& file) const;

 private:
  struct Count {
    int64_t cases = 0, mismatches = 0;
  };

  std::string source_;
  std::map<std::tuple<std::string, std::string, std::string>, Count> counts_;  // op, dtype, pass
};

}  // namespace tidepool::test
