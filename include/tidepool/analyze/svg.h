// Pictures of a network as SVG text. They contain no scripts, load nothing, and adapt to light and dark pages.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/report.h"
#include "tidepool/export.h"
#include "tidepool/options.h"

namespace tidepool::inline v0_1::analyze {

// The downsampling chain: sides shrink, channels grow, and so do fields. Small networks show every layer. In others, layers that are
// equally far apart on the input (their fields have the same stride) are one block.
TIDEPOOL_API std::string chain_svg(const Network& network, const Report& report);

struct FieldPicture {
  NamedOnly named_only = NamedOnly::fields();
  std::string picture_href = {};  // a picture behind the field: a data: URI of an image, or the name of a file beside the SVG
  // How much the inputs really matter, row by row over the plane of the first input, drawn as a heat map. Weights must be finite and not
  // negative; the grid need not have the size of the input.
  std::vector<float> effective = {};
  int64_t effective_rows = 0, effective_cols = 0;
};

// The exact field of one cell of a layer over the input, as dependence() gives it, and a dashed line around what it would be without the
// ends of the input. `cell` has one position for each dimension of the node's shape from 2 on. Inputs of three spatial dimensions are shown
// as up to three slices. Throws Error if the node is not known or the cell is outside.
TIDEPOOL_API std::string field_svg(const Network& network, int node, const std::vector<int64_t>& cell, const FieldPicture& picture = {});

}  // namespace tidepool::inline v0_1::analyze
