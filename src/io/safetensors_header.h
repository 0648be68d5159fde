// The header of a .safetensors file: its length in eight bytes, then JSON.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::io {

struct SafetensorsEntry {
  std::string name;
  DType dtype = DType::f32;
  Dims shape;
  int64_t begin = 0, end = 0;  // bytes, counted from the end of the header
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;
  std::map<std::string, std::string> metadata;
};

// `data_bytes` is the number of bytes after the header, which the entries must cover exactly. Throws Error(parse) with messages that start
// with `file`.
SafetensorsHeader parse_safetensors_header(std::string_view text, int64_t data_bytes, const std::string& file);

std::string safetensors_json(const SafetensorsHeader& header);

// The limit that the format's specification sets.
inline constexpr int64_t safetensors_header_limit = 100'000'000;

}  // namespace tidepool::inline v0_1::io
