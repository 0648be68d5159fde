#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "app.h"
#include "tidepool/io/atomic_file.h"

namespace {

// Only calls that are safe inside a signal handler.
extern "C" void clean_up_and_leave(int signal) {
  tidepool::io::remove_unfinished_files();
  _exit(128 + signal);
}

// With a standard stream closed, the next file opened would take its number and receive our prints.
void occupy_standard_streams() {
  for (int fd = 0; fd <= 2; ++fd) {
    if (fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
    if (open("/dev/null", fd == 0 ? O_RDONLY : O_WRONLY) != fd) _exit(tidepool::cli::exit_io);
  }
}

void install_signals() {
  struct sigaction leave{};
  leave.sa_handler = clean_up_and_leave;
  sigemptyset(&leave.sa_mask);
  for (int signal : std::array{SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction old{};
    // nohup and background jobs ignore some of these on purpose.
    if (sigaction(signal, nullptr, &old) == 0 && old.sa_handler == SIG_IGN) continue;
    sigaction(signal, &leave, nullptr);
  }
  std::signal(SIGPIPE, SIG_IGN);
}

bool takes_colour() {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return (no_colour == nullptr || *no_colour == '\0') && term != nullptr && std::string_view(term) != "dumb";
}

// The failed write may lie far back, so errno is no witness; the pipe itself still is.
bool reader_left() {
  pollfd out{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  return poll(&out, 1, 0) == 1 && (out.revents & (POLLERR | POLLHUP)) != 0;
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_streams();
  install_signals();
  const bool terminal = isatty(STDOUT_FILENO) != 0;
  tidepool::cli::Console console{.out = std::cout, .colour = terminal && takes_colour(), .live = terminal};
  const int code = tidepool::cli::run_cli(argc, argv, console, std::cerr);

  std::cout.flush();
  // A reader that has seen enough (head, less) is no failure; a full disk is.
  if (!std::cout.good() && !reader_left()) {
    std::cerr << "tidepool: cannot write to standard output\n";
    return tidepool::cli::exit_io;
  }
  return code;
}
