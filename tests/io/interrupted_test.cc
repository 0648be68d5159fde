// Calls of the operating system that a signal interrupts. They fail with EINTR if the program's handler was installed without SA_RESTART.
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "core/portable.h"
#include "support/in_folder.h"
#include "tidepool/creation.h"
#include "tidepool/io/atomic_file.h"
#include "tidepool/io/input_file.h"
#include "tidepool/io/io_error.h"

#if TIDEPOOL_POSIX && defined(__linux__)

namespace {

// How many of the next calls a signal interrupts, and how many calls there were.
int interrupted_flushes = 0, interrupted_opens = 0, interrupted_closes = 0, flushes = 0;

bool interrupt(int& left) {
  if (left == 0) return false;
  --left;
  errno = EINTR;
  return true;
}

}  // namespace

// In front of the functions of the C library.
extern "C" int fsync(int fd) {
  ++flushes;
  return interrupt(interrupted_flushes) ? -1 : static_cast<int>(syscall(SYS_fsync, fd));
}
extern "C" int open(const char* path, int flags, ...) {
  return interrupt(interrupted_opens) ? -1 : static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, 0666));
}
// Linux closes the file although the call was interrupted.
extern "C" int close(int fd) {
  const auto result = static_cast<int>(syscall(SYS_close, fd));
  return interrupt(interrupted_closes) ? -1 : result;
}

namespace tidepool::io {
namespace {

class InterruptedFiles : public test::InFolder {
 protected:
  ~InterruptedFiles() override { interrupted_flushes = interrupted_opens = interrupted_closes = 0; }
};

TEST_F(InterruptedFiles, AreWritten) {
  AtomicFile file(path("a"));
  file.write("hello", 5);
  interrupted_flushes = 3;
  flushes = 0;
  file.commit();
  EXPECT_EQ(flushes, 4);
  EXPECT_EQ(test::slurp(path("a")), "hello");
  EXPECT_EQ(files(), std::set<std::string>{"a"});
}

TEST_F(InterruptedFiles, AreMadeAndOpened) {
  {
    interrupted_opens = 3;
    AtomicFile file(path("a"));
    file.write("hello", 5);
    file.commit();
    EXPECT_EQ(interrupted_opens, 0);
  }
  interrupted_opens = 3;
  EXPECT_EQ(InputFile(path("a")).text(5, 0), "hello");
  EXPECT_EQ(interrupted_opens, 0);
}

// A second close could close a file that another thread has opened in between.
TEST_F(InterruptedFiles, AreClosedOnce) {
  AtomicFile file(path("a"));
  file.write("hello", 5);
  interrupted_closes = 1;
  file.commit();
  EXPECT_EQ(interrupted_closes, 0);
  EXPECT_EQ(test::slurp(path("a")), "hello");
}

}  // namespace
}  // namespace tidepool::io

#endif
