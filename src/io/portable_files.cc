#include "io/portable_files.h"

#include "core/portable.h"

#if TIDEPOOL_POSIX
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#else
#include <chrono>
#include <mutex>
#include <random>
#endif

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace tidepool::inline v0_1::io {

#if TIDEPOOL_POSIX

namespace {

// Calls again as long as a signal interrupts the call.
template <class Call>
auto uninterrupted(const Call& call) noexcept {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

}  // namespace

FileFacts file_facts(const char* path) noexcept {
  struct stat info{};
  if (stat(path, &info) != 0) return {};
  const FileKind kind = S_ISREG(info.st_mode) ? FileKind::regular : S_ISDIR(info.st_mode) ? FileKind::folder : FileKind::other;
  return {.kind = kind, .writable = access(path, W_OK) == 0};
}

FileHandle open_file(const char* path, int64_t* size) noexcept {
  const int fd = uninterrupted([&] { return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); });
  if (fd < 0) return no_file;
  struct stat info{};
  if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode)) {
    *size = info.st_size;
    return fd;
  }
  close(fd);
  errno = 0;
  return no_file;
}

FileHandle create_file(const char* path) noexcept {
  return uninterrupted([&] { return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); });
}

// A file is closed also when a signal interrupts the call. By a second call it could have the number of a file of another thread.
bool close_file(FileHandle file) noexcept { return close(static_cast<int>(file)) == 0 || errno == EINTR; }

int64_t read_file(FileHandle file, void* to, int64_t bytes, int64_t offset) noexcept {
  return pread(static_cast<int>(file), to, static_cast<size_t>(bytes), static_cast<off_t>(offset));
}
int64_t write_file(FileHandle file, const void* from, size_t bytes) noexcept { return write(static_cast<int>(file), from, bytes); }

// Files that cannot be flushed, such as those of some network file systems, give EINVAL.
bool flush_file(FileHandle file) noexcept {
  return uninterrupted([&] { return fsync(static_cast<int>(file)); }) == 0 || errno == EINVAL;
}

void copy_permissions(const char* path, FileHandle file, const char*) noexcept {
  struct stat info{};
  if (stat(path, &info) == 0) (void)uninterrupted([&] { return fchmod(static_cast<int>(file), info.st_mode & 07777); });
}

bool replace_file(const char* from, const char* to) noexcept { return rename(from, to) == 0; }
void remove_file(const char* path) noexcept { unlink(path); }
int64_t process_number() noexcept { return getpid(); }

#else

namespace {

std::FILE* stream_of(FileHandle file) noexcept { return reinterpret_cast<std::FILE*>(file); }  // NOLINT(performance-no-int-to-ptr)
FileHandle handle_of(std::FILE* stream) noexcept { return stream == nullptr ? no_file : reinterpret_cast<FileHandle>(stream); }

bool ok(const std::error_code& failure) noexcept {
  if (failure) errno = failure.default_error_condition().value();
  return !failure;
}

}  // namespace

FileFacts file_facts(const char* path) noexcept {
  namespace fs = std::filesystem;
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  if (!fs::exists(status)) return {};
  const FileKind kind = fs::is_regular_file(status) ? FileKind::regular : fs::is_directory(status) ? FileKind::folder : FileKind::other;
  if (kind != FileKind::regular) return {.kind = kind};
  std::FILE* const stream = std::fopen(path, "r+b");  // the only way to know, and it changes nothing
  if (stream != nullptr) (void)std::fclose(stream);
  return {.kind = kind, .writable = stream != nullptr};
}

FileHandle open_file(const char* path, int64_t* size) noexcept {
  std::error_code failure;
  if (std::filesystem::exists(path, failure) && !std::filesystem::is_regular_file(path, failure)) {
    errno = 0;
    return no_file;
  }
  std::FILE* const stream = std::fopen(path, "rb");
  if (stream != nullptr) *size = static_cast<int64_t>(std::filesystem::file_size(path, failure));
  return handle_of(stream);
}

FileHandle create_file(const char* path) noexcept { return handle_of(std::fopen(path, "wbx")); }
bool close_file(FileHandle file) noexcept { return std::fclose(stream_of(file)) == 0; }

int64_t read_file(FileHandle file, void* to, int64_t bytes, int64_t offset) noexcept {
  static std::mutex mutex;  // a stream has one position
  const std::lock_guard lock(mutex);
  if (std::fseek(stream_of(file), static_cast<long>(offset), SEEK_SET) != 0) return -1;
  const size_t got = std::fread(to, 1, static_cast<size_t>(bytes), stream_of(file));
  return got == 0 && std::ferror(stream_of(file)) != 0 ? -1 : static_cast<int64_t>(got);
}

int64_t write_file(FileHandle file, const void* from, size_t bytes) noexcept {
  const size_t done = std::fwrite(from, 1, bytes, stream_of(file));
  return done == 0 ? -1 : static_cast<int64_t>(done);
}

bool flush_file(FileHandle file) noexcept { return std::fflush(stream_of(file)) == 0; }

void copy_permissions(const char* path, FileHandle, const char* written) noexcept {
  std::error_code failure;
  const auto permissions = std::filesystem::status(path, failure).permissions();
  if (!failure) std::filesystem::permissions(written, permissions, failure);
}

bool replace_file(const char* from, const char* to) noexcept {
  std::error_code failure;
  std::filesystem::rename(from, to, failure);
  return ok(failure);
}
void remove_file(const char* path) noexcept { (void)std::remove(path); }

int64_t process_number() noexcept {
  static const auto number = static_cast<int64_t>(std::chrono::high_resolution_clock::now().time_since_epoch().count() & 0xffffffff) ^
                             int64_t { std::random_device()() };
  return number;
}

#endif

}  // namespace tidepool::inline v0_1::io
