#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace tidepool::test {

struct Use {
  const char* name;
  std::function<void()> run;
  bool library_leaks = false;  // a library that we use loses memory when an allocation of its own fails
};

// Every allocation of each use fails in turn, each time on a new thread, whose caches are empty. The use must end with an error that says
// so, leave nothing behind, and succeed once memory is there. Returns how many failures there were.
int64_t fail_every_allocation(const std::vector<Use>& uses);

}  // namespace tidepool::test
