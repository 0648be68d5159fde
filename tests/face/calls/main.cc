// Runs the checks of all files of this folder.
#include <tidepool/error.h>

#include <cstdio>

#include "check.h"
#include "programs.h"

namespace {

void all() {
  face::max_pool();
  face::min_pool();
  face::avg_pool();
  face::sum_pool();
  face::lp_pool();
  face::adaptive_pool();
  face::global_pool();
  face::fractional_max_pool();
  face::max_unpool();
  face::sizes();
  face::tensors();
  face::gradients();
  face::one_header();
#ifdef FACE_NN
  face::nn_pooling();
  face::nn_layers();
#endif
}

}  // namespace

int main() {
  try {
    all();
  } catch (const tidepool::Error& error) {
    std::printf("%s\n", error.what());
    return 1;
  }
  std::printf("%d failed\n", face::failures());
  return face::failures() == 0 ? 0 : 1;
}
