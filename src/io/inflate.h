// Deflated bytes, as zip and gzip hold them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tidepool::io {

// Deflate cannot expand by more than about 1032: whoever promises more lies, and gets no memory for it.
inline constexpr int64_t most_inflation = 1040;

// Raw deflate that must give exactly `size` bytes. Throws Error(parse); messages start with `name`.
std::string inflate_raw(std::string_view packed, int64_t size, const std::string& name);

// A gzip file, of one member or several; plain bytes are returned as they are. More than `limit` bytes are refused.
std::string gunzip(std::string bytes, int64_t limit, const std::string& name);

uint32_t crc32_of(const void* data, int64_t bytes, uint32_t so_far = 0);

}  // namespace tidepool::io
