// The header of a .safetensors file: eight bytes of length, then JSON.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tidepool/tensor.h"

namespace tidepool::io {

struct SafetensorsEntry {
  std::string name;
  DType dtype = DType::f32;
  Dims shape;
  int64_t begin = 0, end = 0;  // bytes behind the header
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;
  std::map<std::string, std::string> metadata;
};

// `cells` is how many bytes follow the header: the entries must cover them exactly. Throws Error(parse); messages start with `file`.
SafetensorsHeader parse_safetensors_header(std::string_view text, int64_t cells, const std::string& file);

std::string safetensors_json(const SafetensorsHeader& header);

// The format's own limit.
inline constexpr int64_t safetensors_header_limit = 100'000'000;

}  // namespace tidepool::io
