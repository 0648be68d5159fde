// Any bytes as an ONNX file: read or refused with an error of read_onnx; what is read is analysed.
#include <cstdlib>
#include <iostream>
#include <string_view>

#include "tidepool/analyze/onnx.h"
#include "tidepool/analyze/report.h"
#include "tidepool/error.h"

namespace tidepool::fuzz {
namespace {

void require(bool holds, std::string_view what) {
  if (holds) return;
  std::cerr << "\n" << what << "\n";
  std::abort();
}

void read_and_analyze(std::string_view bytes) {
  analyze::Network network;
  try {
    network = analyze::read_onnx(bytes);
  } catch (const Error& error) {
    require(error.message().starts_with("read_onnx: "), "an error that does not say where it is from: " + error.message());
    return;
  }
  try {
    const analyze::Report report = analyze::analyze(network);
    require(report.layers.size() == network.nodes().size(), "a layer without a report");
  } catch (const Error&) {  // fields that cannot be listed
  }
}

}  // namespace
}  // namespace tidepool::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tidepool::fuzz::read_and_analyze({reinterpret_cast<const char*>(data), size});
  return 0;
}
