// Pictures with a class each, all in memory, and the places they come from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tidepool/tensor.h"

namespace tidepool::data {

struct ImageSet {
  std::string name;                  // for people: "MNIST, 60000 training digits"
  Tensor images;                     // N, C, H, W of u8
  Tensor labels;                     // N of i64
  std::vector<std::string> classes;  // what the labels mean

  int64_t size() const noexcept { return images.size(0); }
};

// Throws Error when images and labels do not fit each other or a label names no class.
void check(const ImageSet& set);

enum class Split { train, test };

// The four IDX files of MNIST, plain or gzipped, from one folder. Throws Error(parse) or io::IoError.
ImageSet read_mnist(const std::string& folder, Split split);
bool has_mnist(const std::string& folder);

// Digits drawn by a program: bent, turned, thick and thin, on 28x28 pixels. The same seed gives the same pictures.
ImageSet make_glyphs(int64_t count, uint64_t seed);

// A folder for each class, in it .png pictures or .npy arrays (H,W or C,H,W of u8), all of one size. A picture's alpha is left out.
ImageSet read_image_folder(const std::string& folder);

// Pictures of shapes over noise, and what each pixel shows: 0 nothing, 1 a disc, 2 a square, 3 a triangle.
struct ShapeSet {
  Tensor images;  // N, 1, side, side of f32, about 0 to 1
  Tensor masks;   // N, side, side of i64
};
ShapeSet make_shapes(int64_t count, int64_t side, uint64_t seed);

}  // namespace tidepool::data
