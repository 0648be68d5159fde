// The parts that compute() consists of, one per file. Each takes the passes that its comment names.
#pragma once

#include "reference/reference.h"

namespace tidepool::reference {

// Max and min pooling, forward.
Expected max_pool(const Problem& problem, const RunArrays& arrays, std::atomic<int64_t>* done);
// Every pass that reads indices: max and min backward and double backward, unpooling in all passes.
Expected indexed(const Problem& problem, const RunArrays& arrays, std::atomic<int64_t>* done);
// Average and sum pooling, all passes.
Expected avg_pool(const Problem& problem, TensorView input, std::atomic<int64_t>* done);
// Lp pooling, all passes, with a tolerance because powers are rounded.
Expected lp_pool(const Problem& problem, const RunArrays& arrays, std::atomic<int64_t>* done);

}  // namespace tidepool::reference
