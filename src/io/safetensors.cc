#include "tidepool/io/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "io/elements.h"
#include "io/input_file.h"
#include "io/safetensors_header.h"
#include "io/unique_names.h"

namespace tidepool::inline v0_1::io {

static_assert(std::endian::native == std::endian::little, "elements are written as they lie in memory");

Safetensors read_safetensors(const std::string& path) {
  const InputFile file(path);
  uint64_t length = 0;
  if (file.size() < 8) throw Error(ErrorCode::parse, path + ": not a .safetensors file");
  file.read(&length, 8, 0);
  if (length > static_cast<uint64_t>(safetensors_header_limit) || static_cast<int64_t>(length) > file.size() - 8)
    throw Error(ErrorCode::parse, path + ": not a .safetensors file: its header would have " + std::to_string(length) +
                                      " bytes, the file has " + std::to_string(file.size()));
  const int64_t start = 8 + static_cast<int64_t>(length);
  SafetensorsHeader header = parse_safetensors_header(file.text(start - 8, 8), file.size() - start, path);

  Safetensors content{.tensors = {}, .metadata = std::move(header.metadata)};
  content.tensors.reserve(header.entries.size());
  for (const SafetensorsEntry& entry : header.entries) {
    Tensor tensor(entry.shape, entry.dtype);
    file.read(tensor.data<std::byte>(), entry.end - entry.begin, start + entry.begin);
    if (entry.dtype == DType::boolean) normalize_booleans(tensor.span());
    content.tensors.emplace_back(entry.name, std::move(tensor));
  }
  return content;
}

void write_safetensors(AtomicFile& file, const Safetensors& content) {
  UniqueNames names("write_safetensors", ErrorCode::invalid_argument);
  names.add("__metadata__");
  SafetensorsHeader header{.entries = {}, .metadata = content.metadata};
  for (const auto& [name, tensor] : content.tensors) {
    names.add(name);
    header.entries.push_back({name, tensor.dtype(), tensor.shape()});
  }
  // Arrays with wider elements are stored first, which keeps every array aligned without gaps. The header keeps the caller's order.
  std::vector<size_t> order(header.entries.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    const int64_t wide = dtype_size(header.entries[a].dtype), other = dtype_size(header.entries[b].dtype);
    return wide != other ? wide > other : a < b;
  });
  int64_t at = 0;
  for (const size_t i : order) {
    header.entries[i].begin = at;
    at += content.tensors[i].second.numel() * dtype_size(header.entries[i].dtype);
    header.entries[i].end = at;
  }
  const std::string json = safetensors_json(header);
  const uint64_t length = json.size();
  file.write(&length, 8);
  file.write(json.data(), json.size());
  for (const size_t i : order) {
    const ContiguousElements elements(content.tensors[i].second);
    file.write(elements.data(), elements.bytes());
  }
}

}  // namespace tidepool::inline v0_1::io
