// A pseudo-terminal, to see what the command line shows to a person.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>
#include <vector>

namespace tidepool::cli {

// Its buffer holds what a short command prints until the test reads it.
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
    return shown();
  }

  // What was printed since the last call. Output arrives in pieces, the last one shortly after the command has ended.
  std::string shown() const {
    std::string text;
    std::array<char, 4096> piece{};
    for (pollfd ready{.fd = master_, .events = POLLIN, .revents = 0}; poll(&ready, 1, 300) == 1;) {
      const ssize_t count = read(master_, piece.data(), piece.size());
      if (count <= 0) break;
      text.append(piece.data(), static_cast<size_t>(count));
    }
    return text;
  }

  int slave() const { return slave_; }

 private:
  int master_ = -1, slave_ = -1;
  std::string name_;
};

// The command line as a child process whose streams are `out` and `err`.
class Child {
 public:
  Child(std::vector<std::string> arguments, int out, int err) : pid_(fork()) {
    if (pid_ != 0) return;
    std::signal(SIGINT, SIG_DFL);
    std::vector<char*> argv{const_cast<char*>("tidepool")};
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    if (dup2(out, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0) _exit(99);
    execv(TIDEPOOL_CLI, argv.data());
    _exit(99);
  }
  ~Child() {
    if (pid_ > 0) kill(pid_, SIGKILL), waitpid(pid_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // The exit code, or 128 and the signal that ended it.
  int interrupt() {
    kill(pid_, SIGINT);
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }

 private:
  pid_t pid_;
};

}  // namespace tidepool::cli
