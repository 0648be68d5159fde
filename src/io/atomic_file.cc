#include "tidepool/io/atomic_file.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "io/portable_files.h"
#include "tidepool/io/io_error.h"

namespace tidepool::inline v0_1::io {

namespace {

// The paths of unfinished files, for the signal handler. A signal handler may use neither the heap nor locks, so this is a fixed array with
// atomic owners. The child of a fork has a copy of the array. What it finds there belongs to its parent, so it may only take the places.
constexpr int64_t nobody = 0, being_written = -1;
struct Slot {
  std::atomic<int64_t> owner{nobody};  // the number of the process that writes the file
  char path[4096]{};
};
std::array<Slot, 8> slots;

int claim_slot(const std::string& path) noexcept {
  if (path.size() >= sizeof(Slot::path)) return -1;
  const int64_t self = process_number();
  for (size_t i = 0; i < slots.size(); ++i) {
    int64_t owner = slots[i].owner;
    if (owner == self || owner == being_written || !slots[i].owner.compare_exchange_strong(owner, being_written)) continue;
    std::memcpy(slots[i].path, path.c_str(), path.size() + 1);
    slots[i].owner = self;
    return static_cast<int>(i);
  }
  return -1;
}

void release_slot(int& slot) noexcept {
  if (slot >= 0) slots[static_cast<size_t>(slot)].owner = nobody;
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
      "." + p.filename().string().substr(0, 180) + "." + std::to_string(process_number()) + "-" + std::to_string(counter++) + ".part";
  return (p.parent_path() / name).string();
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : shown_(path), path_(resolve_links(path)), process_(process_number()) {
  const FileFacts there = file_facts(path_.c_str());
  const bool exists = there.kind != FileKind::none;
  if (there.kind == FileKind::folder) throw IoError("cannot write " + shown_ + ": it is a directory");
  if (there.kind == FileKind::other) throw IoError("cannot write " + shown_ + ": it is not a regular file");
  if (exists && !there.writable) throw io_error("write", shown_);
  temporary_ = temporary_name(path_);
  // The slot is claimed before the file exists, so that a signal in between cannot leave the file behind. Removing a file that does not
  // exist is harmless.
  slot_ = claim_slot(temporary_);
  if (slot_ < 0) throw IoError("cannot write " + shown_ + ": the name is too long, or too many files are open");
  file_ = create_file(temporary_.c_str());
  if (file_ == no_file) {
    // An existing file may be writable although its directory is not, so the message names the directory.
    const int code = errno;
    release_slot(slot_);
    const bool forbidden = code == EACCES || code == EPERM || code == EROFS;
    throw IoError("cannot write " + shown_ + ": " + (forbidden ? "no file can be made in its directory: " : "") + std::strerror(code));
  }
  if (exists) copy_permissions(path_.c_str(), file_, temporary_.c_str());
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::discard() noexcept {
  forget_after_fork();
  if (file_ != no_file) {
    (void)close_file(file_);
    file_ = no_file;
  }
  if (slot_ >= 0) remove_file(temporary_.c_str());
  release_slot(slot_);
}

// In the child of a fork, the file and its slot are the parent's. By now another file of the child may have taken the slot.
void AtomicFile::forget_after_fork() noexcept {
  if (process_ != process_number()) slot_ = -1;
}

void AtomicFile::write(const void* data, size_t bytes) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const int64_t done = write_file(file_, at, bytes);
    if (done < 0) {
      if (errno == EINTR) continue;
      throw io_error("write", shown_);
    }
    at += done;
    bytes -= static_cast<size_t>(done);
  }
}

void AtomicFile::commit() {
  forget_after_fork();
  // Without fsync, a crash of the machine could leave an empty file under the final name.
  if (!flush_file(file_)) throw io_error("write", shown_);
  const bool closed = close_file(std::exchange(file_, no_file));
  if (!closed || !replace_file(temporary_.c_str(), path_.c_str())) throw io_error("write", shown_);
  release_slot(slot_);
}

void remove_unfinished_files() noexcept {
  for (Slot& slot : slots) {
    const int64_t owner = slot.owner;
    if (owner != nobody && owner == process_number()) remove_file(slot.path);
  }
}

}  // namespace tidepool::inline v0_1::io
