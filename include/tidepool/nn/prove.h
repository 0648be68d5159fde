// Proves the fields of the analysis by gradients, and measures where in a field the gradient is large. See docs/nn.md.
#pragma once

#include <cstdint>
#include <vector>

#include "tidepool/analyze/network.h"
#include "tidepool/dims.h"
#include "tidepool/export.h"
#include "tidepool/options.h"

namespace tidepool::inline v0_1::nn {

// The cells of an input are its positions along the dimensions from 2 on; those of an input with fewer than 3 dimensions are its elements.
struct InputProof {
  int input = 0;                   // the node
  Dims cells;                      // the sizes of the dimensions that cells have
  std::vector<bool> has_gradient;  // by cell, in row-major order
  int64_t with_gradient = 0;       // cells
  int64_t computed = 0;            // cells of analyze::dependence()
  // Elements on which gradient and dependence() disagree, as positions along all dimensions: all samples and channels are compared too. At
  // most the first 16.
  std::vector<std::vector<int64_t>> gradient_only, computed_only;
};

struct Proof {
  int node = 0;
  std::vector<int64_t> cell;
  bool exact = true;               // what dependence() says of itself; if false, it may contain more cells than matter
  bool equal = true;               // exactly the computed elements have a gradient
  bool contained = true;           // no other elements have a gradient
  std::vector<InputProof> inputs;  // all of the network, in its order

  bool holds() const noexcept { return exact ? equal : contained; }
};

// Runs the network up to `node` (RunOptions::structural), takes the gradient of one cell of its output, in all samples and channels, with
// respect to the inputs, and compares the elements that receive one with analyze::dependence(), holes included. `cell` has a position for
// each dimension from 2 on. Throws Error as run_network does.
TIDEPOOL_API Proof prove(const analyze::Network& network, int node, const std::vector<int64_t>& cell);

// Where the gradient of one cell is in fact large (Luo et al., "Understanding the Effective Receptive Field in Deep Convolutional Neural
// Networks", 2016).
struct EffectiveField {
  int input = 0;
  Dims cells;                             // as in InputProof
  std::vector<double> shares;             // of the gradient's magnitude, by cell; their sum is 1, or 0 if there is no gradient
  int64_t most = 0;                       // the smallest number of cells that have 95 % of it together
  std::vector<double> centre, deviation;  // mean and standard deviation of the position, for each dimension of `cells`
};

struct EffectiveFieldOptions {
  NamedOnly named_only = NamedOnly::fields();
  Size runs = 4;  // random weights and inputs, 1 to 1000
  uint64_t seed = 0;
};

// The magnitude of the gradient with the real layers, averaged over samples, channels, and runs with other random weights and inputs. One
// entry for each input of the network.
TIDEPOOL_API std::vector<EffectiveField> effective_field(const analyze::Network& network, int node, const std::vector<int64_t>& cell,
                                                         const EffectiveFieldOptions& options = {});

}  // namespace tidepool::inline v0_1::nn
