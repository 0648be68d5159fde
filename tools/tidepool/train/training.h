// A run of training that can be stopped anywhere and goes on from its checkpoint with the same bits.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tidepool/io/safetensors.h"
#include "tidepool/nn.h"
#include "train/lenet.h"
#include "train/sets.h"

namespace tidepool::cli {

// Everything the final weights depend on, besides the pictures.
struct TrainSettings {
  std::vector<Shrink> pools = {Shrink::max};
  int64_t epochs = 5, batch_size = 64;
  double learning_rate = 2e-3;
  uint64_t seed = 1;
};

struct Contestant {
  Shrink shrink;
  std::unique_ptr<LeNet> net;
  std::unique_ptr<nn::Adam> optimizer;
  std::vector<float> losses;  // of every step so far
};

class Training {
 public:
  Training(const TrainSettings& settings, const Sets& sets);

  // One batch for every contestant; not at the end of an epoch.
  void step();
  // After the last batch of an epoch, before the first of the next.
  bool at_epoch_end() const noexcept { return loader_.position().batch == loader_.batches(); }
  void begin_next_epoch() { (void)loader_.next(); }
  bool done() const noexcept { return at_epoch_end() && epoch() + 1 >= settings_.epochs; }
  int64_t epoch() const noexcept { return loader_.position().epoch; }  // counted from 0
  int64_t batch() const noexcept { return loader_.position().batch; }  // next one of this epoch
  int64_t batches() const noexcept { return loader_.batches(); }
  int64_t steps() const noexcept { return epoch() * batches() + batch(); }
  const std::vector<Contestant>& contestants() const noexcept { return contestants_; }

  // The whole state. restore refuses, with Error, what was saved under other settings.
  io::Safetensors checkpoint() const;
  void restore(const io::Safetensors& saved, const std::string& name);

 private:
  TrainSettings settings_;
  data::DataLoader loader_;
  std::vector<Contestant> contestants_;
};

// Row: the true class, column: the predicted one.
Tensor confusion(LeNet& net, const Sets& sets);
double accuracy(const Tensor& confusion);

// Weights with PyTorch's names, and in the metadata what predict needs to know.
void save_lenet(const std::string& path, const Contestant& contestant, const Sets& sets);

}  // namespace tidepool::cli
