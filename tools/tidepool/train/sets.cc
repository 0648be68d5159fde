#include "train/sets.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "tidepool/error.h"

namespace tidepool::cli {

namespace fs = std::filesystem;

namespace {

constexpr int64_t max_sampled_pixels = 10'000'000;

std::string mnist_folder() {
  const char* home = std::getenv("TIDEPOOL_DATA");
  return (fs::path(home != nullptr && *home != '\0' ? home : "data") / "mnist").string();
}

Sets glyphs(int64_t count, uint64_t seed) {
  // The test set uses another seed, so that the sets have no picture in common.
  return {
      .train = data::make_glyphs(count, 2 * seed), .test = data::make_glyphs(std::max<int64_t>(count / 6, 100), 2 * seed + 1), .note = {}};
}

// The sixth picture of every six if `chosen`, else the other five.
data::ImageSet every_sixth(const data::ImageSet& all, bool chosen) {
  std::vector<int64_t> picked;
  for (int64_t i = 0; i < all.size(); ++i)
    if ((i % 6 == 5) == chosen) picked.push_back(i);
  const Dims& shape = all.images.shape();
  const auto count = static_cast<int64_t>(picked.size());
  data::ImageSet part{all.name, Tensor({count, shape[1], shape[2], shape[3]}, DType::u8), Tensor({count}, DType::i64), all.classes};
  const int64_t pixels = shape[1] * shape[2] * shape[3];
  for (int64_t i = 0; i < count; ++i) {
    const int64_t from = picked[static_cast<size_t>(i)];
    std::copy_n(all.images.data<uint8_t>() + from * pixels, pixels, part.images.data<uint8_t>() + i * pixels);
    part.labels.data<int64_t>()[i] = all.labels.data<int64_t>()[from];
  }
  return part;
}

Sets folder(const std::string& path) {
  if (fs::is_directory(fs::path(path) / "train") && fs::is_directory(fs::path(path) / "test")) {
    Sets sets{.train = data::read_image_folder(path + "/train"), .test = data::read_image_folder(path + "/test"), .note = {}};
    if (sets.train.classes != sets.test.classes) throw Error(ErrorCode::parse, path + ": train and test must hold the same classes");
    return sets;
  }
  const data::ImageSet all = data::read_image_folder(path);
  Sets sets{.train = every_sixth(all, false), .test = every_sixth(all, true), .note = {}};
  if (sets.test.size() == 0) throw Error(ErrorCode::parse, path + ": there must be at least 6 pictures, got " + std::to_string(all.size()));
  return sets;
}

// Sets mean and deviation of the pixels, from a sample if there are many.
void measure(Sets& sets) {
  const uint8_t* bytes = sets.train.images.data<uint8_t>();
  const int64_t count = std::min(sets.train.images.numel(), max_sampled_pixels);
  double sum = 0, squares = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double value = bytes[i] / 255.0;
    sum += value;
    squares += value * value;
  }
  const double mean = sum / static_cast<double>(count);
  sets.mean = static_cast<float>(mean);
  sets.deviation = static_cast<float>(std::max(std::sqrt(squares / static_cast<double>(count) - mean * mean), 1e-3));
}

}  // namespace

Sets load_sets(const std::string& data, int64_t count, uint64_t seed) {
  Sets sets;
  if (data == "mnist" && data::has_mnist(mnist_folder())) {
    sets = {.train = data::read_mnist(mnist_folder(), data::Split::train),
            .test = data::read_mnist(mnist_folder(), data::Split::test),
            .note = {}};
  } else if (data == "mnist") {
    sets = glyphs(count, seed);
    sets.note = "MNIST is not in " + mnist_folder() + " (./dev data fetches it): generated glyphs instead";
  } else if (data == "glyphs") {
    sets = glyphs(count, seed);
  } else {
    sets = folder(data);
  }
  if (sets.train.size() == 0)
    throw Error(ErrorCode::invalid_argument, "train: there are no pictures to train on (" + sets.train.name + ")");
  measure(sets);
  return sets;
}

}  // namespace tidepool::cli
