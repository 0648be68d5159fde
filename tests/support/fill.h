// Contents for test arrays.
#pragma once

#include "support/rng.h"
#include "tidepool/tensor.h"

namespace tidepool::test {

enum class Contents {
  smooth,    // many different values
  ties,      // few different values, signed zeros among them
  specials,  // zeros of both signs, infinities, denormals, extremes and NaNs of several payloads
  identity,  // only the identity of max, so that the index alone tells the cells apart
  finite,    // specials without infinities and NaNs, for gradients: their sums then do not depend on the order
};

// Writes every cell, whatever the strides, in row-major order.
void fill(TensorSpan array, Contents contents, Rng& rng);
Contents random_contents(Rng& rng);

}  // namespace tidepool::test
