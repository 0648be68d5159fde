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

[[noreturn]] void too_long(const std::string& name, int64_t most) {
  throw Error(ErrorCode::invalid_argument, "show: " + name + " is longer than " + std::to_string(most) + " bytes");
}

// `most_small` is 0, or the limit of a stream that can also hold text.
std::string read_all(int fd, const std::string& name, int64_t most_small) {
  std::string bytes;
  const size_t limit = most_bytes();
  for (bool checked = most_small > 0;;) {
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
    if (most_small > 0 && bytes.size() > static_cast<size_t>(most_small)) too_long(name, most_small);
    if (!checked) check_start(name, bytes);
    checked = checked || bytes.size() >= enough_to_know;
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

std::unique_ptr<io::InputFile> open_limited(const FileName& name, int64_t most_small) {
  if (name.is_stream()) {
    if (isatty(STDIN_FILENO) != 0)
      throw Error(ErrorCode::invalid_argument,
                  std::string(most_small > 0 ? "show" : "pool") + ": - reads standard input, which is a terminal");
    return std::make_unique<io::InputFile>("standard input", read_all(STDIN_FILENO, "standard input", most_small));
  }
  struct stat info{};
  if (stat(name.path.c_str(), &info) != 0 || !S_ISFIFO(info.st_mode)) return std::make_unique<io::InputFile>(name.path);
  const int fd = open_pipe(name.path.c_str());
  if (fd < 0) throw io::io_error("open", name.path);
  const struct Closer {
    int fd;
    ~Closer() { close(fd); }
  } closer{fd};
  return std::make_unique<io::InputFile>(name.path, read_all(fd, name.path, most_small));
}

}  // namespace

std::unique_ptr<io::InputFile> open_input(const FileName& name) { return open_limited(name, 0); }

std::unique_ptr<io::InputFile> open_small_input(const FileName& name, int64_t most) {
  auto file = open_limited(name, most);
  if (file->size() > most) too_long(file->path(), most);
  return file;
}

}  // namespace tidepool::cli
