// The charts that a training run writes.
#pragma once

#include <string>

#include "tidepool/tensor.h"
#include "train/training.h"

namespace tidepool::cli {

// Writes a text file atomically.
void write_text(const std::string& path, const std::string& text);

std::string loss_curve(const Training& training);
std::string confusion_drawing(const Variant& variant, const Tensor& counts, const data::ImageSet& test);

}  // namespace tidepool::cli
