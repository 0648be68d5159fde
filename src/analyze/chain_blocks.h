// The layers of a network in the blocks that the picture of the chain shows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/report.h"

namespace tidepool::inline v0_1::analyze {

struct Block {
  std::vector<int> nodes;           // in the order of execution
  int result = 0;                   // the one whose shape and field the block shows: what the next block reads first
  std::vector<std::string> labels;  // "conv 3x3 32 p1", or what the block consists of: "10 conv", "3 add"
  std::vector<int> reads;           // earlier blocks, ascending
  bool groups = false;              // whether it stands for a part of the network, not for one layer
};

// A network of few layers has a block for every layer that changes a shape or field; layers such as relu belong to the block before. In
// others, a block is what lies between two changes of stride. There are never many blocks, however large the network is.
std::vector<Block> chain_blocks(const Network& network, const Report& report);

}  // namespace tidepool::inline v0_1::analyze
