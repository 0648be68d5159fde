// What tables say about one layer.
#pragma once

#include <string>

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/report.h"

namespace tidepool::inline v0_1::analyze {

// Texts; empty where there is nothing to say: zeros, and everything but the name of layers that are not known.
struct LayerCells {
  std::string name, layer;
  std::string output;  // "1x64x56x56"; "?" if it is not known
  // "38" if all axes have the same, else "38x46"; if inputs differ, "38, 12x14".
  std::string field, stride, padding;
  std::string parameters, multiply_adds, bytes;
};

LayerCells cells_of(const Network& network, const Report& report, size_t node);

}  // namespace tidepool::inline v0_1::analyze
