#include "file_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <filesystem>
#include <utility>

#include "tidepool/error.h"

namespace tidepool::cli {

namespace {

struct KindWord {
  const char* word;
  FileKind kind;
};
constexpr std::array kinds = {KindWord{"npy", FileKind::npy}, KindWord{"npz", FileKind::npz}, KindWord{"png", FileKind::png},
                              KindWord{"safetensors", FileKind::safetensors}};

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// The position of the colon in front of an array's name, or npos.
size_t member_colon(const std::string& text) {
  if (text.starts_with("/dev/stdin:")) return text.find(':');
  const std::string lower = lower_case(text);
  size_t first = std::string::npos;
  for (const std::string end : {".npz:", ".safetensors:"})
    if (const size_t at = lower.find(end); at != std::string::npos) first = std::min(first, at + end.size() - 1);
  return first;
}

}  // namespace

FileName parse_file_name(const std::string& text) {
  FileName name{.text = text, .path = text, .member = {}};
  if (const size_t colon = member_colon(text); colon != std::string::npos) {
    name.path = text.substr(0, colon);
    name.member = text.substr(colon + 1);
    if (name.member.empty()) throw Error(ErrorCode::parse, "pool: a name must follow the colon in '" + text + "'");
  }
  if (name.path.empty()) throw Error(ErrorCode::parse, "pool: a file name is empty");
  if (name.path == "-" || name.path == "/dev/stdin" || name.path == "/dev/stdout") name.path.clear();
  return name;
}

bool holds_several(FileKind kind) noexcept { return kind == FileKind::npz || kind == FileKind::safetensors; }

std::optional<FileKind> kind_of_name(const FileName& name) {
  const std::string extension = lower_case(std::filesystem::path(name.path).extension().string());
  for (const auto& [word, kind] : kinds)
    if (extension == std::string(".") + word) return kind;
  return std::nullopt;
}

std::optional<FileKind> kind_of_contents(const io::InputFile& file) {
  const std::string start = file.text(9, 0);
  if (start.starts_with("\x93NUMPY")) return FileKind::npy;
  if (start.starts_with("\x89PNG")) return FileKind::png;
  if (start.starts_with("PK\3\4") || start.starts_with("PK\5\6")) return FileKind::npz;
  // No signature: the length of a JSON object, then the object.
  uint64_t length = 0;
  if (start.size() < 9 || start[8] != '{') return std::nullopt;
  std::memcpy(&length, start.data(), 8);
  if (length > static_cast<uint64_t>(file.size() - 8)) return std::nullopt;
  return FileKind::safetensors;
}

FileKind kind_from_word(const std::string& word) {
  for (const auto& [known, kind] : kinds)
    if (word == known) return kind;
  throw Error(ErrorCode::parse, "--format: expected one of npy, npz, png, safetensors, got '" + word + "'");
}

bool same_file(const FileName& a, const FileName& b) {
  if (a.is_stream() || b.is_stream()) return a.is_stream() && b.is_stream();
  std::error_code failure;
  const auto resolved = [&](const FileName& name) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(name.path), failure);
  };
  const auto first = resolved(a), second = resolved(b);
  return failure ? a.path == b.path : first == second;
}

}  // namespace tidepool::cli
