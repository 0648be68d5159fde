// Where the numbers of a layer come from, in plain words and with the layer's own numbers.
#pragma once

#include <string>

#include "tidepool/analyze/network.h"
#include "tidepool/analyze/report.h"

namespace tidepool::inline v0_1::analyze {

// "3 × 224 × 224", without the batch.
std::string shape_text(const Dims& shape);
// The channels, or the values of a sample if there are no further dimensions.
int64_t features_of(const Dims& shape);
// "35 × 35", "100", one for each spatial axis of the inputs that the layer depends on; "–" if there is none.
std::string field_text(const Report& report, int node);
std::string stride_text(const Report& report, int node);

// Whole sentences. The node must be known.
std::string explain_shape(const Network& network, int node);
std::string explain_field(const Network& network, const Report& report, int node);
std::string explain_stride(const Network& network, const Report& report, int node);
std::string explain_parameters(const Network& network, int node);
std::string explain_multiply_adds(const Network& network, int node);
std::string explain_memory(const Network& network, const Report& report, int node);

}  // namespace tidepool::inline v0_1::analyze
