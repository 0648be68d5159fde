#include "results.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>

#include "tidepool/io/atomic_file.h"
#include "tidepool/io/npy.h"
#include "tidepool/io/npz.h"
#include "tidepool/io/safetensors.h"

namespace tidepool::cli {

namespace {

class Memory final : public io::Sink {
 public:
  void write(const void* data, size_t bytes) override { bytes_.append(static_cast<const char*>(data), bytes); }
  const std::string& bytes() const noexcept { return bytes_; }

 private:
  std::string bytes_;
};

std::string member_of(const Result& result) { return result.name.member.empty() ? result.default_member : result.name.member; }

// What the file holds already, if an array of it is to be replaced or added.
io::Safetensors previous(const std::vector<Result>& group) {
  const FileName& name = group.front().name;
  const bool keeps = std::ranges::any_of(group, [](const Result& r) { return !r.name.member.empty(); });
  if (name.is_stream() || !keeps || !std::filesystem::exists(name.path)) return {};
  if (group.front().kind == FileKind::npz) return {.tensors = io::read_npz(name.path), .metadata = {}};
  return io::read_safetensors(name.path);
}

void write_several(io::Sink& sink, const std::vector<Result>& group, const ArrayFile& like) {
  io::Safetensors content = previous(group);
  for (const Result& result : group) {
    const std::string member = member_of(result);
    const auto old = std::ranges::find(content.tensors, member, &io::NamedTensors::value_type::first);
    const Tensor array = in_file_order(result.array, like);
    if (old != content.tensors.end()) {
      old->second = array;
    } else {
      content.tensors.emplace_back(member, array);
    }
  }
  if (group.front().kind == FileKind::npz) {
    io::write_npz(sink, content.tensors);
  } else {
    io::write_safetensors(sink, content);
  }
}

void write_group(io::Sink& sink, const std::vector<Result>& group, const ArrayFile& like) {
  const Result& first = group.front();
  if (holds_several(first.kind)) return write_several(sink, group, like);
  if (first.kind == FileKind::npy) return io::write_npy(sink, in_file_order(first.array, like));
  PngImage picture = like.picture;
  picture.pixels = first.array;
  io::write_png(sink, picture);
}

std::vector<std::vector<Result>> grouped(const std::vector<Result>& results) {
  std::vector<std::vector<Result>> groups;
  for (const Result& result : results) {
    const auto same = std::ranges::find_if(groups, [&](const auto& group) { return same_file(group.front().name, result.name); });
    if (same == groups.end()) {
      groups.push_back({result});
      continue;
    }
    const Result& other = same->front();
    if (!holds_several(result.kind) || other.kind != result.kind || member_of(other) == member_of(result))
      throw Error(ErrorCode::invalid_argument,
                  "pool: --indices and -o name the same " + (result.name.is_stream() ? "stream" : "file '" + other.name.text + "'"));
    same->push_back(result);
  }
  return groups;
}

}  // namespace

FileKind kind_of_result(const FileName& name, const std::string& format, FileKind input) {
  if (!format.empty()) return kind_from_word(format);
  if (const auto kind = kind_of_name(name)) return *kind;
  if (name.is_stream()) return input;
  throw Error(ErrorCode::parse, std::string("pool: file names must end in ") + kind_list + ", got '" + name.text + "'");
}

void write_results(const std::vector<Result>& results, const ArrayFile& like, std::ostream& out) {
  const auto groups = grouped(results);
  std::vector<std::unique_ptr<io::AtomicFile>> files;
  Memory stream;
  for (const auto& group : groups) {
    if (group.front().name.is_stream()) {
      write_group(stream, group, like);
      continue;
    }
    files.push_back(std::make_unique<io::AtomicFile>(group.front().name.path));
    write_group(*files.back(), group, like);
  }
  for (const auto& file : files) file->commit();
  out.write(stream.bytes().data(), static_cast<std::streamsize>(stream.bytes().size()));
  out.flush();
}

}  // namespace tidepool::cli
