#include "train/progress_bar.h"

namespace tidepool::cli {

std::string ProgressBar::line(const std::string& what, int64_t done, int64_t all, const std::string& note) {
  constexpr int64_t length = 24;
  const int64_t filled = all > 0 ? done * length / all : length;
  std::string bar(static_cast<size_t>(filled), '=');
  if (filled < length) bar += '>';
  bar.resize(static_cast<size_t>(length), ' ');
  return what + " [" + bar + "] " + std::to_string(done) + "/" + std::to_string(all) + "  " + note;
}

void ProgressBar::show(const std::string& what, int64_t done, int64_t all, const std::string& note) {
  const auto now = Clock::now();
  if (!live_ || (shown_ && now - last_ < std::chrono::milliseconds(100))) return;
  out_ << "\r\033[K" << line(what, done, all, note) << std::flush;
  shown_ = true;
  last_ = now;
}

void ProgressBar::erase() {
  if (shown_) out_ << "\r\033[K" << std::flush;
  shown_ = false;
}

}  // namespace tidepool::cli
