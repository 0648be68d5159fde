// A contender: prepared once on the arrays of a case, then run again and again.
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

// What a rival has no way to compute; the text says why, for the table.
class Cannot : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// All throw Cannot. The case outlives the job; a rival leaves its result where ours would be.
std::unique_ptr<Job> make_ours(Case& c);
std::unique_ptr<Job> make_one_shot(Case& c);  // the function call with everything it allocates
std::unique_ptr<Job> make_limit(Case& c);     // reads and writes the same bytes once
std::unique_ptr<Job> make_onednn(Case& c);
std::unique_ptr<Job> make_xnnpack(Case& c);

// "" when this build has it not.
std::string onednn_version();
std::string xnnpack_version();

}  // namespace tidepool::bench
