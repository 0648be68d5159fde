// What a layer does to the shapes of its inputs, and which of their cells each cell of its output reads. Shapes and fields come from the
// same list of windows, so that they cannot disagree.
#pragma once

#include <vector>

#include "analyze/axis_map.h"
#include "tidepool/analyze/layers.h"
#include "tidepool/analyze/network.h"
#include "tidepool/dims.h"
#include "tidepool/error.h"

namespace tidepool::inline v0_1::analyze {

// How one dimension of an input is read.
struct DimReads {
  AxisMap map;
  int dim = -1;          // the dimension of the output that moves the reading; -1 if every cell reads the same
  bool at_most = false;  // cells may read less than the map says
};

struct Placement {
  Dims shape;
  // For each input, one entry for each of its dimensions.
  std::vector<std::vector<DimReads>> reads;
  std::vector<int> window_dims;  // dimensions of input 0 that windows move along
  int64_t parameters = 0, multiply_adds = 0;
};

// Every size is at least 1 and at most this.
inline constexpr int64_t largest_size = int64_t{1} << 30;

// The error message has no prefix.
Result<Placement> place(const Layer& layer, const std::vector<Dims>& inputs);
// Of a layer that is in a network, and known.
Placement placement_of(const Network& network, const Node& node);

// Helpers of the families of layers, one file each.
Result<Placement> place_conv(const Conv& conv, const Dims& input);
Result<Placement> place_conv_transpose(const ConvTranspose& conv, const Dims& input);
Result<Placement> place_pool(const Pool& pool, const Dims& input);
Result<Placement> place_adaptive_pool(const AdaptivePool& pool, const Dims& input);
Result<Placement> place_fractional_pool(const FractionalPool& pool, const Dims& input);
Result<Placement> place_unpool(const Unpool& unpool, const Dims& input);
Result<Placement> place_resize(const Resize& resize, const Dims& input);
Result<Placement> place_merge(const std::vector<Dims>& inputs);
Result<Placement> place_concat(const Concat& concat, const std::vector<Dims>& inputs);
Result<Placement> place_flatten(const Flatten& flatten, const Dims& input);
Result<Placement> place_reshape(const Dims& shape, const Dims& input);
Result<Placement> place_transpose(const Transpose& transpose, const Dims& input);
Result<Placement> place_slice(const Slice& slice, const Dims& input);
Result<Placement> place_pad(const Pad& pad, const Dims& input);
Result<Placement> place_reduce(const Reduce& reduce, const Dims& input);
Result<Placement> place_linear(const Linear& linear, const Dims& input);
Result<Placement> place_matmul(const Dims& a, const Dims& b);

// Reads of a layer that changes no dimension.
Placement unchanged(const Dims& input);
// A dimension counted from the end if negative; an error if it is out of range.
Result<int> checked_dim(int dim, int rank);
// The product, or an error if it does not fit.
Result<int64_t> checked_product(std::initializer_list<int64_t> factors);
Error invalid(std::string message);

}  // namespace tidepool::inline v0_1::analyze
