// What there is to know about a network: shapes, receptive fields, what is lost, and costs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/range_set.h"
#include "tidepool/analyze/rational.h"
#include "tidepool/export.h"
#include "tidepool/options.h"

namespace tidepool::inline v0_1::analyze {

// A spatial dimension of an input.
struct InputAxis {
  int input = 0;  // the node
  int dim = 2;
  std::string name;  // "h"
  int64_t size = 0;
};

// The field of a layer's cells along one axis of an input. Positions are unclipped: they count padding, as the usual formulas do. What is
// inside the input is a question for dependence().
struct Field {
  int64_t size = 0;        // from the first to the last cell that a cell of the layer sees; the largest if they differ
  Rational stride;         // between the fields of neighbouring cells (jump); 0 if all cells see the same
  int64_t begin = 0;       // the first position that cell 0 sees; -begin is the effective padding
  Rational centre;         // the middle of the field of cell 0; where middles advance unevenly, that on the line through them
  Rational smallest;       // the size along the path of the network on which the field is smallest
  RangeSet holes;          // between the first and the last position that cell 0 sees
  bool depends = false;    // on this input at all
  bool at_most = false;    // an upper bound: a reshape, a random window, a concatenation along the axis or too many holes
  bool saturated = false;  // before this layer, the field was larger than the input on every path, and the layer enlarges it: it sees
                           // nothing new ("unproductive")
  bool oversized = false;  // the same on some path ("critical")
};

struct LayerReport {
  std::vector<Field> fields;  // one for each of Report::axes; empty if the node is not known
  int64_t output_bytes = 0;   // 0 for views: flatten, reshape, dropout and identity
  int64_t saved_bytes = 0;    // kept for the backward pass, in addition to what is counted for earlier layers
  int64_t moved_bytes = 0;    // inputs, parameters and output, once each
  double seconds = 0;         // moved_bytes at memory speed
};

// Cells of a layer's input that no window reads.
struct Loss {
  int node = 0;
  int dim = 2;                                     // of the layer's input
  RangeSet cells;                                  // along it
  std::vector<std::pair<int, RangeSet>> of_input;  // what the network loses by it: index into Report::axes, and positions
  bool elsewhere = false;                          // another path reads all of it
  std::vector<std::string> remedies;               // the smallest changes of each kind that keep the cells
};

// Paths whose fields have different strides or middles meet in a layer.
struct Misalignment {
  int node = 0;
  int axis = 0;                                      // index into Report::axes
  std::vector<std::pair<Rational, Rational>> paths;  // stride and middle of cell 0, for each input of the layer
};

struct Report {
  std::vector<InputAxis> axes;
  std::vector<LayerReport> layers;  // by node
  std::vector<Loss> losses;
  std::vector<Misalignment> misalignments;
  std::vector<RangeSet> unseen;          // for each axis: positions that no output depends on
  std::vector<std::string> input_sizes;  // sizes near those of the inputs with which nothing is lost
  std::vector<int> unknown;              // nodes of unknown layers

  int64_t parameters = 0;
  int64_t multiply_adds = 0;
  int64_t activation_bytes = 0;  // all outputs together
  int64_t inference_bytes = 0;   // the most that is alive at one time, without the parameters
  int64_t training_bytes = 0;    // the same, with what the backward pass needs and gradients of activations
  int64_t moved_bytes = 0;
  double seconds = 0;  // moved_bytes at memory speed
};

struct Options {
  NamedOnly named_only = NamedOnly::fields();
  int64_t element_size = 4;        // bytes: f32
  double bytes_per_second = 10e9;  // memory speed
};

// Layers behind an unknown one have no fields. Throws Error for networks whose fields cannot be listed.
TIDEPOOL_API Report analyze(const Network& network, const Options& options = {});

// The positions along each of Report::axes that one cell of a layer sees, as in Field: unclipped. Empty for axes on which it does not
// depend. `cell` has one position for each dimension from 2 on; if the axis has moved to another dimension, those of all cells are given
// together.
TIDEPOOL_API std::vector<RangeSet> unclipped_field(const Network& network, int node, const std::vector<int64_t>& cell);

}  // namespace tidepool::inline v0_1::analyze
