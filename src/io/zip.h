// Zip archives as .npz uses them: stored or deflated entries, no encryption, no zip64.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/input_file.h"
#include "tidepool/io/atomic_file.h"

namespace tidepool::io {

struct ZipEntry {
  std::string name;
  uint32_t crc = 0;
  int64_t size = 0;         // of the contents
  int64_t packed_size = 0;  // in the file
  int64_t offset = 0;       // of the packed contents
  bool deflated = false;
};

// The entries of an archive: all inside the file, none over another. Throws Error(parse).
std::vector<ZipEntry> read_zip_directory(const InputFile& file);

// Writes stored entries one after the other, then the directory. Throws Error(unsupported) beyond 4 GiB.
class ZipWriter {
 public:
  explicit ZipWriter(AtomicFile& file) : file_(file) {}
  // The contents come in two pieces, because an array and its header do.
  void add(const std::string& name, std::string_view start, std::string_view rest);
  void finish();

 private:
  AtomicFile& file_;
  std::vector<ZipEntry> entries_;
  int64_t at_ = 0;
};

}  // namespace tidepool::io
