// The three kinds of records in a zip archive, with their fields in order. All numbers are little endian.
//   local header, before each entry:
//     PK\3\4 version flags method time date crc packed size name_length extra_length | name extra
//   directory entry, after all entries:
//     PK\1\2 made_by version flags method time date crc packed size name_length extra_length comment_length disk attributes16
//     attributes32 offset | name extra comment
//   end record, last:
//     PK\5\6 disk disk entries_here entries directory_size directory_offset comment_length | comment
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tidepool::inline v0_1::io::zip {

inline constexpr std::string_view local_mark("PK\3\4", 4), entry_mark("PK\1\2", 4), end_mark("PK\5\6", 4);
inline constexpr int64_t local_size = 30, entry_size = 46, end_size = 22;
inline constexpr int64_t zip64_marker = 0xffffffff;  // a size or offset of all ones means that zip64 records hold the real one
inline constexpr int64_t longest_comment = 0xffff;
inline constexpr uint32_t stored = 0, deflated = 8;
inline constexpr uint32_t version = 20;
inline constexpr uint32_t encrypted_flag = 1, utf8_flag = 1 << 11;
inline constexpr uint32_t first_date = 1 << 5 | 1;  // 1 January 1980, the earliest date that the format can hold

inline uint32_t get16(std::string_view bytes, size_t at) {
  return static_cast<uint32_t>(static_cast<uint8_t>(bytes[at]) | static_cast<uint8_t>(bytes[at + 1]) << 8);
}
inline uint32_t get32(std::string_view bytes, size_t at) { return get16(bytes, at) | get16(bytes, at + 2) << 16; }

inline void put16(std::string& bytes, uint32_t value) {
  bytes += static_cast<char>(value & 0xff);
  bytes += static_cast<char>(value >> 8 & 0xff);
}
inline void put32(std::string& bytes, uint32_t value) {
  put16(bytes, value & 0xffff);
  put16(bytes, value >> 16);
}

}  // namespace tidepool::inline v0_1::io::zip
