#include "io/safetensors_header.h"

#include <algorithm>
#include <array>

#include "io/json_text.h"
#include "io/names.h"

namespace tidepool::io {

namespace {

struct Word {
  std::string_view text;
  DType dtype;
};
constexpr std::array words = {Word{"F32", DType::f32}, Word{"F64", DType::f64},     Word{"F16", DType::f16}, Word{"BF16", DType::bf16},
                              Word{"I8", DType::i8},   Word{"U8", DType::u8},       Word{"I16", DType::i16}, Word{"I32", DType::i32},
                              Word{"I64", DType::i64}, Word{"BOOL", DType::boolean}};

DType dtype_of_word(const JsonText& json, const std::string& text) {
  std::string known;
  for (const Word& word : words) {
    if (word.text == text) return word.dtype;
    known.append(known.empty() ? "" : " ").append(word.text);
  }
  json.fail("dtype '" + printable(text) + "' is not supported (known: " + known + ")");
}

Dims shape_of(JsonText& json) {
  Dims shape;
  json.need('[');
  if (json.eat(']')) return shape;
  do {
    if (shape.rank == max_rank) json.fail("more than 8 dimensions");
    shape.push_back(json.whole_number());
  } while (json.eat(','));
  json.need(']');
  return shape;
}

// {"dtype":"F32","shape":[2,3],"data_offsets":[0,24]}, in any order.
SafetensorsEntry entry_of(JsonText& json, const std::string& name) {
  SafetensorsEntry entry;
  entry.name = name;
  bool dtype = false, shape = false, offsets = false;
  json.need('{');
  do {
    const std::string key = json.string();
    json.need(':');
    if (key == "dtype" && !dtype) {
      entry.dtype = dtype_of_word(json, json.string());
      dtype = true;
    } else if (key == "shape" && !shape) {
      entry.shape = shape_of(json);
      shape = true;
    } else if (key == "data_offsets" && !offsets) {
      json.need('[');
      entry.begin = json.whole_number();
      json.need(',');
      entry.end = json.whole_number();
      json.need(']');
      offsets = true;
    } else {
      json.fail("key '" + printable(key) + "' of '" + printable(name) + "' is unknown or there twice");
    }
  } while (json.eat(','));
  json.need('}');
  if (!dtype || !shape || !offsets) json.fail("'" + printable(name) + "' needs dtype, shape and data_offsets");
  return entry;
}

void read_metadata(JsonText& json, std::map<std::string, std::string>& metadata) {
  json.need('{');
  if (json.eat('}')) return;
  do {
    const std::string key = json.string();
    json.need(':');
    if (!metadata.emplace(key, json.string()).second) json.fail("metadata '" + printable(key) + "' is there twice");
  } while (json.eat(','));
  json.need('}');
}

void check_size(const JsonText& json, const SafetensorsEntry& entry) {
  const auto count = checked_numel(entry.shape);
  int64_t bytes = 0;
  if (!count || __builtin_mul_overflow(*count, dtype_size(entry.dtype), &bytes))
    json.fail("shape " + to_string(entry.shape) + " of '" + printable(entry.name) + "' overflows");
  if (entry.end < entry.begin || entry.end - entry.begin != bytes)
    json.fail("'" + printable(entry.name) + "' of shape " + to_string(entry.shape) + " needs " + std::to_string(bytes) +
              " bytes, its offsets are " + std::to_string(entry.begin) + " and " + std::to_string(entry.end));
}

// Every byte belongs to one array: no overlaps, no holes, nothing outside.
void check_places(const JsonText& json, const std::vector<SafetensorsEntry>& entries, int64_t cells) {
  std::vector<const SafetensorsEntry*> sorted;
  sorted.reserve(entries.size());
  for (const SafetensorsEntry& entry : entries) sorted.push_back(&entry);
  std::sort(sorted.begin(), sorted.end(),
            [](const auto* a, const auto* b) { return std::pair(a->begin, a->end) < std::pair(b->begin, b->end); });
  int64_t at = 0;
  for (const SafetensorsEntry* entry : sorted) {
    if (entry->begin != at)
      json.fail("'" + printable(entry->name) + "' must begin at byte " + std::to_string(at) + ", got " + std::to_string(entry->begin));
    if (entry->end > cells)
      json.fail("'" + printable(entry->name) + "' ends at byte " + std::to_string(entry->end) + ", the file has " + std::to_string(cells));
    at = entry->end;
  }
  if (at != cells) json.fail(std::to_string(cells - at) + " bytes at the end belong to no array");
}

}  // namespace

SafetensorsHeader parse_safetensors_header(std::string_view text, int64_t cells, const std::string& file) {
  JsonText json(text, file + ": bad .safetensors header");
  SafetensorsHeader header;
  UniqueNames names(file, ErrorCode::parse);
  json.need('{');
  if (!json.eat('}')) {
    do {
      const std::string name = json.string();
      names.add(name);
      json.need(':');
      if (name == "__metadata__") {
        read_metadata(json, header.metadata);
        continue;
      }
      header.entries.push_back(entry_of(json, name));
      check_size(json, header.entries.back());
    } while (json.eat(','));
    json.need('}');
  }
  if (!json.at_end()) json.fail("text after the closing brace");
  check_places(json, header.entries, cells);
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
    const auto* word = std::find_if(words.begin(), words.end(), [&](const Word& w) { return w.dtype == entry.dtype; });
    json += json_quoted(entry.name) + ":{\"dtype\":\"" + std::string(word->text) + "\",\"shape\":[";
    for (int i = 0; i < entry.shape.rank; ++i) json.append(i == 0 ? "" : ",").append(std::to_string(entry.shape[i]));
    json += "],\"data_offsets\":[" + std::to_string(entry.begin) + "," + std::to_string(entry.end) + "]},";
  }
  if (json.back() == ',') json.pop_back();
  json += '}';
  // Cells begin at a multiple of 8.
  json.append((8 - json.size() % 8) % 8, ' ');
  return json;
}

}  // namespace tidepool::io
