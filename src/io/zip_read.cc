#include <algorithm>

#include "io/printable.h"
#include "io/zip.h"
#include "io/zip_format.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::io {

namespace {

using namespace zip;

class Directory {
 public:
  explicit Directory(const InputFile& file) : file_(file) { read_end_record(); }

  std::vector<ZipEntry> entries() {
    std::vector<ZipEntry> list;
    list.reserve(count_);
    std::string_view rest = bytes_;
    for (uint32_t i = 0; i < count_; ++i) list.push_back(next(rest));
    if (!rest.empty()) fail("its directory holds more than it counts");
    for (ZipEntry& entry : list) find_contents(entry);
    check_overlaps(list);
    return list;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw Error(ErrorCode::parse, file_.path() + ": bad zip archive: " + why); }

  // The end record is the last record; only a comment of unknown length can follow it, so the search goes backwards.
  void read_end_record() {
    const int64_t tail_size = std::min(file_.size(), end_size + longest_comment);
    const std::string tail = file_.text(tail_size, file_.size() - tail_size);
    size_t at = tail.size() < static_cast<size_t>(end_size) ? std::string::npos : tail.rfind(end_mark, tail.size() - end_size);
    while (at != std::string::npos && at + end_size + get16(tail, at + 20) != tail.size())
      at = at == 0 ? std::string::npos : tail.rfind(end_mark, at - 1);
    if (at == std::string::npos) fail("it has no end record");
    const int64_t end_at = file_.size() - tail_size + static_cast<int64_t>(at);
    if (get16(tail, at + 4) != 0 || get16(tail, at + 6) != 0) fail("it spans several disks");
    count_ = get16(tail, at + 10);
    const int64_t size = get32(tail, at + 12);
    offset_ = get32(tail, at + 16);
    if (offset_ == zip64_marker || size == zip64_marker || count_ == 0xffff) fail("zip64, for archives beyond 4 GiB, is not supported");
    if (count_ != get16(tail, at + 8) || offset_ > end_at || size > end_at - offset_) fail("its directory lies outside the file");
    bytes_ = file_.text(size, offset_);
  }

  ZipEntry next(std::string_view& rest) const {
    if (static_cast<int64_t>(rest.size()) < entry_size || !rest.starts_with(entry_mark)) fail("a directory entry is damaged");
    ZipEntry entry;
    const uint32_t flags = get16(rest, 8), method = get16(rest, 10);
    entry.crc = get32(rest, 16);
    entry.packed_size = get32(rest, 20);
    entry.size = get32(rest, 24);
    entry.offset = get32(rest, 42);  // of the local header; find_contents() replaces it
    const size_t name = get16(rest, 28), all = static_cast<size_t>(entry_size) + name + get16(rest, 30) + get16(rest, 32);
    if (all > rest.size()) fail("a directory entry is damaged");
    entry.name = rest.substr(entry_size, name);
    rest.remove_prefix(all);
    const std::string shown = "'" + printable(entry.name) + "'";
    if ((flags & encrypted_flag) != 0) fail(shown + " is encrypted");
    if (method != stored && method != deflated)
      fail(shown + " is packed with method " + std::to_string(method) + ", not stored or deflated");
    if (entry.size == zip64_marker || entry.packed_size == zip64_marker || entry.offset == zip64_marker)
      fail(shown + " needs zip64, which is not supported");
    entry.deflated = method == deflated;
    if (!entry.deflated && entry.size != entry.packed_size) fail(shown + " is stored, but has two sizes");
    return entry;
  }

  // The contents start after the local header. Its name and extra field can have other lengths than the directory says, so it must be read.
  void find_contents(ZipEntry& entry) const {
    const std::string shown = "'" + printable(entry.name) + "'";
    if (entry.offset > offset_ - local_size) fail(shown + " lies outside the file");
    const std::string local = file_.text(local_size, entry.offset);
    if (!local.starts_with(local_mark)) fail(shown + " has no header where the directory says");
    header_at_.push_back(entry.offset);
    entry.offset += local_size + get16(local, 26) + get16(local, 28);
    if (entry.offset > offset_ || entry.packed_size > offset_ - entry.offset) fail(shown + " lies outside the file");
  }

  void check_overlaps(const std::vector<ZipEntry>& list) const {
    std::vector<std::pair<int64_t, int64_t>> places;
    places.reserve(list.size());
    for (size_t i = 0; i < list.size(); ++i) places.emplace_back(header_at_[i], list[i].offset + list[i].packed_size);
    std::sort(places.begin(), places.end());
    for (size_t i = 1; i < places.size(); ++i)
      if (places[i].first < places[i - 1].second) fail("entries overlap at byte " + std::to_string(places[i].first));
  }

  const InputFile& file_;
  std::string bytes_;
  int64_t offset_ = 0;
  uint32_t count_ = 0;
  mutable std::vector<int64_t> header_at_;
};

}  // namespace

std::vector<ZipEntry> read_zip_directory(const InputFile& file) { return Directory(file).entries(); }

}  // namespace tidepool::inline v0_1::io
