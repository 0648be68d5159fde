#include "tidepool/data/loader.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <numeric>
#include <thread>

#include "tidepool/error.h"

namespace tidepool::inline v0_1::data {

namespace {

void check_options(const LoaderOptions& o) {
  const auto refuse = [](const std::string& text) { throw Error(ErrorCode::invalid_argument, "DataLoader: " + text); };
  if (o.batch_size < 1) refuse("batch_size must be at least 1, got " + std::to_string(o.batch_size));
  if (o.prefetch < 0) refuse("prefetch must be at least 0, got " + std::to_string(o.prefetch));
  if (!(o.deviation > 0)) refuse("deviation must be above 0, got " + std::to_string(o.deviation));
}

}  // namespace

struct DataLoader::Impl {
  Impl(ImageSet s, LoaderOptions o) : set(std::move(s)), options(std::move(o)) {
    check(set);
    check_options(options);
    set.images = set.images.clone();  // contiguous, and not shared with the caller
    batches = options.drop_last ? set.size() / options.batch_size : (set.size() + options.batch_size - 1) / options.batch_size;
    start();
  }
  ~Impl() { stop(); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  // The order of the pictures in an epoch: a Fisher-Yates shuffle.
  const std::vector<int64_t>& order_of(int64_t epoch) {
    if (order_epoch == epoch) return order;
    order.resize(static_cast<size_t>(set.size()));
    std::iota(order.begin(), order.end(), int64_t{0});
    if (options.shuffle) {
      Rng rng = Rng::of(options.seed, epoch);
      for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[static_cast<size_t>(rng.below(static_cast<int64_t>(i)))]);
    }
    order_epoch = epoch;
    return order;
  }

  Batch make(LoaderPosition at) {
    const auto& picked = order_of(at.epoch);
    const int64_t begin = at.batch * options.batch_size, count = std::min(options.batch_size, set.size() - begin);
    const Dims& shape = set.images.shape();
    Batch batch{.images = Tensor({count, shape[1], shape[2], shape[3]}), .labels = Tensor({count}, DType::i64)};
    const int64_t pixels = shape[1] * shape[2] * shape[3];
    for (int64_t i = 0; i < count; ++i) {
      const int64_t example = picked[static_cast<size_t>(begin + i)];
      const uint8_t* from = set.images.data<uint8_t>() + example * pixels;
      float* to = batch.images.data<float>() + i * pixels;
      std::transform(from, from + pixels, to,
                     [this](uint8_t byte) { return (static_cast<float>(byte) / 255 - options.mean) / options.deviation; });
      batch.labels.data<int64_t>()[i] = set.labels.data<int64_t>()[example];
      if (!options.augment) continue;
      Rng rng = Rng::of(options.seed + 1, at.epoch, example);
      options.augment(span(to, {shape[1], shape[2], shape[3]}), rng);
    }
    return batch;
  }

  // The thread that prepares batches in advance.

  struct Ready {
    Batch batch;
    std::exception_ptr failure;
  };

  void start() {
    if (options.prefetch == 0) return;
    stopping = false;
    ahead = position;
    worker = std::thread([this] { work(); });
  }
  void stop() {
    {
      const std::lock_guard lock(mutex);
      stopping = true;
    }
    changed.notify_all();
    if (worker.joinable()) worker.join();
    ready.clear();
  }
  void work() {
    for (;;) {
      {
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return stopping || static_cast<int64_t>(ready.size()) < options.prefetch; });
        if (stopping || batches == 0) return;
      }
      if (ahead.batch == batches) ahead = {ahead.epoch + 1, 0};
      Ready made;
      try {
        made.batch = make(ahead);
      } catch (...) {
        made.failure = std::current_exception();
      }
      ++ahead.batch;
      {
        const std::lock_guard lock(mutex);
        ready.push_back(std::move(made));
      }
      changed.notify_all();
    }
  }
  Batch take() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [this] { return !ready.empty(); });
    Ready taken = std::move(ready.front());
    ready.pop_front();
    lock.unlock();
    changed.notify_all();
    if (taken.failure) std::rethrow_exception(taken.failure);
    return std::move(taken.batch);
  }

  ImageSet set;
  LoaderOptions options;
  int64_t batches = 0;
  LoaderPosition position;
  std::vector<int64_t> order;
  int64_t order_epoch = -1;

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Ready> ready;  // the first one belongs to `position`
  LoaderPosition ahead;     // of the next batch that the thread prepares
  bool stopping = false;
  std::thread worker;
};

DataLoader::DataLoader(ImageSet set, LoaderOptions options) : impl_(std::make_unique<Impl>(std::move(set), std::move(options))) {}
DataLoader::~DataLoader() = default;

std::optional<Batch> DataLoader::next() {
  LoaderPosition& at = impl_->position;
  if (at.batch == impl_->batches) {
    at = {at.epoch + 1, 0};
    return std::nullopt;
  }
  const LoaderPosition now = at;
  ++at.batch;
  return impl_->options.prefetch == 0 ? impl_->make(now) : impl_->take();
}

const ImageSet& DataLoader::set() const noexcept { return impl_->set; }
int64_t DataLoader::batches() const noexcept { return impl_->batches; }
LoaderPosition DataLoader::position() const noexcept { return impl_->position; }

void DataLoader::seek(LoaderPosition position) {
  if (position.epoch < 0 || position.batch < 0 || position.batch > impl_->batches)
    throw Error(ErrorCode::out_of_range, "DataLoader: a position must be in epoch 0 or later and at batch 0 to " +
                                             std::to_string(impl_->batches) + ", got epoch " + std::to_string(position.epoch) + ", batch " +
                                             std::to_string(position.batch));
  impl_->stop();
  impl_->position = position;
  impl_->start();
}

}  // namespace tidepool::inline v0_1::data
