// Layers of networks from a kind and keywords.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

#include "tidepool/analyze/layers.h"

namespace tidepool::python {

// "conv", {"out_channels": 8, "kernel_size": 3}. What is not given keeps its default.
analyze::Layer read_layer(const std::string& kind, const nanobind::dict& options);

}  // namespace tidepool::python
