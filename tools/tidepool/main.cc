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
#include "progress.h"
#include "tidepool/io/atomic_file.h"

namespace {

// Only async-signal-safe calls are allowed here.
extern "C" void remove_files_and_exit(int signal) {
  tidepool::io::remove_unfinished_files();
  tidepool::cli::leave_progress_line();
  _exit(128 + signal);
}

// If a standard stream is closed, the next file that is opened would get its number, and output meant for the stream would go into the
// file.
void occupy_standard_streams() {
  for (int fd = 0; fd <= 2; ++fd) {
    if (fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
    if (open("/dev/null", fd == 0 ? O_RDONLY : O_WRONLY) != fd) _exit(tidepool::cli::exit_io);
  }
}

void install_signals() {
  struct sigaction exit_action{};
  exit_action.sa_handler = remove_files_and_exit;
  sigemptyset(&exit_action.sa_mask);
  for (int signal : std::array{SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction old{};
    // A parent such as nohup can have set the signal to be ignored; keep that.
    if (sigaction(signal, nullptr, &old) == 0 && old.sa_handler == SIG_IGN) continue;
    sigaction(signal, &exit_action, nullptr);
  }
  // Writing reports these as errors, so that temporary files are removed.
  for (int signal : std::array{SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
}

bool supports_colour() {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  return (no_colour == nullptr || *no_colour == '\0') && term != nullptr && std::string_view(term) != "dumb";
}

// Whether the reader of a pipe has closed it. errno is of no use here, because the write can have failed long before.
bool reader_left() {
  pollfd out{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  return poll(&out, 1, 0) == 1 && (out.revents & (POLLERR | POLLHUP)) != 0;
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_streams();
  install_signals();
  const bool terminal = isatty(STDOUT_FILENO) != 0;
  tidepool::cli::Console console{.out = std::cout, .err = std::cerr, .colour = terminal && supports_colour(), .live = terminal};
  const int code = tidepool::cli::run_cli(argc, argv, console);

  std::cout.flush();
  // A reader that stops early, such as head or less, is not an error; a full disk is.
  if (!std::cout.good() && !reader_left()) {
    std::cerr << "tidepool: cannot write to standard output\n";
    return tidepool::cli::exit_io;
  }
  return code;
}
