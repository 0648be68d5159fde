// Batches of a set in random order, made on another thread while the last one is used.
//
//   DataLoader loader(read_mnist("data/mnist", Split::train), {.batch_size = 64, .seed = 1});
//   while (auto batch = loader.next()) train(batch->images, batch->labels);   // one epoch; the next call begins another
//
// What a batch holds depends on the options, the epoch and its number alone: position() and seek() are all that resuming needs.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "tidepool/data/image_set.h"
#include "tidepool/data/rng.h"

namespace tidepool::data {

// Changes one C, H, W picture of f32 in place. Take random numbers from `rng` alone, and resuming gives the same pictures.
// Runs on the loader's thread.
using Augment = std::function<void(TensorSpan picture, Rng& rng)>;

// Moves pictures by up to `pixels`, turns and scales them a little; what comes in from outside is `background`.
Augment jitter(float pixels, float degrees, float scale, float background);

struct LoaderOptions {
  int64_t batch_size = 64;
  bool shuffle = true;
  bool drop_last = false;  // leave out a last batch that is smaller
  uint64_t seed = 0;
  float mean = 0, deviation = 1;  // pixels become (byte / 255 - mean) / deviation
  Augment augment = {};           // after that
  int64_t prefetch = 2;           // batches made ahead; 0 makes them when asked
};

struct Batch {
  Tensor images;  // B, C, H, W of f32
  Tensor labels;  // B of i64
};

struct LoaderPosition {
  int64_t epoch = 0;
  int64_t batch = 0;  // the next one to be handed out
  friend bool operator==(const LoaderPosition&, const LoaderPosition&) = default;
};

class DataLoader {
 public:
  // Throws Error when the set is not right or an option makes no sense.
  DataLoader(ImageSet set, LoaderOptions options);
  ~DataLoader();
  DataLoader(const DataLoader&) = delete;
  DataLoader& operator=(const DataLoader&) = delete;

  // Nothing at the end of an epoch. Throws what the augmentation threw.
  std::optional<Batch> next();

  const ImageSet& set() const noexcept;
  int64_t batches() const noexcept;  // of an epoch
  LoaderPosition position() const noexcept;
  void seek(LoaderPosition position);  // position {2, batches()} is the end of epoch 2

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tidepool::data
