// A line on the terminal that shows the elapsed time of long work.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace tidepool::cli {

// After two seconds it prints "tidepool: <what> ... 3 s" to standard error, updates it every second and erases it in the destructor. It
// prints nothing if standard error is not a terminal. Destroy it before printing anything else.
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
