// Names of array files on the command line: a path, `-` for a standard stream, and the array that is meant in a file of several.
#pragma once

#include <optional>
#include <string>

#include "tidepool/io/input_file.h"

namespace tidepool::cli {

enum class FileKind { npy, npz, png, safetensors };

inline constexpr const char* kind_list = ".npy, .npz, .png or .safetensors";

struct FileName {
  std::string text;    // as typed
  std::string path;    // empty for a standard stream
  std::string member;  // the name of one array, or empty

  bool is_stream() const noexcept { return path.empty(); }
};

// Splits "weights.npz:conv1" behind .npz or .safetensors, and "/dev/stdin:conv1" (-:conv1 would be an option). /dev/stdin and /dev/stdout
// are the same as -.
FileName parse_file_name(const std::string& text);

bool holds_several(FileKind kind) noexcept;

// By the extension, whatever its case.
std::optional<FileKind> kind_of_name(const FileName& name);
// By the first bytes.
std::optional<FileKind> kind_of_contents(const io::InputFile& file);
// By a word: npy, npz, png, safetensors. Throws Error for any other.
FileKind kind_from_word(const std::string& word);

// Whether both names mean the same file on disk.
bool same_file(const FileName& a, const FileName& b);

}  // namespace tidepool::cli
