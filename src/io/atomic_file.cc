#include "tidepool/io/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstring>
#include <filesystem>

#include "tidepool/io/io_error.h"

namespace tidepool::inline v0_1::io {

namespace {

// The paths of unfinished files, for the signal handler. A signal handler may use neither the heap nor locks, so this is a fixed array with
// atomic flags.
struct Slot {
  std::atomic<bool> taken{false};
  std::atomic<bool> live{false};
  char path[PATH_MAX]{};
};
std::array<Slot, 8> slots;

int claim_slot(const std::string& path) noexcept {
  if (path.size() >= PATH_MAX) return -1;
  for (size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].taken.exchange(true)) continue;
    std::memcpy(slots[i].path, path.c_str(), path.size() + 1);
    slots[i].live = true;
    return static_cast<int>(i);
  }
  return -1;
}

void release_slot(int& slot) noexcept {
  if (slot < 0) return;
  slots[static_cast<size_t>(slot)].live = false;
  slots[static_cast<size_t>(slot)].taken = false;
  slot = -1;
}

// Resolves symbolic links, because a rename would replace the link and not the file that it points to.
std::string resolve_links(const std::string& path) {
  std::error_code failure;
  if (!std::filesystem::is_symlink(path, failure)) return path;
  const auto target = std::filesystem::canonical(path, failure);
  if (!failure) return target.string();
  if (failure != std::errc::no_such_file_or_directory) throw IoError("cannot write " + path + ": " + failure.message());
  const auto missing = std::filesystem::read_symlink(path, failure);
  throw IoError("cannot write " + path + ": it is a symbolic link to " + missing.string() + ", which does not exist");
}

std::string temporary_name(const std::string& path) {
  static std::atomic<unsigned> counter{0};
  const std::filesystem::path p(path);
  const std::string name =
      "." + p.filename().string().substr(0, 180) + "." + std::to_string(getpid()) + "-" + std::to_string(counter++) + ".part";
  return (p.parent_path() / name).string();
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : shown_(path), path_(resolve_links(path)) {
  struct stat there{};
  const bool exists = stat(path_.c_str(), &there) == 0;
  if (exists && S_ISDIR(there.st_mode)) throw IoError("cannot write " + shown_ + ": it is a directory");
  if (exists && !S_ISREG(there.st_mode)) throw IoError("cannot write " + shown_ + ": it is not a regular file");
  if (exists && access(path_.c_str(), W_OK) != 0) throw io_error("write", shown_);
  temporary_ = temporary_name(path_);
  // The slot is claimed before the file exists, so that a signal in between cannot leave the file behind. Removing a file that does not
  // exist is harmless.
  slot_ = claim_slot(temporary_);
  if (slot_ < 0) throw IoError("cannot write " + shown_ + ": the name is too long, or too many files are open");
  fd_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd_ < 0) {
    // An existing file may be writable although its directory is not, so the message names the directory.
    const int code = errno;
    release_slot(slot_);
    const bool forbidden = code == EACCES || code == EPERM || code == EROFS;
    throw IoError("cannot write " + shown_ + ": " + (forbidden ? "no file can be made in its directory: " : "") + std::strerror(code));
  }
  if (exists) (void)fchmod(fd_, there.st_mode & 07777);
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::discard() noexcept {
  if (fd_ >= 0) {
    close(fd_);
    fd_ = -1;
  }
  if (slot_ >= 0) unlink(temporary_.c_str());
  release_slot(slot_);
}

void AtomicFile::write(const void* data, size_t bytes) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t done = ::write(fd_, at, bytes);
    if (done < 0) {
      if (errno == EINTR) continue;
      throw io_error("write", shown_);
    }
    at += done;
    bytes -= static_cast<size_t>(done);
  }
}

void AtomicFile::commit() {
  // Without fsync, a crash of the machine could leave an empty file under the final name.
  if (fsync(fd_) != 0 && errno != EINVAL) throw io_error("write", shown_);
  const int closed = close(fd_);
  fd_ = -1;
  if (closed != 0) throw io_error("write", shown_);
  if (rename(temporary_.c_str(), path_.c_str()) != 0) throw io_error("write", shown_);
  release_slot(slot_);
}

void remove_unfinished_files() noexcept {
  for (Slot& slot : slots)
    if (slot.live) unlink(slot.path);
}

}  // namespace tidepool::inline v0_1::io
