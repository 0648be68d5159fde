#include "tidepool/io/npz.h"

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

Tensor array_of(const InputFile& file, const ZipEntry& entry, const std::string& shown) {
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

NamedTensors read_npz(const std::string& path) {
  const InputFile file(path);
  NamedTensors arrays;
  UniqueNames names(path, ErrorCode::parse);
  for (const ZipEntry& entry : read_zip_directory(file)) {
    const std::string shown = path + "(" + printable(entry.name) + ")";
    if (!entry.name.ends_with(suffix)) throw Error(ErrorCode::parse, shown + ": entries of an .npz must be .npy files");
    std::string name = entry.name.substr(0, entry.name.size() - suffix.size());
    names.add(name);
    arrays.emplace_back(std::move(name), array_of(file, entry, shown));
  }
  return arrays;
}

void write_npz(AtomicFile& file, const NamedTensors& arrays) {
  UniqueNames names("write_npz", ErrorCode::invalid_argument);
  ZipWriter zip(file);
  for (const auto& [name, tensor] : arrays) {
    names.add(name);
    const ContiguousElements elements(tensor);
    zip.add(name + std::string(suffix), npy_preamble(tensor), {reinterpret_cast<const char*>(elements.data()), elements.bytes()});
  }
  zip.finish();
}

}  // namespace tidepool::inline v0_1::io
