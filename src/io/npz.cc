#include "tidepool/io/npz.h"

#include <algorithm>
#include <cstring>

#include "io/elements.h"
#include "io/inflate.h"
#include "io/npy_format.h"
#include "io/printable.h"
#include "io/unique_names.h"
#include "io/zip.h"

namespace tidepool::inline v0_1::io {

namespace {

constexpr std::string_view suffix = ".npy";

std::string shown_name(const InputFile& file, const ZipEntry& entry) { return file.path() + "(" + printable(entry.name) + ")"; }

// The name of the array in an entry: "weight" for weight.npy.
std::string array_name(const InputFile& file, const ZipEntry& entry) {
  if (!entry.name.ends_with(suffix)) throw Error(ErrorCode::parse, shown_name(file, entry) + ": entries of an .npz must be .npy files");
  return entry.name.substr(0, entry.name.size() - suffix.size());
}

std::vector<std::string> array_names(const InputFile& file, const std::vector<ZipEntry>& entries) {
  std::vector<std::string> names;
  UniqueNames unique(file.path(), ErrorCode::parse);
  for (const ZipEntry& entry : entries) unique.add(names.emplace_back(array_name(file, entry)));
  return names;
}

Tensor array_of(const InputFile& file, const ZipEntry& entry) {
  const std::string shown = shown_name(file, entry);
  // The whole entry is read before it is parsed, so that the checksum covers exactly the bytes that are parsed. It costs a second copy in
  // memory.
  std::string bytes = file.text(entry.packed_size, entry.offset);
  if (entry.deflated) bytes = inflate_raw(bytes, entry.size, shown);
  if (crc32_of(bytes.data(), static_cast<int64_t>(bytes.size())) != entry.crc)
    throw Error(ErrorCode::parse, shown + ": the checksum does not fit the contents");
  const auto read = [&](void* to, int64_t count, int64_t offset) { std::memcpy(to, bytes.data() + offset, static_cast<size_t>(count)); };
  return read_npy(read, static_cast<int64_t>(bytes.size()), shown);
}

}  // namespace

NamedTensors read_npz(const InputFile& file) {
  const std::vector<ZipEntry> entries = read_zip_directory(file);
  const std::vector<std::string> names = array_names(file, entries);
  NamedTensors arrays;
  for (size_t i = 0; i < entries.size(); ++i) arrays.emplace_back(names[i], array_of(file, entries[i]));
  return arrays;
}

NamedTensors read_npz(const std::string& path) { return read_npz(InputFile(path)); }

std::vector<std::string> npz_names(const InputFile& file) { return array_names(file, read_zip_directory(file)); }

Tensor read_npz(const InputFile& file, const std::string& name) {
  const std::vector<ZipEntry> entries = read_zip_directory(file);
  const std::vector<std::string> names = array_names(file, entries);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw no_such_array(file.path(), name, names);
  return array_of(file, entries[static_cast<size_t>(found - names.begin())]);
}

void write_npz(Sink& sink, const NamedTensors& arrays) {
  UniqueNames names("write_npz", ErrorCode::invalid_argument);
  ZipWriter zip(sink);
  for (const auto& [name, tensor] : arrays) {
    names.add(name);
    const ContiguousElements elements(tensor);
    zip.add(name + std::string(suffix), npy_preamble(tensor), {reinterpret_cast<const char*>(elements.data()), elements.bytes()});
  }
  zip.finish();
}

}  // namespace tidepool::inline v0_1::io
