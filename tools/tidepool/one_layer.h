// One layer in the text form of networks, such as "max 2", and the shape of its input.
#pragma once

#include <string>

#include "tidepool/analyze/network.h"

namespace tidepool::cli {

struct OneLayer {
  static constexpr int node = 1;  // of the layer; node 0 is the input

  analyze::Network network;
  int rank = 2;  // number of spatial dims

  const analyze::Layer& layer() const { return network.node(node).layer; }
  const Dims& input() const { return network.node(0).shape; }
  const Dims& output() const { return network.node(node).shape; }
};

// The shape "7x7" has the spatial dims alone, "3x7x7" channels too, "1x3x7x7" a batch too. `rank` is the number of spatial dims; if it is
// 0, 1 for one number, 3 for five numbers, and 2 for others. Throws Error if the text is not one layer that accepts the shape.
OneLayer one_layer(const std::string& verb, const Dims& shape, int rank, const std::string& text);

}  // namespace tidepool::cli
