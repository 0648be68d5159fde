// Exactly which cells of a network's inputs some cells of a layer's output depend on.
#pragma once

#include <vector>

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/range_set.h"
#include "tidepool/export.h"

namespace tidepool::inline v0_1::analyze {

// The cells whose position along every dimension is in that dimension's set.
struct Box {
  std::vector<RangeSet> dims;

  bool empty() const noexcept;
  bool contains(const Box& other) const;
  friend bool operator==(const Box&, const Box&) = default;
};

// All cells of an array of this shape.
TIDEPOOL_API Box whole(const Dims& shape);
// One spatial cell, in all samples and channels. `cell` has one position for each dimension from 2 on.
TIDEPOOL_API Box one_cell(const Dims& shape, const std::vector<int64_t>& cell);

struct Dependence {
  int input = 0;           // the node of the input
  std::vector<Box> boxes;  // their union is the field. Branches with windows of different shapes give more than one
  bool exact = true;       // if false, some cells of the boxes may not matter

  // The positions along one dimension of the input.
  RangeSet along(int dim) const;
  bool contains(const std::vector<int64_t>& cell) const;
};

// Positions are those inside the input: what padding adds does not count, at any layer. Inputs that do not matter are left out.
TIDEPOOL_API std::vector<Dependence> dependence(const Network& network, int node, const Box& cells);
// The same for cells of several nodes together.
struct Cells {
  int node = 0;
  Box box;
};
TIDEPOOL_API std::vector<Dependence> dependence(const Network& network, const std::vector<Cells>& cells);

}  // namespace tidepool::inline v0_1::analyze
