#include "train/training.h"

#include <cmath>
#include <map>
#include <numbers>

#include "tidepool/error.h"

namespace tidepool::cli {

namespace {

data::LoaderOptions loader_options(const TrainSettings& settings, const Sets& sets) {
  const float background = -sets.mean / sets.deviation;
  return {.batch_size = settings.batch_size,
          .seed = settings.seed,
          .mean = sets.mean,
          .deviation = sets.deviation,
          .augment = data::jitter(2, 8, 0.1F, background)};
}

// Cosine annealing from the full learning rate to zero.
double rate_at(double full, int64_t step, int64_t steps) {
  return full * 0.5 * (1 + std::cos(std::numbers::pi * static_cast<double>(step) / static_cast<double>(steps)));
}

// The settings as text, as checkpoints store them. A resumed run must have the same, or its results would differ.
std::map<std::string, std::string> settings_text(const TrainSettings& s, const data::ImageSet& set) {
  std::string pools;
  for (const nn::Downsampling pool : s.pools) pools.append(pools.empty() ? "" : " ").append(downsampling_name(pool));
  return {{"data", set.name},
          {"pool", pools},
          {"epochs", std::to_string(s.epochs)},
          {"batch", std::to_string(s.batch_size)},
          {"lr", std::to_string(s.learning_rate)},
          {"seed", std::to_string(s.seed)}};
}

constexpr const char* checkpoint_format = "tidepool train 1";

void add_prefixed(io::NamedTensors& into, const std::string& prefix, const nn::StateDict& values) {
  for (const auto& [name, tensor] : values) into.emplace_back(prefix + name, tensor);
}

nn::StateDict prefixed(const io::NamedTensors& all, const std::string& prefix) {
  nn::StateDict found;
  for (const auto& [name, tensor] : all)
    if (name.starts_with(prefix)) found.emplace_back(name.substr(prefix.size()), tensor);
  return found;
}

}  // namespace

Training::Training(const TrainSettings& settings, const Sets& sets)
    : settings_(settings), loader_(sets.train, loader_options(settings, sets)) {
  const Dims& shape = sets.train.images.shape();
  for (const nn::Downsampling pool : settings.pools) {
    tidepool::manual_seed(settings.seed);  // the same initial weights for all variants, so that only the pooling differs
    auto network = std::make_unique<nn::LeNet>(nn::LeNetOptions{.classes = static_cast<int64_t>(sets.train.classes.size()),
                                                                .channels = shape[1],
                                                                .height = shape[2],
                                                                .width = shape[3],
                                                                .downsampling = pool});
    auto optimizer = std::make_unique<nn::Adam>(network->parameters(), nn::AdamOptions{.lr = settings.learning_rate});
    variants_.push_back({.downsampling = pool, .net = std::move(network), .optimizer = std::move(optimizer), .losses = {}});
  }
}

void Training::step() {
  const double rate = rate_at(settings_.learning_rate, steps(), settings_.epochs * batches());
  const auto batch = loader_.next();
  if (!batch) return;
  for (Variant& variant : variants_) {
    variant.optimizer->set_lr(rate);
    variant.optimizer->zero_grad();
    const Tensor loss = cross_entropy((*variant.net)(batch->images), batch->labels);
    loss.backward();
    variant.optimizer->step();
    variant.losses.push_back(static_cast<float>(loss.item()));
  }
}

io::Safetensors Training::checkpoint() const {
  io::Safetensors saved{.tensors = {}, .metadata = settings_text(settings_, loader_.set())};
  const tidepool::RandomState random = tidepool::random_state();
  saved.metadata["format"] = checkpoint_format;
  saved.metadata["at epoch"] = std::to_string(epoch());
  saved.metadata["at batch"] = std::to_string(batch());
  saved.metadata["random seed"] = std::to_string(random.seed);
  saved.metadata["random drawn"] = std::to_string(random.drawn);
  for (const Variant& variant : variants_) {
    const std::string name(downsampling_name(variant.downsampling));
    add_prefixed(saved.tensors, name + ".model.", variant.net->state_dict());
    add_prefixed(saved.tensors, name + ".optimizer.", variant.optimizer->state());
    saved.tensors.emplace_back(name + ".losses",
                               Tensor::from<float>({static_cast<int64_t>(variant.losses.size())}, std::span(variant.losses)));
  }
  return saved;
}

void Training::restore(const io::Safetensors& saved, const std::string& name) {
  const auto word = [&](const std::string& key) {
    const auto found = saved.metadata.find(key);
    if (found == saved.metadata.end())
      throw Error(ErrorCode::parse, name + ": not a checkpoint of tidepool train: it has no '" + key + "'");
    return found->second;
  };
  const auto number = [&](const std::string& key) {
    const std::string text = word(key);
    if (text.empty() || text.size() > 18 || text.find_first_not_of("0123456789") != std::string::npos)
      throw Error(ErrorCode::parse, name + ": '" + key + "' must be a whole number, got '" + text + "'");
    return std::stoll(text);
  };
  if (word("format") != checkpoint_format) throw Error(ErrorCode::parse, name + ": not a checkpoint of tidepool train");
  for (const auto& [key, value] : settings_text(settings_, loader_.set()))
    if (word(key) != value)
      throw Error(ErrorCode::invalid_argument, "--resume: " + name + " was begun with " + key + " " + word(key) + ", got " + value);
  for (Variant& variant : variants_) {
    const std::string prefix(downsampling_name(variant.downsampling));
    variant.net->load_state_dict(prefixed(saved.tensors, prefix + ".model."));
    variant.optimizer->load_state(prefixed(saved.tensors, prefix + ".optimizer."));
    const nn::StateDict losses = prefixed(saved.tensors, prefix + ".losses");
    if (losses.size() != 1 || losses[0].second.dtype() != DType::f32 || losses[0].second.rank() != 1)
      throw Error(ErrorCode::parse, name + ": '" + prefix + ".losses' must be there, as a row of f32");
    const Tensor& row = losses[0].second;
    variant.losses.assign(row.data<float>(), row.data<float>() + row.numel());
  }
  loader_.seek({.epoch = number("at epoch"), .batch = number("at batch")});
  tidepool::set_random_state(
      {.seed = static_cast<uint64_t>(number("random seed")), .drawn = static_cast<uint64_t>(number("random drawn"))});
}

Tensor confusion(nn::LeNet& net, const Sets& sets) {
  const NoGrad no_grad;
  net.eval();
  const auto classes = static_cast<int64_t>(sets.test.classes.size());
  Tensor counts = zeros({classes, classes}, DType::i64);
  data::DataLoader loader(sets.test, {.batch_size = 500, .shuffle = false, .mean = sets.mean, .deviation = sets.deviation});
  while (const auto batch = loader.next()) {
    const Tensor guess = argmax(net(batch->images));
    for (int64_t i = 0; i < guess.numel(); ++i)
      ++counts.data<int64_t>()[batch->labels.data<int64_t>()[i] * classes + guess.data<int64_t>()[i]];
  }
  net.train();
  return counts;
}

double accuracy(const Tensor& confusion) {
  int64_t right = 0, all = 0;
  const int64_t classes = confusion.size(0);
  for (int64_t i = 0; i < confusion.numel(); ++i) {
    const int64_t count = confusion.data<int64_t>()[i];
    all += count;
    if (i / classes == i % classes) right += count;
  }
  return static_cast<double>(right) / static_cast<double>(all);
}

void save_lenet(const std::string& path, const Variant& variant, const Sets& sets) {
  const Dims& shape = sets.train.images.shape();
  std::string classes;
  for (const std::string& name : sets.train.classes) classes.append(classes.empty() ? "" : "\n").append(name);
  const auto exact = [](float value) {  // hexadecimal notation is exact
    char text[32];
    std::snprintf(text, sizeof text, "%a", static_cast<double>(value));
    return std::string(text);
  };
  io::AtomicFile file(path);
  io::write_safetensors(file,
                        {.tensors = variant.net->state_dict(),
                         .metadata = {{"format", "pt"},
                                      {"network", "LeNet"},
                                      {"pool", std::string(downsampling_name(variant.downsampling))},
                                      {"shape", std::to_string(shape[1]) + "x" + std::to_string(shape[2]) + "x" + std::to_string(shape[3])},
                                      {"classes", classes},
                                      {"mean", exact(sets.mean)},
                                      {"deviation", exact(sets.deviation)}}});
  file.commit();
}

}  // namespace tidepool::cli
