// Networks from ONNX files. Needs neither ONNX nor protobuf.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tidepool/analyze/network.h"
#include "tidepool/dims.h"
#include "tidepool/export.h"
#include "tidepool/options.h"

namespace tidepool::inline v0_1::analyze {

struct OnnxOptions {
  NamedOnly named_only = NamedOnly::fields();
  // Sizes of the file's symbolic dimensions, by name.
  std::map<std::string, int64_t> sizes = {};
  // Whole shapes of the first inputs, in the order of the file. Other inputs have the shape that the file says.
  std::vector<Dims> inputs = {};
};

// Reads the bytes of an ONNX file (a ModelProto message).
//
//   std::ifstream file("model.onnx", std::ios::binary);
//   const std::string bytes(std::istreambuf_iterator<char>(file), {});
//   const analyze::Network net = analyze::read_onnx(bytes, {.sizes = {{"height", 480}, {"width", 640}}});
//   const analyze::Report report = analyze::analyze(net);
//
// Sizes. A symbolic dimension takes its size from `sizes`, or from the shape of an input in `inputs`. Dimension 0 of an input with two or
// more dimensions is the batch: if its size is neither in the file nor given, it is 1. Every other size must be known; the error names
// those that are missing.
//
// Inputs that have an initializer are weights, and so are inputs that layers read as nothing but weights (files without weights).
//
// Operators. One ONNX operator can become several layers: Split becomes a slice for each part, a MatMul of vectors a reshape before and
// after. Operators on constants and shapes, such as Shape, Gather and Concat before a Reshape, are computed while reading and become no
// layers. Operators that the analysis does not know, or not with these options (control flow, recurrent layers, indices or shapes that
// depend on data), become Unknown layers; nothing behind them is analysed, and the layers behind them are only listed. The indices of a
// MaxPool are represented by its output, which depends on the same cells.
//
// Parameters are the weights of layers (convolutions, matrix products, normalisations, PRelu) and other floating-point initializers with
// more than one element that are added to, multiplied with, or joined with values. Weights that several layers share count once.
//
// Weights are not read, and may be missing or in another file: only their shapes matter. The memory used is in proportion to the file.
//
// Throws Error(parse) for files that are not ONNX, and other errors, with the node and its operator, for graphs that break ONNX's rules or
// the analysis's: "read_onnx: node 'conv1' (Conv): …".
TIDEPOOL_API Network read_onnx(std::string_view bytes, const OnnxOptions& options = {});

}  // namespace tidepool::inline v0_1::analyze
