#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "run_tool.h"

namespace tidepool::cli {
namespace {

class Interrupt : public InFolder {};

TEST_F(Interrupt, EndsTheToolWithoutOutput) {
  for (int signal : {SIGINT, SIGTERM}) {
    const pid_t child = fork();
    if (child == 0) {
      std::signal(signal, SIG_DFL);
      if (std::freopen(path("out").c_str(), "w", stdout) == nullptr || std::freopen(path("err").c_str(), "w", stderr) == nullptr) _exit(99);
      execl(TIDEPOOL_CLI, "tidepool", "run", "max2d fwd f32 nchw 1x1x4x4 k2", "--seconds", "60", nullptr);
      _exit(99);
    }
    usleep(500'000);
    kill(child, signal);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 128 + signal);
    EXPECT_EQ(slurp(path("out")), "");
    EXPECT_EQ(slurp(path("err")), "");
  }
}

}  // namespace
}  // namespace tidepool::cli
