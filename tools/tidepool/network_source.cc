#include "network_source.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>

#include "number_options.h"
#include "open_input.h"
#include "option_text.h"
#include "tidepool/analyze/onnx.h"
#include "tidepool/analyze/text.h"
#include "tidepool/error.h"

namespace tidepool::cli {

namespace {

bool ends_in(const std::string& word, std::string_view suffix) {
  if (word.size() < suffix.size()) return false;
  return std::ranges::equal(word.substr(word.size() - suffix.size()), suffix, {},
                            [](char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
}

// Layers are separated by spaces and commas; file names with those are written with a folder: ./a b.txt
bool names_file(const std::string& word) {
  if (ends_in(word, ".onnx") || ends_in(word, ".txt")) return true;
  if (word.find_first_of(",[|") != std::string::npos) return false;
  const bool has_space = word.find(' ') != std::string::npos;
  std::error_code ignored;
  return (word.find('/') != std::string::npos || !has_space) && std::filesystem::exists(word, ignored);
}

// A file of ONNX begins with field 1, the version of the format, as a number: 08 03. No text begins with that byte.
bool holds_onnx(std::string_view bytes) { return bytes.starts_with('\x08'); }

int64_t whole_number(const std::string& text, const std::string& message) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty())
    throw Error(ErrorCode::parse, message + ", got '" + text + "'");
  return number;
}

analyze::OnnxOptions onnx_options(const std::string& verb, const std::string& shape, const NetworkOptions& options) {
  analyze::OnnxOptions onnx;
  if (!shape.empty()) {
    if (!options.inputs.empty())
      throw Error(ErrorCode::invalid_argument, verb + ": the shape of the input is given twice, also by --input");
    onnx.inputs.push_back(parse_shape(verb, shape));
  }
  for (const std::string& input : options.inputs) onnx.inputs.push_back(parse_shape(verb + ": --input", input));
  for (const std::string& size : options.sizes) {
    const size_t equals = size.rfind('=');
    if (equals == std::string::npos || equals == 0)
      throw Error(ErrorCode::parse, verb + ": --size needs a name and a number, such as height=480, got '" + size + "'");
    onnx.sizes[size.substr(0, equals)] = whole_number(size.substr(equals + 1), verb + ": --size needs a whole number behind '='");
  }
  return onnx;
}

}  // namespace

void NetworkOptions::add(CLI::App& verb) {
  verb.add_option("--input", inputs, "shape of an ONNX model's input, once for each input [those of the model]")
      ->type_name("SHAPE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  verb.add_option("--size", sizes, "size of a symbolic dimension of an ONNX model, such as height=480")
      ->type_name("NAME=N")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  verb.add_option("--element-size", element_size, "bytes of an element: 4 for f32, 2 for f16 [4]")
      ->check(whole_number_between(1, 64))
      ->type_name("N");
  verb.add_option("--memory-speed", memory_speed, "speed of the memory in GB/s, for times [10]")->check(positive_number())->type_name("N");
}

analyze::Options NetworkOptions::report_options() const { return {.element_size = element_size, .bytes_per_second = memory_speed * 1e9}; }

Dims parse_shape(const std::string& verb, const std::string& text) {
  Dims shape;
  try {
    read_text(text, shape);
  } catch (const Error&) {
    throw Error(ErrorCode::parse, verb + ": expected a shape such as 3x64x64, got '" + text + "'");
  }
  return shape;
}

bool names_onnx(const std::string& word) {
  if (ends_in(word, ".onnx")) return true;
  std::error_code ignored;
  if (!names_file(word) || !std::filesystem::is_regular_file(word, ignored)) return false;
  return holds_onnx(io::InputFile(word).text(1, 0));
}

analyze::Network read_network(const std::string& verb, const std::string& shape, const std::string& word, const NetworkOptions& options) {
  std::optional<std::string> contents;
  if (word == "-" || names_file(word)) contents = read_contents(verb, word);
  if (ends_in(word, ".onnx") || (contents && holds_onnx(*contents)))
    return analyze::read_onnx(contents ? std::string_view(*contents) : std::string_view(), onnx_options(verb, shape, options));
  if (!options.inputs.empty() || !options.sizes.empty())
    throw Error(ErrorCode::invalid_argument,
                verb + ": --input and --size are for ONNX models; the shape of a network in words comes before it");
  if (shape.empty())
    throw Error(ErrorCode::invalid_argument,
                verb + ": the shape of the input is missing; expected a shape and layers (3x64x64 \"max 2\") or an ONNX model");
  return analyze::parse_network(parse_shape(verb, shape), contents ? *contents : word);
}

}  // namespace tidepool::cli
