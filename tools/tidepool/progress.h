// Shows on standard error that long work goes on, how far it is and how long it will take.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace tidepool::cli {

// On a terminal, one line that appears after two seconds, changes every second and is erased in the destructor:
//   tidepool: checking ... 12 s, 34 %, about 23 s left
// Elsewhere, such as in a log, lines that come less and less often: after 5, 10, 20, 40 seconds, later once a minute.
class Progress {
 public:
  // `share` returns the finished part of the work, from 0 to 1. It is called from another thread. Without it, or while it returns 0, only
  // the elapsed time is shown.
  explicit Progress(std::string what, std::function<double()> share = {});
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void change(std::string what);
  // Erases the line, so that something else can be printed. It appears again with the next change.
  void wipe();

 private:
  void watch();
  std::string text(double seconds) const;
  void erase();

  std::string what_;
  std::function<double()> share_;
  bool terminal_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread watcher_;
};

// "34 s", "5 min 20 s", "3 h 20 min", "4 days".
std::string show_duration(double seconds);

// Moves behind a line that is shown, so that the shell's prompt does not follow it. Safe to call in a signal handler.
void leave_progress_line() noexcept;

}  // namespace tidepool::cli
