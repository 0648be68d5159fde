#include "progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <new>
#include <system_error>
#include <utility>

namespace tidepool::cli {

namespace {

constexpr double first_on_terminal = 2, every_on_terminal = 1, first_in_log = 5, longest_in_log = 60;

std::atomic<bool> line_is_shown{false};

// A line that is wider than the terminal would wrap, and could not be erased.
size_t terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1u : 79u;
}

}  // namespace

std::string show_duration(double seconds) {
  if (seconds >= 99.0 * 24 * 3600) return "more than 99 days";
  const auto s = static_cast<long long>(seconds);
  const auto both = [](long long a, const char* unit, long long b, const char* smaller) {
    return std::to_string(a) + unit + (b == 0 ? "" : " " + std::to_string(b) + smaller);
  };
  if (s < 60) return std::to_string(s) + " s";
  if (s < 3600) return both(s / 60, " min", s % 60, " s");
  if (s < 48 * 3600) return both(s / 3600, " h", s / 60 % 60, " min");
  return std::to_string(s / 86400) + " days";
}

Progress::Progress(std::string what, std::function<double()> share)
    : what_(std::move(what)), share_(std::move(share)), terminal_(isatty(STDERR_FILENO) != 0) {
  try {
    watcher_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch): the work can be done without showing it
  }
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  changed_.notify_all();
  if (watcher_.joinable()) watcher_.join();
}

void Progress::change(std::string what) {
  const std::lock_guard lock(mutex_);
  what_ = std::move(what);
}

void Progress::wipe() {
  const std::lock_guard lock(mutex_);
  erase();
}

void Progress::erase() {
  if (line_is_shown.exchange(false)) std::fprintf(stderr, "\r\033[K");
}

std::string Progress::text(double seconds) const {
  std::string text = "tidepool: " + what_ + " ... " + show_duration(seconds);
  const double share = share_ ? std::min(share_(), 1.0) : 0;
  if (!(share > 0)) return text;
  return text + ", " + std::to_string(std::lround(std::floor(share * 100))) + " %, about " +
         show_duration(std::ceil(seconds / share - seconds)) + " left";
}

void Progress::watch() {
  using Seconds = std::chrono::duration<double>;
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  double next = terminal_ ? first_on_terminal : first_in_log;
  while (!changed_.wait_until(lock, start + std::chrono::duration_cast<std::chrono::steady_clock::duration>(Seconds(next)),
                              [this] { return done_; })) {
    const double seconds = Seconds(std::chrono::steady_clock::now() - start).count();
    std::string line;
    try {
      line = text(seconds);
    } catch (const std::bad_alloc&) {
      line.clear();  // the work can go on without it
    }
    if (terminal_) {
      std::fprintf(stderr, "\r%.*s\033[K", static_cast<int>(terminal_width()), line.c_str());
      line_is_shown = true;
      next = std::floor(seconds) + every_on_terminal;
    } else {
      if (!line.empty()) std::fprintf(stderr, "%s\n", line.c_str());
      next = seconds + std::min(std::max(next, first_in_log), longest_in_log);
    }
  }
  erase();
}

void leave_progress_line() noexcept {
  if (!line_is_shown) return;
  const ssize_t ignored = write(STDERR_FILENO, "\n", 1);
  (void)ignored;
}

}  // namespace tidepool::cli
