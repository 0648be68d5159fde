#include "tidepool/io/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "io/elements.h"
#include "io/safetensors_header.h"
#include "io/unique_names.h"
#include "tidepool/io/input_file.h"

namespace tidepool::inline v0_1::io {

static_assert(std::endian::native == std::endian::little, "elements are written as they lie in memory");

namespace {

struct Layout {
  SafetensorsHeader header;
  int64_t data_at = 0;
};

Layout read_layout(const InputFile& file) {
  const std::string& path = file.path();
  uint64_t length = 0;
  if (file.size() < 8) throw Error(ErrorCode::parse, path + ": not a .safetensors file");
  file.read(&length, 8, 0);
  if (length > static_cast<uint64_t>(safetensors_header_limit) || static_cast<int64_t>(length) > file.size() - 8)
    throw Error(ErrorCode::parse, path + ": not a .safetensors file: its header would have " + std::to_string(length) +
                                      " bytes, the file has " + std::to_string(file.size()));
  const int64_t start = 8 + static_cast<int64_t>(length);
  return {parse_safetensors_header(file.text(start - 8, 8), file.size() - start, path), start};
}

Tensor array_of(const InputFile& file, const SafetensorsEntry& entry, int64_t data_at) {
  Tensor tensor(entry.shape, entry.dtype);
  file.read(tensor.data<std::byte>(), entry.end - entry.begin, data_at + entry.begin);
  if (entry.dtype == DType::boolean) normalize_booleans(tensor.span());
  return tensor;
}

}  // namespace

Safetensors read_safetensors(const InputFile& file) {
  Layout layout = read_layout(file);
  Safetensors content{.tensors = {}, .metadata = std::move(layout.header.metadata)};
  content.tensors.reserve(layout.header.entries.size());
  for (const SafetensorsEntry& entry : layout.header.entries)
    content.tensors.emplace_back(entry.name, array_of(file, entry, layout.data_at));
  return content;
}

Safetensors read_safetensors(const std::string& path) { return read_safetensors(InputFile(path)); }

std::vector<std::string> safetensors_names(const InputFile& file) {
  std::vector<std::string> names;
  for (const SafetensorsEntry& entry : read_layout(file).header.entries) names.push_back(entry.name);
  return names;
}

Tensor read_safetensors(const InputFile& file, const std::string& name) {
  const Layout layout = read_layout(file);
  for (const SafetensorsEntry& entry : layout.header.entries)
    if (entry.name == name) return array_of(file, entry, layout.data_at);
  throw no_such_array(file.path(), name, safetensors_names(file));
}

void write_safetensors(Sink& sink, const Safetensors& content) {
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
  sink.write(&length, 8);
  sink.write(json.data(), json.size());
  for (const size_t i : order) {
    const ContiguousElements elements(content.tensors[i].second);
    sink.write(elements.data(), elements.bytes());
  }
}

}  // namespace tidepool::inline v0_1::io
