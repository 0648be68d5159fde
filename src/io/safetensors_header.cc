#include "io/safetensors_header.h"

#include <algorithm>
#include <array>

#include "io/elements.h"
#include "io/json_reader.h"
#include "io/printable.h"
#include "io/unique_names.h"

namespace tidepool::inline v0_1::io {

namespace {

struct DTypeName {
  std::string_view text;
  DType dtype;
};
constexpr std::array dtype_names = {DTypeName{"F32", DType::f32},     DTypeName{"F64", DType::f64}, DTypeName{"F16", DType::f16},
                                    DTypeName{"BF16", DType::bf16},   DTypeName{"I8", DType::i8},   DTypeName{"U8", DType::u8},
                                    DTypeName{"I16", DType::i16},     DTypeName{"I32", DType::i32}, DTypeName{"I64", DType::i64},
                                    DTypeName{"BOOL", DType::boolean}};

DType dtype_from_name(const JsonReader& json, const std::string& text) {
  std::string known;
  for (const DTypeName& name : dtype_names) {
    if (name.text == text) return name.dtype;
    known.append(known.empty() ? "" : " ").append(name.text);
  }
  json.fail("dtype '" + printable(text) + "' is not supported (known: " + known + ")");
}

Dims shape_of(JsonReader& json) {
  Dims shape;
  json.expect("[");
  if (json.accept("]")) return shape;
  do {
    if (shape.rank == max_rank) json.fail("more than 8 dimensions");
    shape.push_back(json.whole_number());
  } while (json.accept(","));
  json.expect("]");
  return shape;
}

// Reads {"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}; the keys may come in any order.
SafetensorsEntry entry_of(JsonReader& json, const std::string& name) {
  SafetensorsEntry entry;
  entry.name = name;
  bool dtype = false, shape = false, offsets = false;
  json.expect("{");
  do {
    const std::string key = json.string();
    json.expect(":");
    if (key == "dtype" && !dtype) {
      entry.dtype = dtype_from_name(json, json.string());
      dtype = true;
    } else if (key == "shape" && !shape) {
      entry.shape = shape_of(json);
      shape = true;
    } else if (key == "data_offsets" && !offsets) {
      json.expect("[");
      entry.begin = json.whole_number();
      json.expect(",");
      entry.end = json.whole_number();
      json.expect("]");
      offsets = true;
    } else {
      json.fail("key '" + printable(key) + "' of '" + printable(name) + "' is unknown or there twice");
    }
  } while (json.accept(","));
  json.expect("}");
  if (!dtype || !shape || !offsets) json.fail("'" + printable(name) + "' needs dtype, shape and data_offsets");
  return entry;
}

void read_metadata(JsonReader& json, std::map<std::string, std::string>& metadata) {
  json.expect("{");
  if (json.accept("}")) return;
  do {
    const std::string key = json.string();
    json.expect(":");
    if (!metadata.emplace(key, json.string()).second) json.fail("metadata '" + printable(key) + "' is there twice");
  } while (json.accept(","));
  json.expect("}");
}

void check_size(const JsonReader& json, const SafetensorsEntry& entry) {
  const auto bytes = checked_bytes(entry.shape, entry.dtype);
  if (!bytes) json.fail("shape " + to_string(entry.shape) + " of '" + printable(entry.name) + "' overflows");
  if (entry.end < entry.begin || entry.end - entry.begin != *bytes)
    json.fail("'" + printable(entry.name) + "' of shape " + to_string(entry.shape) + " needs " + std::to_string(*bytes) +
              " bytes, its offsets are " + std::to_string(entry.begin) + " and " + std::to_string(entry.end));
}

// The arrays must cover the data exactly: no overlap, no gap, nothing past the end.
void check_offsets(const JsonReader& json, const std::vector<SafetensorsEntry>& entries, int64_t data_bytes) {
  std::vector<const SafetensorsEntry*> sorted;
  sorted.reserve(entries.size());
  for (const SafetensorsEntry& entry : entries) sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(),
            [](const auto* a, const auto* b) { return std::pair(a->begin, a->end) < std::pair(b->begin, b->end); });
  int64_t at = 0;
  for (const SafetensorsEntry* entry : sorted) {
    if (entry->begin != at)
      json.fail("'" + printable(entry->name) + "' must begin at byte " + std::to_string(at) + ", got " + std::to_string(entry->begin));
    if (entry->end > data_bytes)
      json.fail("'" + printable(entry->name) + "' ends at byte " + std::to_string(entry->end) + ", the file has " +
                std::to_string(data_bytes));
    at = entry->end;
  }
  if (at != data_bytes) json.fail(std::to_string(data_bytes - at) + " bytes at the end belong to no array");
}

}  // namespace

SafetensorsHeader parse_safetensors_header(std::string_view text, int64_t data_bytes, const std::string& file) {
  JsonReader json(text, file + ": bad .safetensors header");
  SafetensorsHeader header;
  UniqueNames names(file, ErrorCode::parse);
  json.expect("{");
  if (!json.accept("}")) {
    do {
      const std::string name = json.string();
      names.add(name);
      json.expect(":");
      if (name == "__metadata__") {
        read_metadata(json, header.metadata);
        continue;
      }
      header.entries.push_back(entry_of(json, name));
      check_size(json, header.entries.back());
    } while (json.accept(","));
    json.expect("}");
  }
  if (!json.at_end()) json.fail("text after the closing brace");
  check_offsets(json, header.entries, data_bytes);
  return header;
}

std::string safetensors_json(const SafetensorsHeader& header) {
  std::string json = "{";
  if (!header.metadata.empty()) {
    json += "\"__metadata__\":{";
    for (const auto& [key, value] : header.metadata) json += json_quoted(key) + ":" + json_quoted(value) + ",";
    json.back() = '}';
    json += ",";
  }
  for (const SafetensorsEntry& entry : header.entries) {
    const auto* name = std::find_if(dtype_names.begin(), dtype_names.end(), [&](const DTypeName& n) { return n.dtype == entry.dtype; });
    json += json_quoted(entry.name) + ":{\"dtype\":\"" + std::string(name->text) + "\",\"shape\":[";
    for (int i = 0; i < entry.shape.rank; ++i) json.append(i == 0 ? "" : ",").append(std::to_string(entry.shape[i]));
    json += "],\"data_offsets\":[" + std::to_string(entry.begin) + "," + std::to_string(entry.end) + "]},";
  }
  if (json.back() == ',') json.pop_back();
  json += '}';
  // Padded, so that the data begins at a multiple of 8 bytes.
  json.append((8 - json.size() % 8) % 8, ' ');
  return json;
}

}  // namespace tidepool::inline v0_1::io
