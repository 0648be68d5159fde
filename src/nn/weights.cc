#include "tidepool/nn/weights.h"

#include "tidepool/error.h"
#include "tidepool/io/npz.h"
#include "tidepool/io/safetensors.h"

namespace tidepool::inline v0_1::nn {

namespace {

[[noreturn]] void refuse_name(const char* function, const std::string& path) {
  throw Error(ErrorCode::invalid_argument, std::string(function) + ": file names must end in .safetensors or .npz, got '" + path + "'");
}

}  // namespace

StateDict load_weights(const std::string& path) {
  if (path.ends_with(".safetensors")) return io::read_safetensors(path).tensors;
  if (path.ends_with(".npz")) return io::read_npz(path);
  refuse_name("load_weights", path);
}

void save_weights(const std::string& path, const StateDict& weights) {
  const bool safetensors = path.ends_with(".safetensors");
  if (!safetensors && !path.ends_with(".npz")) refuse_name("save_weights", path);
  io::AtomicFile file(path);
  if (safetensors) {
    io::write_safetensors(file, {.tensors = weights, .metadata = {{"format", "pt"}}});
  } else {
    io::write_npz(file, weights);
  }
  file.commit();
}

}  // namespace tidepool::inline v0_1::nn
