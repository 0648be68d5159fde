// Batches of pictures in random order. A background thread prepares the next batches while the current one is in use.
//
//   DataLoader loader(read_mnist("data/mnist", Split::train), {.batch_size = 64, .seed = 1});
//   while (auto batch = loader.next()) train(batch->images, batch->labels);   // one epoch; the next call starts another
//
// The contents of a batch depend only on the options, the epoch and the number of the batch. To resume a run, save position() and call
// seek().
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "tidepool/data/image_set.h"
#include "tidepool/data/rng.h"
#include "tidepool/export.h"
#include "tidepool/options.h"

namespace tidepool::inline v0_1::data {

// Changes one C, H, W picture of f32 in place, on the loader's thread. It must take its random numbers from `rng`, so that a resumed run
// gets the same pictures.
using Augment = std::function<void(TensorSpan picture, Rng& rng)>;

// Shifts pictures by up to `pixels` in each direction, rotates them by up to `degrees` and scales them by up to 1 ± `scale`. Pixels from
// outside the picture get the value `background`.
TIDEPOOL_API Augment jitter(float pixels, float degrees, float scale, float background);

struct LoaderOptions {
  NamedOnly named_only = NamedOnly::fields();
  int64_t batch_size = 64;
  bool shuffle = true;
  bool drop_last = false;  // skip the last batch of an epoch if it is smaller than batch_size
  uint64_t seed = 0;
  float mean = 0, deviation = 1;  // pixels become (byte / 255 - mean) / deviation
  Augment augment = {};           // applied after that
  int64_t prefetch = 2;           // batches prepared in advance; 0 prepares each batch in next(), without a thread
};

struct Batch {
  Tensor images;  // B, C, H, W of f32
  Tensor labels;  // B of i64
};

struct LoaderPosition {
  int64_t epoch = 0;
  int64_t batch = 0;  // the one that next() returns
  friend bool operator==(const LoaderPosition&, const LoaderPosition&) = default;
};

class TIDEPOOL_API DataLoader {
 public:
  // Throws Error if check(set) does or an option is out of range.
  DataLoader(ImageSet set, LoaderOptions options);
  ~DataLoader();
  DataLoader(const DataLoader&) = delete;
  DataLoader& operator=(const DataLoader&) = delete;

  // Returns no batch at the end of an epoch. Rethrows exceptions of the augmentation.
  std::optional<Batch> next();

  const ImageSet& set() const noexcept;
  int64_t batches() const noexcept;  // per epoch
  LoaderPosition position() const noexcept;
  void seek(LoaderPosition position);  // position {2, batches()} is the end of epoch 2

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tidepool::inline v0_1::data
