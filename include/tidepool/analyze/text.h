// Networks as text: "conv 3x3 32 p1, relu, max 2, [ conv 1x1 16 | conv 3x3 16 p1 ] concat".
#pragma once

#include <string_view>

#include "tidepool/analyze/network.h"
#include "tidepool/dims.h"
#include "tidepool/export.h"

namespace tidepool::inline v0_1::analyze {

// Layers are separated by commas, each one word and its options:
//
//   conv 3x3 32 p1 s2 d2 g4 nobias   kernel, output channels, padding, stride, dilation, groups; gdw: one group per channel
//   convt 2x2 16 s2 p1 o1            transposed convolution; o: output padding
//   max 2, avg 3 s2 p1 ceil          pooling, also min, sum, lp; s: stride, the kernel size if it is not given; d, same, ceil
//   adaptive_avg 7, adaptive_max 7   pooling to a size; gap and gmp: to 1
//   fractional_max 2 out=7           pooling with random windows
//   unpool 2 s2                      max unpooling; out=7x7
//   up 2, up 2 linear align          upsampling by a factor, also cubic; resize 224x224 linear: to a size
//   linear 10 nobias, flatten, softmax, dropout, bn, ln, relu, sigmoid, … identity
//   pad 1 reflect, crop 1            at all spatial sides; 0:1x2:2 per axis, before and after
//   mean                             over the spatial dimensions
//   ( … ) x3                         the same layers three times
//   [ … | … ] concat                 branches from the same input, then concat, add or mul; an empty branch is the input itself
//   block: conv 3x3 8                a name for a layer
//   from block, add block            goes on from a named layer; adds it to (concat, mul: joins it with) the current one
//
// `shape` is C, H, W; N, C, H, W; C, L; or N, C, D, H, W. Throws Error(parse) with the position, or the error of the layer.
TIDEPOOL_API Network parse_network(const Dims& shape, std::string_view text);

}  // namespace tidepool::inline v0_1::analyze
