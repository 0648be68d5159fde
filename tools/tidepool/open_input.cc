#include "open_input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "tidepool/io/io_error.h"

namespace tidepool::cli {

namespace {

constexpr size_t piece = size_t{1} << 20;
constexpr size_t enough_to_know = 16;

size_t most_bytes() { return static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) / 2 * static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

// The bytes of a stream that never ends, or of something else than an array, must not fill the memory.
void check_start(const std::string& name, const std::string& bytes) {
  if (bytes.size() < enough_to_know) return;
  std::string start = bytes.substr(0, enough_to_know);
  // Only the file knows whether the length of a .safetensors header is right, so that one counts as possible here.
  if (start[8] == '{' || kind_of_contents(io::InputFile(name, start))) return;
  throw Error(ErrorCode::parse, name + ": not an " + kind_list + " file");
}

// What a reader accepts.
struct Accepts {
  bool arrays_only = true;
  int64_t most = 0;  // bytes; 0: as much as the memory allows
};

[[noreturn]] void too_long(const std::string& name, int64_t most) {
  throw Error(ErrorCode::invalid_argument, name + " is longer than " + std::to_string(most) + " bytes");
}

std::string read_all(int fd, const std::string& name, Accepts accepts) {
  std::string bytes;
  const size_t limit = most_bytes();
  for (bool checked = false;;) {
    const size_t had = bytes.size();
    bytes.resize(had + piece);
    const ssize_t got = read(fd, bytes.data() + had, piece);
    const int code = errno;
    bytes.resize(had + static_cast<size_t>(got > 0 ? got : 0));
    if (got < 0 && code == EINTR) continue;
    if (got < 0) {
      errno = code;
      throw io::io_error("read", name);
    }
    if (got == 0) return bytes;
    if (accepts.most > 0 && bytes.size() > static_cast<size_t>(accepts.most)) too_long(name, accepts.most);
    if (!checked && accepts.arrays_only) check_start(name, bytes);
    checked = bytes.size() >= enough_to_know;
    if (bytes.size() > limit) throw io::IoError("cannot read " + name + ": it is longer than half of the memory");
  }
}

// Waits until the pipe has a writer, whatever signals arrive meanwhile.
int open_pipe(const char* path) {
  for (;;) {
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 || errno != EINTR) return fd;
  }
}

std::string read_pipe(const std::string& path, Accepts accepts) {
  const int fd = open_pipe(path.c_str());
  if (fd < 0) throw io::io_error("open", path);
  const struct Closer {
    int fd;
    ~Closer() { close(fd); }
  } closer{fd};
  return read_all(fd, path, accepts);
}

bool is_pipe(const std::string& path) {
  struct stat info{};
  return stat(path.c_str(), &info) == 0 && S_ISFIFO(info.st_mode);
}

void check_not_terminal(const std::string& verb) {
  if (isatty(STDIN_FILENO) != 0) throw Error(ErrorCode::invalid_argument, verb + ": - reads standard input, which is a terminal");
}

}  // namespace

std::unique_ptr<io::InputFile> open_input(const FileName& name) {
  if (name.is_stream()) {
    check_not_terminal("pool");
    return std::make_unique<io::InputFile>("standard input", read_all(STDIN_FILENO, "standard input", {}));
  }
  if (!is_pipe(name.path)) return std::make_unique<io::InputFile>(name.path);
  return std::make_unique<io::InputFile>(name.path, read_pipe(name.path, {}));
}

std::string read_contents(const std::string& verb, const std::string& name, int64_t most) {
  const Accepts anything{.arrays_only = false, .most = most};
  if (name == "-") {
    check_not_terminal(verb);
    return read_all(STDIN_FILENO, "standard input", anything);
  }
  if (is_pipe(name)) return read_pipe(name, anything);
  const io::InputFile file(name);
  if (most > 0 && file.size() > most) too_long(name, most);
  return file.text(file.size(), 0);
}

}  // namespace tidepool::cli
