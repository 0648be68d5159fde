// Weights in files, with PyTorch's names: a state dict saved there loads here, and back.
//
//   net.load_state_dict(nn::load_weights("lenet.safetensors"));
//   nn::save_weights("lenet.npz", net.state_dict());
#pragma once

#include <string>

#include "tidepool/nn/state_dict.h"

namespace tidepool::nn {

// By extension: .safetensors (all dtypes) or .npz (all but bf16). Throws Error(parse) for what is wrong in the file, io::IoError for the
// file.
StateDict load_weights(const std::string& path);

// Written aside and renamed: a kill leaves the old file or the new one, never half of one.
void save_weights(const std::string& path, const StateDict& weights);

}  // namespace tidepool::nn
