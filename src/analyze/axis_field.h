// The part of a network's input, along one of its axes, that the cells of a layer's output depend on.
#pragma once

#include <cstdint>
#include <vector>

#include "analyze/axis_map.h"
#include "tidepool/analyze/range_set.h"
#include "tidepool/analyze/rational.h"

namespace tidepool::inline v0_1::analyze {

// Positions are unclipped: they continue beyond the input as if it and every layer between had no ends.
struct AxisField {
  static constexpr int nowhere = -1;  // all cells have the same field

  int dim = nowhere;    // the dimension of the output along which the field moves
  bool merged = false;  // flattening has merged that dimension with others
  int64_t extent = 1;   // the size of that dimension, before it was merged
  // Position o has phases[o % period], moved by o / period * advance.
  int64_t period = 1, advance = 0;
  std::vector<RangeSet> phases;  // empty if nothing moves
  RangeSet shared;               // what every position sees
  // The middle of the field of position o is o * stride + centre.
  Rational stride, centre;
  Rational smallest = 1;  // the size of the field along the path on which it is smallest

  static AxisField of_input(int dim, int64_t size);

  bool moves() const noexcept { return !phases.empty(); }
  RangeSet at(int64_t o) const;
  // The union of all positions.
  RangeSet everything() const;
  // The largest extent of the field of a position, holes included.
  int64_t size() const;
};

// Whether through() knows what every position sees. Windows over a merged dimension are not followed.
bool is_followed(const AxisField& field, const AxisMap& map);

// The field behind a layer that reads the field's dimension through `map`; `dim` is that dimension in the layer's output. Where it is not
// followed, every position is said to see everything.
AxisField through(const AxisField& field, const AxisMap& map, int dim);

// The field of a layer that reads two inputs at the same positions. `extent` is the size of the dimension.
AxisField merge(const AxisField& a, const AxisField& b, int64_t extent);

// Whether the middles of both fields are the same at every position. Fields that do not move are aligned with all others.
bool aligned(const AxisField& a, const AxisField& b);

}  // namespace tidepool::inline v0_1::analyze
