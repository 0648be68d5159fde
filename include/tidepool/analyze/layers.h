// The layers that the analysis knows, with the options that decide shapes, fields and costs. They have no weights.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tidepool/dims.h"
#include "tidepool/export.h"
#include "tidepool/extent.h"
#include "tidepool/geometry.h"
#include "tidepool/problem.h"

namespace tidepool::inline v0_1::analyze {

// An input of the network. Dimension 0 is the batch.
struct Input {};

// A value that does not depend on any input, such as weights that are added.
struct Constant {};

struct Conv {
  int64_t out_channels = 0;
  Sizes kernel_size = {};
  Sizes stride{{1}, 1};
  Pads padding = {};
  Sizes dilation{{1}, 1};
  int64_t groups = 1;
  bool bias = true;
};

struct ConvTranspose {
  int64_t out_channels = 0;
  Sizes kernel_size = {};
  Sizes stride{{1}, 1};
  Pads padding = {};
  Sizes output_padding{{0}, 1};
  Sizes dilation{{1}, 1};
  int64_t groups = 1;
  bool bias = true;
};

// Pooling with regular windows. max, min, avg, sum or lp.
struct Pool {
  Op op = Op::max;
  WindowOptions windows = {};
};

// Pooling with windows that cover the input. With output size 1, global pooling.
struct AdaptivePool {
  Op op = Op::avg;
  Sizes output_size = {};
};

// Pooling with windows whose starts are random.
struct FractionalPool {
  Sizes kernel_size = {};
  Sizes output_size = {};
};

// The inverse of a max pooling. Its second input, the indices, is not an input of the layer here.
struct Unpool {
  WindowOptions windows = {};
  Sizes output_size = {};  // unset: the smallest
};

// Upsampling and downsampling by interpolation.
struct Resize {
  enum class Mode : uint8_t { nearest, linear, cubic };
  // Where the cells of the output lie in the input.
  enum class Coordinates : uint8_t {
    half_pixel,     // the middles of the first and last cells are half a cell from the ends in both
    align_corners,  // the middles of the first and last cells coincide
    asymmetric,     // the first cells begin at the same place: PyTorch's nearest
  };
  enum class Rounding : uint8_t { floor, ceil, round_down, round_up };  // of coordinates, for nearest

  Mode mode = Mode::nearest;
  Coordinates coordinates = Coordinates::asymmetric;
  Rounding rounding = Rounding::floor;
  Sizes output_size = {};  // either this
  Ratios scale = {};       // or this; the output size is rounded down, and coordinates follow from the two sizes
};

// A matrix product along the last dimension.
struct Linear {
  int64_t out_features = 0;
  bool bias = true;
};

// A layer that computes every element from the element at the same place.
struct Elementwise {
  enum class Kind : uint8_t {
    activation,
    normalisation,  // with statistics that do not depend on the input, as batch normalisation in inference
    dropout,
    identity,
  };
  Kind kind = Kind::identity;
  std::string function;                // "relu"
  int64_t parameters_per_channel = 0;  // 2 for batch normalisation
  bool saves_output = false;           // its backward pass reads the output (relu); otherwise the input
};

// Normalisation with statistics of the input itself: over all elements of a sample, of a group of channels, or of a channel. Strictly,
// every cell then depends on the whole plane; the analysis follows the cell at the same place.
struct StatisticsNorm {
  std::string function;  // "layer_norm"
  int64_t parameters = 0;
};

struct Softmax {
  int dim = 1;
};

// A function of two or more inputs at the same place. Sizes of 1 broadcast.
struct Merge {
  enum class Kind : uint8_t { add, multiply, other };
  Kind kind = Kind::add;
  std::string function = "add";
};

struct Concat {
  int dim = 1;
};

struct Flatten {
  int start_dim = 1, end_dim = -1;
};

// Followed where the sizes of spatial dimensions are kept, or merged with others.
struct Reshape {
  Dims shape = {};  // complete: no -1
};

struct Transpose {
  std::vector<int> order;
};

struct Slice {
  int dim = 0;
  int64_t begin = 0, end = 0, step = 1;
};

struct Pad {
  enum class Mode : uint8_t { constant, reflect, replicate, circular };
  std::vector<Sides> sides;  // one per dimension; negative sides crop
  Mode mode = Mode::constant;
};

// A mean, sum or maximum over whole dimensions.
struct Reduce {
  std::string function = "mean";
  std::vector<int> dims;
  bool keepdim = false;
};

// A matrix product of two values, as in attention: its last two dimensions see whole rows and columns.
struct MatMul {};

// A layer that the analysis does not know. What depends on it is not analysed.
struct Unknown {
  std::string function;
};

using Layer = std::variant<Input, Constant, Conv, ConvTranspose, Pool, AdaptivePool, FractionalPool, Unpool, Resize, Linear, Elementwise,
                           StatisticsNorm, Softmax, Merge, Concat, Flatten, Reshape, Transpose, Slice, Pad, Reduce, MatMul, Unknown>;

// The layer in the short text form: "conv 3x3 32 p1".
TIDEPOOL_API std::string to_string(const Layer& layer);

// The kind of layer in one word: "conv", "max_pool", "add".
TIDEPOOL_API std::string kind_of(const Layer& layer);

}  // namespace tidepool::inline v0_1::analyze
