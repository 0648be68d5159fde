// What a run leaves behind for the eye.
#pragma once

#include <string>

#include "tidepool/tensor.h"
#include "train/training.h"

namespace tidepool::cli {

// Written aside and renamed, like all files.
void write_text(const std::string& path, const std::string& text);

std::string loss_curve(const Training& training);
std::string confusion_drawing(const Contestant& contestant, const Tensor& counts, const data::ImageSet& test);

}  // namespace tidepool::cli
