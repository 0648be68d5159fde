// Signals that interrupt the reading of pipes, whose writer takes its time.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "open_input.h"
#include "support/in_folder.h"
#include "support/signal_storm.h"
#include "tidepool/creation.h"
#include "tidepool/functional.h"
#include "tidepool/io/atomic_file.h"
#include "tidepool/io/npy.h"

namespace tidepool::cli {
namespace {

using std::chrono::milliseconds;

class Signals : public test::InFolder {
 protected:
  Signals() {
    io::AtomicFile file(path("x.npy"));
    io::write_npy(file, x_);
    file.commit();
  }

  // Writes the array in ten pieces, on a thread that gets no signals: they interrupt the thread that reads.
  template <class Open>
  std::thread slow_writer(const Open& open_end) const {
    return std::thread([bytes = test::slurp(path("x.npy")), open_end] {
      sigset_t all;
      sigfillset(&all);
      pthread_sigmask(SIG_BLOCK, &all, nullptr);
      std::this_thread::sleep_for(milliseconds(20));
      const int fd = open_end();
      const size_t piece = bytes.size() / 10 + 1;
      for (size_t at = 0; at < bytes.size(); at += piece) {
        const size_t count = std::min(piece, bytes.size() - at);
        if (write(fd, bytes.data() + at, count) != static_cast<ssize_t>(count)) std::abort();
        std::this_thread::sleep_for(milliseconds(5));
      }
      close(fd);
    });
  }

  const Tensor x_ = randn({4, 1000}, 2);
};

TEST_F(Signals, InterruptAFifoWithoutEffect) {
  const std::string fifo = path("fifo");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  std::thread writer = slow_writer([fifo] { return open(fifo.c_str(), O_RDWR); });  // which waits for no reader
  const test::SignalStorm storm;
  try {
    EXPECT_TRUE(equal(io::read_npy(*open_input(parse_file_name(fifo))), x_));
  } catch (const Error& error) {
    ADD_FAILURE() << error.message();
  }
  EXPECT_GT(storm.interrupted(), 20);
  writer.join();
}

TEST_F(Signals, InterruptStandardInputWithoutEffect) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const int before = dup(STDIN_FILENO);
  dup2(ends[0], STDIN_FILENO);
  close(ends[0]);
  std::thread writer = slow_writer([end = ends[1]] { return end; });
  const test::SignalStorm storm;
  EXPECT_TRUE(equal(io::read_npy(*open_input(parse_file_name("-"))), x_));
  EXPECT_GT(storm.interrupted(), 20);
  writer.join();
  dup2(before, STDIN_FILENO);
  close(before);
}

}  // namespace
}  // namespace tidepool::cli
