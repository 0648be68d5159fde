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

std::string read_all(int fd, const std::string& name) {
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
    if (!checked) check_start(name, bytes);
    checked = bytes.size() >= enough_to_know;
    if (bytes.size() > limit) throw io::IoError("cannot read " + name + ": it is longer than half of the memory");
  }
}

}  // namespace

std::unique_ptr<io::InputFile> open_input(const FileName& name) {
  if (name.is_stream()) {
    if (isatty(STDIN_FILENO) != 0) throw Error(ErrorCode::invalid_argument, "pool: - reads standard input, which is a terminal");
    return std::make_unique<io::InputFile>("standard input", read_all(STDIN_FILENO, "standard input"));
  }
  struct stat info{};
  if (stat(name.path.c_str(), &info) != 0 || !S_ISFIFO(info.st_mode)) return std::make_unique<io::InputFile>(name.path);
  int fd = -1;
  do {  // until a writer opens the pipe; signals may interrupt that
    fd = open(name.path.c_str(), O_RDONLY | O_CLOEXEC);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) throw io::io_error("open", name.path);
  const struct Closer {
    int fd;
    ~Closer() { close(fd); }
  } closer{fd};
  return std::make_unique<io::InputFile>(name.path, read_all(fd, name.path));
}

}  // namespace tidepool::cli
