#include "tidepool/io/atomic_file.h"

#include <csignal>

#include "run_tool.h"
#include "tidepool/io/io_error.h"

namespace tidepool::cli {
namespace {

class AtomicFiles : public InFolder {};

TEST_F(AtomicFiles, AppearOnCommitOnly) {
  {
    io::AtomicFile file(path("a"));
    file.write("hello", 5);
    EXPECT_FALSE(std::filesystem::exists(path("a")));
    EXPECT_EQ(files().size(), 1u);
    file.commit();
  }
  EXPECT_EQ(slurp(path("a")), "hello");
  EXPECT_EQ(files(), std::set<std::string>{"a"});
}

TEST_F(AtomicFiles, VanishWithoutCommit) {
  spill(path("a"), "old");
  {
    io::AtomicFile file(path("a"));
    file.write("new", 3);
  }
  EXPECT_EQ(slurp(path("a")), "old");
  EXPECT_EQ(files(), std::set<std::string>{"a"});
}

TEST_F(AtomicFiles, KeepThePermissionsOfWhatTheyReplace) {
  spill(path("a"), "old");
  std::filesystem::permissions(path("a"), std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  io::AtomicFile file(path("a"));
  file.commit();
  EXPECT_EQ(std::filesystem::status(path("a")).permissions(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(AtomicFiles, RefuseFoldersAndDevices) {
  EXPECT_THROW(io::AtomicFile{folder_.string()}, io::IoError);
  EXPECT_THROW(io::AtomicFile{"/dev/null"}, io::IoError);
  EXPECT_THROW(io::AtomicFile{path("none/a")}, io::IoError);
}

TEST_F(AtomicFiles, SignalHandlersCanRemoveThem) {
  io::AtomicFile a(path("a")), b(path("b"));
  EXPECT_EQ(files().size(), 2u);
  io::remove_unfinished_files();
  EXPECT_EQ(files().size(), 0u);
}

TEST_F(AtomicFiles, InterruptEndsTheToolQuietly) {
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
