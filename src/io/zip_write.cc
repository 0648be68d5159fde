#include "io/inflate.h"
#include "io/zip.h"
#include "io/zip_format.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::io {

namespace {

using namespace zip;

// The fields that the local header and the directory entry share.
std::string shared_fields(const ZipEntry& entry) {
  std::string bytes;
  put16(bytes, version);
  put16(bytes, utf8_flag);
  put16(bytes, stored);
  put16(bytes, 0);
  put16(bytes, first_date);
  put32(bytes, entry.crc);
  put32(bytes, static_cast<uint32_t>(entry.size));
  put32(bytes, static_cast<uint32_t>(entry.size));
  put16(bytes, static_cast<uint32_t>(entry.name.size()));
  put16(bytes, 0);  // no extras
  return bytes;
}

void refuse_beyond_limit(int64_t bytes) {
  if (bytes >= zip64_marker)
    throw Error(ErrorCode::unsupported,
                "write_npz: an archive holds less than 4 GiB, got " + std::to_string(bytes) + " bytes; .safetensors holds more");
}

}  // namespace

void ZipWriter::add(const std::string& name, std::string_view start, std::string_view rest) {
  if (name.size() > 0xffff)
    throw Error(ErrorCode::invalid_argument, "write_npz: a name has at most 65535 bytes, got " + std::to_string(name.size()));
  if (entries_.size() == 0xfffe) throw Error(ErrorCode::unsupported, "write_npz: an archive holds at most 65534 arrays");
  ZipEntry entry;
  entry.name = name;
  entry.size = entry.packed_size = static_cast<int64_t>(start.size() + rest.size());
  entry.offset = at_;
  entry.crc = crc32_of(rest.data(), static_cast<int64_t>(rest.size()), crc32_of(start.data(), static_cast<int64_t>(start.size())));
  refuse_beyond_limit(at_ + entry.size);
  const std::string header = std::string(local_mark) + shared_fields(entry) + name;
  sink_.write(header.data(), header.size());
  sink_.write(start.data(), start.size());
  sink_.write(rest.data(), rest.size());
  at_ += static_cast<int64_t>(header.size()) + entry.size;
  entries_.push_back(std::move(entry));
}

void ZipWriter::finish() {
  std::string directory;
  for (const ZipEntry& entry : entries_) {
    directory += entry_mark;
    put16(directory, version);
    directory += shared_fields(entry);
    put16(directory, 0);  // no comment
    put16(directory, 0);  // first disk
    put16(directory, 0);
    put32(directory, 0);
    put32(directory, static_cast<uint32_t>(entry.offset));
    directory += entry.name;
  }
  refuse_beyond_limit(at_ + static_cast<int64_t>(directory.size()));
  std::string end(end_mark);
  put32(end, 0);
  put16(end, static_cast<uint32_t>(entries_.size()));
  put16(end, static_cast<uint32_t>(entries_.size()));
  put32(end, static_cast<uint32_t>(directory.size()));
  put32(end, static_cast<uint32_t>(at_));
  put16(end, 0);
  directory += end;
  sink_.write(directory.data(), directory.size());
}

}  // namespace tidepool::inline v0_1::io
