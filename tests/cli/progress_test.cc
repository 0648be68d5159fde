#include "progress.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <new>
#include <thread>

#include "counting_executor.h"
#include "run_tool.h"
#include "terminal.h"

namespace tidepool::cli {
namespace {

constexpr const char* problem = "run 'max2d fwd f32 nchw 1x3x16x16 k2' --threads 1 --seconds ";
// Windows of 4,000,000 elements: minutes of plain loops.
constexpr const char* large_windows = "max2d fwd f32 nchw 1x1x2200x2200 k2000 s1";

TEST(Progress, IsShownAfterTwoSecondsAndErasedBeforeTheResult) {
  const Terminal terminal;
  if (!terminal.is_open()) GTEST_SKIP() << "no terminals here";
  const std::string text = terminal.run(problem + std::string("2.3"));
  const size_t shown = text.find("\rtidepool: measuring ... 2 s"), wiped = text.find("\r\033[K"), answer = text.find("max2d fwd");
  ASSERT_NE(shown, std::string::npos) << text;
  ASSERT_NE(wiped, std::string::npos) << text;
  ASSERT_NE(answer, std::string::npos) << text;
  EXPECT_LT(shown, wiped);
  EXPECT_LT(wiped, answer);
}

TEST(Progress, IsSilentForShortWork) {
  const Terminal terminal;
  if (!terminal.is_open()) GTEST_SKIP() << "no terminals here";
  EXPECT_EQ(terminal.run(problem + std::string("0.1")).find("measuring"), std::string::npos);
}

// Waits until `done`, at most a minute: the machine may be busy.
bool wait_for(const std::function<bool()>& done) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (std::chrono::steady_clock::now() < end) {
    if (done()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

TEST(Progress, AnEstimateIsShownWhileLargeWindowsAreChecked) {
  const Terminal terminal;
  if (!terminal.is_open()) GTEST_SKIP() << "no terminals here";
  Child child({"run", large_windows, "--check", "--threads", "1"}, terminal.slave(), terminal.slave());
  std::string text;
  EXPECT_TRUE(wait_for([&] { return (text += terminal.shown()).find(" left") != std::string::npos; })) << text;
  EXPECT_NE(text.find("\rtidepool: checking against plain loops ... "), std::string::npos) << text;
  EXPECT_NE(text.find(" %, about "), std::string::npos) << text;
  // Ctrl-C ends it at once, and the prompt does not follow the line.
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(child.interrupt(), 128 + SIGINT);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
  text += terminal.shown();
  EXPECT_TRUE(text.ends_with("\n")) << text;
}

class ProgressInLogs : public InFolder {};

TEST_F(ProgressInLogs, AreLinesWithoutControlCharacters) {
  const int log = open(path("log").c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_GE(log, 0);
  {
    Child child({"run", large_windows, "--check", "--threads", "1"}, log, log);
    EXPECT_TRUE(wait_for([&] { return slurp(path("log")).find('\n') != std::string::npos; }));
    EXPECT_EQ(child.interrupt(), 128 + SIGINT);
  }
  close(log);
  const std::string text = slurp(path("log"));
  EXPECT_TRUE(text.starts_with("tidepool: ")) << text;
  EXPECT_NE(text.find(" s"), std::string::npos) << text;
  EXPECT_EQ(text.find_first_of("\r\033"), std::string::npos) << text;
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 5) << text;
}

// The first line of a log comes after 5 s. Without memory for it the work goes on.
TEST(Progress, LackOfMemoryLeavesLinesOut) {
  std::atomic<int> asked = 0;
  const Progress progress("working", [&]() -> double {
    ++asked;
    throw std::bad_alloc();
  });
  EXPECT_TRUE(wait_for([&] { return asked > 0; }));
}

TEST(ShowDuration, UsesTwoUnits) {
  EXPECT_EQ(show_duration(0), "0 s");
  EXPECT_EQ(show_duration(59.9), "59 s");
  EXPECT_EQ(show_duration(60), "1 min");
  EXPECT_EQ(show_duration(61), "1 min 1 s");
  EXPECT_EQ(show_duration(3599), "59 min 59 s");
  EXPECT_EQ(show_duration(3600), "1 h");
  EXPECT_EQ(show_duration(3660), "1 h 1 min");
  EXPECT_EQ(show_duration(48 * 3600), "2 days");
  EXPECT_EQ(show_duration(1e300), "more than 99 days");
}

// Every element of the range is covered once, and the share ends at 1.
TEST(CountingExecutors, CoverTheRangeAndCount) {
  for (int64_t n : {1, 7, 999, 5000, 12345})
    for (int64_t grain : {1, 8, 100}) {
      CountingExecutor counting(serial_executor());
      EXPECT_EQ(counting.share(), 0);
      std::vector<int> seen(static_cast<size_t>(n));
      std::vector<double> shares;
      counting.parallel_for(n, grain, [&](int64_t begin, int64_t end) {
        EXPECT_TRUE(end - begin >= grain || end == n) << begin << " " << end;
        for (int64_t i = begin; i < end; ++i) ++seen[static_cast<size_t>(i)];
        shares.push_back(counting.share());
      });
      EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), n);
      EXPECT_EQ(counting.share(), 1);
      EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
      if (n >= 5000) {
        EXPECT_GE(shares.size(), 40u);
      }
    }
}

}  // namespace
}  // namespace tidepool::cli
