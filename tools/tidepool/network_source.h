// The network that the words of a command line name: layers as text, a file of such text, or an ONNX model.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/report.h"

namespace tidepool::cli {

// Options that change how networks are read and what their report counts.
struct NetworkOptions {
  std::vector<std::string> inputs;  // "1x3x224x224": shapes of an ONNX model's inputs
  std::vector<std::string> sizes;   // "height=480": sizes of its symbolic dimensions
  int64_t element_size = 4;
  double memory_speed = 10;  // GB/s

  void add(CLI::App& verb);
  analyze::Options report_options() const;
};

// Whether the word is the name of an ONNX model: by its suffix, or by the contents of the file.
bool names_onnx(const std::string& word);

// The network behind `word`: text, the name of a file, or - for standard input, of the shape that `shape` says. An ONNX model has its own
// shapes; there `shape` may be empty, and otherwise is that of its first input. Messages begin with the verb.
analyze::Network read_network(const std::string& verb, const std::string& shape, const std::string& word, const NetworkOptions& options);

// "1x3x64x64". Throws Error with the verb and what was expected.
Dims parse_shape(const std::string& verb, const std::string& text);

}  // namespace tidepool::cli
