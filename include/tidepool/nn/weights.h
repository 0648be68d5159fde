// Files of weights with PyTorch's names. Files saved from PyTorch can be loaded here, and the other way round.
//
//   net.load_state_dict(nn::load_weights("lenet.safetensors"));
//   nn::save_weights("lenet.npz", net.state_dict());
#pragma once

#include <string>

#include "tidepool/export.h"
#include "tidepool/nn/state_dict.h"

namespace tidepool::inline v0_1::nn {

// The extension decides the format: .safetensors, or .npz, which cannot hold bf16. Throws Error(parse) for invalid contents and io::IoError
// for a file that cannot be read.
TIDEPOOL_API StateDict load_weights(const std::string& path);

// Replaces the file atomically: if the program is killed, the old file or the complete new one remains.
TIDEPOOL_API void save_weights(const std::string& path, const StateDict& weights);

}  // namespace tidepool::inline v0_1::nn
