// Zip archives as .npz files use them: entries are stored or deflated. Encryption and zip64 are not supported.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tidepool/io/input_file.h"
#include "tidepool/io/sink.h"

namespace tidepool::inline v0_1::io {

struct ZipEntry {
  std::string name;
  uint32_t crc = 0;
  int64_t size = 0;         // of the contents after decompression
  int64_t packed_size = 0;  // of the contents in the file
  int64_t offset = 0;       // of the contents in the file
  bool deflated = false;
};

// Lists the entries. Throws Error(parse) if an entry lies outside the file or overlaps another one.
std::vector<ZipEntry> read_zip_directory(const InputFile& file);

// Writes uncompressed entries one after the other, then the directory. Throws Error(unsupported) beyond 4 GiB.
class ZipWriter {
 public:
  explicit ZipWriter(Sink& sink) : sink_(sink) {}
  // Adds an entry whose contents are `start` followed by `rest`: the header and the data of an array.
  void add(const std::string& name, std::string_view start, std::string_view rest);
  void finish();

 private:
  Sink& sink_;
  std::vector<ZipEntry> entries_;
  int64_t at_ = 0;
};

}  // namespace tidepool::inline v0_1::io
