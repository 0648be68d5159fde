#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "run_tool.h"
#include "terminal.h"

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

TEST_F(Interrupt, EndsEveryLongVerbAndLeavesNoFile) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  const int silent = open("/dev/null", O_RDWR);
  const std::vector<std::vector<std::string>> commands = {
      {"tune"},
      {"tune", "max2d fwd f32 nchw 1x64x112x112 k3 s2 p1", "--seconds", "60", "--json"},
      {"run", "avg2d fwd f32 nchw 1x1x2000x2000 k1500 s1 d1", "--check"},
      {"tour"},
      {"pool", "max", "-k", "2", path("pipe"), "-o", path("out.npy")},  // nobody writes into the pipe
  };
  for (const auto& command : commands) {
    Child child(command, silent, silent);
    usleep(700'000);
    EXPECT_EQ(child.interrupt(), 128 + SIGINT) << command[0];
  }
  close(silent);
  EXPECT_FALSE(std::filesystem::exists(path("out.npy")));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_))
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
}

}  // namespace
}  // namespace tidepool::cli
