// A call of one library, prepared once for the arrays of a case and then run repeatedly.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "case.h"

namespace tidepool::bench {

class Job {
 public:
  virtual ~Job() = default;
  virtual void run() = 0;
};

// Thrown if a library cannot compute a case. The text gives the reason for the report.
class Cannot : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// All can throw Cannot. The case must outlive the job. Every library writes its result to the output array of the case.
std::unique_ptr<Job> make_ours(Case& c);
std::unique_ptr<Job> make_unchecked(Case& c);  // ours without the check of the indices that it reads
std::unique_ptr<Job> make_one_shot(Case& c);   // the function without a plan, including its allocations
std::unique_ptr<Job> make_limit(Case& c);      // reads and writes the same bytes once
std::unique_ptr<Job> make_onednn(Case& c);
std::unique_ptr<Job> make_xnnpack(Case& c);

// Empty if the build does not include the library.
std::string onednn_version();
std::string xnnpack_version();

}  // namespace tidepool::bench
