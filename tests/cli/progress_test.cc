#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>

#include "run_tool.h"

namespace tidepool::cli {
namespace {

// A pseudo-terminal. Its buffer holds what a short command prints until the test reads it.
class Terminal {
 public:
  Terminal() : master_(posix_openpt(O_RDWR | O_NOCTTY)) {
    if (master_ < 0 || grantpt(master_) != 0 || unlockpt(master_) != 0) return;
    name_ = ptsname(master_);
    // Kept open, because the buffer is lost when the last writer closes the terminal.
    slave_ = open(name_.c_str(), O_RDWR | O_NOCTTY);
  }
  ~Terminal() {
    if (slave_ >= 0) close(slave_);
    if (master_ >= 0) close(master_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  bool is_open() const { return slave_ >= 0; }

  std::string run(const std::string& arguments) const {
    (void)std::system(("'" TIDEPOOL_CLI "' " + arguments + " >'" + name_ + "' 2>&1").c_str());
    std::string text;
    std::array<char, 4096> piece{};
    // Output arrives in pieces, the last one shortly after the command has ended.
    for (pollfd ready{.fd = master_, .events = POLLIN, .revents = 0}; poll(&ready, 1, 300) == 1;) {
      const ssize_t count = read(master_, piece.data(), piece.size());
      if (count <= 0) break;
      text.append(piece.data(), static_cast<size_t>(count));
    }
    return text;
  }

 private:
  int master_ = -1, slave_ = -1;
  std::string name_;
};

constexpr const char* problem = "run 'max2d fwd f32 nchw 1x3x16x16 k2' --threads 1 --seconds ";

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

}  // namespace
}  // namespace tidepool::cli
