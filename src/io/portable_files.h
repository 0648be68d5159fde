// Calls of the operating system that the standard library does not have, for files. Like core/portable.h it has a branch for POSIX and a
// portable one, which TIDEPOOL_PORTABLE=1 selects. Functions that can fail set errno; of these only read_file and write_file fail with
// EINTR.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tidepool::inline v0_1::io {

// A file descriptor, or in the portable branch the address of a std::FILE.
using FileHandle = intptr_t;
inline constexpr FileHandle no_file = -1;

enum class FileKind : uint8_t { none, regular, folder, other };
struct FileFacts {
  FileKind kind = FileKind::none;
  bool writable = false;
};
FileFacts file_facts(const char* path) noexcept;

// Opens a regular file and tells its size. For any other kind of file errno is 0; a named pipe is not waited for.
FileHandle open_file(const char* path, int64_t* size) noexcept;
// Fails if the file exists.
FileHandle create_file(const char* path) noexcept;
bool close_file(FileHandle file) noexcept;

// The number of bytes that were read or written, which may be fewer than asked for; 0 at the end of the file, negative on failure. Threads
// may read from a file at the same time.
int64_t read_file(FileHandle file, void* to, int64_t bytes, int64_t offset) noexcept;
int64_t write_file(FileHandle file, const void* from, size_t bytes) noexcept;

// Waits until the data is on the disk. The portable branch hands it to the operating system only.
bool flush_file(FileHandle file) noexcept;
// Gives the file that `handle` writes the permissions of the file at `path`.
void copy_permissions(const char* path, FileHandle file, const char* written) noexcept;
// Renames a file and replaces the one that is there.
bool replace_file(const char* from, const char* to) noexcept;
// Safe to call in a signal handler in the POSIX branch.
void remove_file(const char* path) noexcept;
// A number that other processes do not have.
int64_t process_number() noexcept;

}  // namespace tidepool::inline v0_1::io
