// Labelled pictures in memory, and the functions that read or generate them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tidepool/export.h"
#include "tidepool/tensor.h"

namespace tidepool::inline v0_1::data {

struct ImageSet {
  std::string name;                  // for display: "MNIST, 60000 training digits"
  Tensor images;                     // N, C, H, W of u8
  Tensor labels;                     // N of i64
  std::vector<std::string> classes;  // the name of each label

  int64_t size() const noexcept { return images.size(0); }
};

// Throws Error if images and labels differ in number, have the wrong shape or element type, or if a label has no class.
TIDEPOOL_API void check(const ImageSet& set);

enum class Split { train, test };

// Reads MNIST from a folder with its four IDX files, plain or compressed with gzip. Throws Error(parse) or io::IoError.
TIDEPOOL_API ImageSet read_mnist(const std::string& folder, Split split);
TIDEPOOL_API bool has_mnist(const std::string& folder);

// Generates pictures of digits of 28x28 pixels, with random slant, rotation, size and stroke width. The same seed gives the same pictures.
TIDEPOOL_API ImageSet make_glyphs(int64_t count, uint64_t seed);

// Reads a folder that has one subfolder per class with .png pictures or .npy arrays (H,W or C,H,W of u8), all of the same size. Alpha
// channels are ignored.
TIDEPOOL_API ImageSet read_image_folder(const std::string& folder);

// Pictures of shapes over noise for semantic segmentation. The masks hold the class of each pixel: 0 background, 1 disc, 2 square,
// 3 triangle.
struct ShapeSet {
  Tensor images;  // N, 1, side, side of f32, about 0 to 1
  Tensor masks;   // N, side, side of i64
};
TIDEPOOL_API ShapeSet make_shapes(int64_t count, int64_t side, uint64_t seed);

}  // namespace tidepool::inline v0_1::data
