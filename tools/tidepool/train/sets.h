// Which pictures `tidepool train` uses, and how they are said.
#pragma once

#include <string>

#include "tidepool/data/image_set.h"
#include "tidepool/data/loader.h"

namespace tidepool::cli {

struct Sets {
  data::ImageSet train, test;
  std::string note;  // why it is not what was asked for, or empty
  float mean = 0, deviation = 1;
};

// "mnist" looks in $TIDEPOOL_DATA/mnist or data/mnist, and falls back to glyphs with a note; "glyphs" draws `count` of them for training;
// anything else is a folder: with train and test inside, or split, every sixth picture for the test.
Sets load_sets(const std::string& data, int64_t count, uint64_t seed);

}  // namespace tidepool::cli
