// A line on the terminal for work that takes longer than a person waits without asking.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace tidepool::cli {

// From two seconds on, "tidepool: <what> … 3 s" on standard error, rewritten every second and wiped at the end. Silent elsewhere.
// Let it end before anything else is printed.
class Progress {
 public:
  explicit Progress(std::string what);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  void watch();

  std::string what_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread watcher_;
};

}  // namespace tidepool::cli
