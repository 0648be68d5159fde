// A training run that can be stopped at any step and resumed from a checkpoint with bit-identical results.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tidepool/io/safetensors.h"
#include "tidepool/nn.h"
#include "train/downsampling.h"
#include "train/sets.h"

namespace tidepool::cli {

// Everything that the final weights depend on, except the pictures.
struct TrainSettings {
  std::vector<nn::Downsampling> pools = {nn::Downsampling::max_pool};
  int64_t epochs = 5, batch_size = 64;
  double learning_rate = 2e-3;
  uint64_t seed = 1;
};

// The network with one kind of downsampling. All variants train side by side on the same batches.
struct Variant {
  nn::Downsampling downsampling;
  std::unique_ptr<nn::LeNet> net;
  std::unique_ptr<nn::Adam> optimizer;
  std::vector<float> losses;  // one per step so far
};

class Training {
 public:
  Training(const TrainSettings& settings, const Sets& sets);

  // Trains every variant on the next batch. Must not be called at the end of an epoch.
  void step();
  // True after the last batch of an epoch, until begin_next_epoch().
  bool at_epoch_end() const noexcept { return loader_.position().batch == loader_.batches(); }
  void begin_next_epoch() { (void)loader_.next(); }
  bool done() const noexcept { return at_epoch_end() && epoch() + 1 >= settings_.epochs; }
  int64_t epoch() const noexcept { return loader_.position().epoch; }  // starting at 0
  int64_t batch() const noexcept { return loader_.position().batch; }  // the next one in this epoch
  int64_t batches() const noexcept { return loader_.batches(); }
  int64_t steps() const noexcept { return epoch() * batches() + batch(); }
  const std::vector<Variant>& variants() const noexcept { return variants_; }

  // The whole state of the run. restore throws Error if it was saved with other settings.
  io::Safetensors checkpoint() const;
  void restore(const io::Safetensors& saved, const std::string& name);

 private:
  TrainSettings settings_;
  data::DataLoader loader_;
  std::vector<Variant> variants_;
};

// The confusion matrix on the test pictures: the row is the true class, the column the predicted one.
Tensor confusion(nn::LeNet& net, const Sets& sets);
double accuracy(const Tensor& confusion);

// Saves the weights with PyTorch's names. The metadata holds the input format and the classes, which `tidepool predict` needs.
void save_lenet(const std::string& path, const Variant& variant, const Sets& sets);

}  // namespace tidepool::cli
