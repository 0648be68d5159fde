// The training and test pictures of `tidepool train`.
#pragma once

#include <string>

#include "tidepool/data/image_set.h"
#include "tidepool/data/loader.h"

namespace tidepool::cli {

struct Sets {
  data::ImageSet train, test;
  std::string note;  // why other data is used than requested, or empty
  float mean = 0, deviation = 1;
};

// `data` is "mnist", "glyphs" or a folder. MNIST is read from $TIDEPOOL_DATA/mnist or data/mnist; if it is not there, glyphs are used and
// `note` says so. "glyphs" generates `count` training pictures. A folder has subfolders train and test, or every sixth picture becomes a
// test picture.
Sets load_sets(const std::string& data, int64_t count, uint64_t seed);

}  // namespace tidepool::cli
