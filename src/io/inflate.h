// Decompression of deflate data, as zip and gzip files hold it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tidepool::inline v0_1::io {

// Deflate expands by a factor of at most about 1032. A file that claims a larger factor is refused before memory is allocated for it.
inline constexpr int64_t max_inflate_ratio = 1040;

// Decompresses raw deflate data that must give exactly `size` bytes. Throws Error(parse) with messages that start with `name`.
std::string inflate_raw(std::string_view packed, int64_t size, const std::string& name);

// Decompresses a gzip file of one or more members. Bytes without the gzip signature are returned unchanged. Throws Error(parse) if the
// result exceeds `limit` bytes.
std::string gunzip(std::string bytes, int64_t limit, const std::string& name);

uint32_t crc32_of(const void* data, int64_t bytes, uint32_t so_far = 0);

}  // namespace tidepool::inline v0_1::io
