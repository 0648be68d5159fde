// What the picture of the chain says about each block, and how large it draws it.
#pragma once

#include <string>
#include <vector>

#include "analyze/chain_blocks.h"

namespace tidepool::inline v0_1::analyze {

// A box in oblique projection: the front is channels by height, and `run` and `rise` are how far the width recedes.
struct Solid {
  double thickness = 0, height = 0, run = 0, rise = 0;
};

struct ChainColumn {
  Block block;
  bool known = true;
  std::string channels, size, field, stride;  // of the last layer
  std::string summary;                        // "64x56x56"
  std::string description;                    // all of it in a sentence
  Solid solid;
  double x = 0, width = 0;
  // The picture of the field: the input's sides, where the longer is 1, and the parts of them that a cell sees. Height 0: none.
  double icon_width = 0, icon_height = 0, seen_width = 0, seen_height = 0;
};

std::vector<ChainColumn> chain_columns(const Network& network, const Report& report);

}  // namespace tidepool::inline v0_1::analyze
