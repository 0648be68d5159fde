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
//   adaptive_avg 7, adaptive_max 7   pooling to a size, *: to the input's; gap and gmp: to 1
//   fractional_max 2 out=7           pooling with random windows
//   unpool 2 s2                      max unpooling; out=7x7
//   up 2, up 2 linear align          upsampling by a factor, also cubic; resize 224x224 linear: to a size
//   linear 10 nobias, flatten, flatten 2 3, softmax 1, dropout, bn, ln, gn, relu, sigmoid, … identity
//   pad 1 reflect, crop 1            at all spatial sides; 0:1x2:2 per axis, before and after
//   mean, mean 2 3 keepdim           over the spatial dimensions, or those named; reduce sum 2 3: another function
//   reshape 1x16x-1, transpose 0 2 1, slice 1 0:16:2
//   elementwise exp2, unknown NMS    functions that have no word here; the second stops the analysis
//   ( … ) x3                         the same layers three times
//   [ … | … ] concat                 branches from the same input, then concat, add, sub, mul, div, merge max or matmul; an empty branch
//                                    is the input itself
//   block: conv 3x3 8                a name for a layer
//   from block, add block            goes on from a named layer; adds it to (concat, mul, …: joins it with) the current one
//   mask: input 1x64x64              another input
//
// `shape` is C, H, W; N, C, H, W; C, L; or N, C, D, H, W. Throws Error(parse) with the position, or the error of the layer.
TIDEPOOL_API Network parse_network(const Dims& shape, std::string_view text);

// One layer, as to_string(Layer) prints it. `input` is the shape that it is applied to. Throws Error(parse).
TIDEPOOL_API Layer parse_layer_text(std::string_view text, const Dims& input);

}  // namespace tidepool::inline v0_1::analyze
