#include "tidepool/data/loader.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <list>
#include <mutex>
#include <numeric>
#include <thread>
#include <utility>

#include "core/portable.h"
#include "tidepool/error.h"

#if TIDEPOOL_POSIX
#include <unistd.h>
#endif

namespace tidepool::inline v0_1::data {

namespace {

void check_options(const LoaderOptions& o) {
  const auto refuse = [](const std::string& text) { throw Error(ErrorCode::invalid_argument, "DataLoader: " + text); };
  if (o.batch_size < 1) refuse("batch_size must be at least 1, got " + std::to_string(o.batch_size));
  if (o.prefetch < 0) refuse("prefetch must be at least 0, got " + std::to_string(o.prefetch));
  if (!(o.deviation > 0)) refuse("deviation must be above 0, got " + std::to_string(o.deviation));
}

int64_t process_id() {
#if TIDEPOOL_POSIX
  return getpid();
#else
  return 0;
#endif
}

// Makes batches. It keeps the order of one epoch, so every thread has its own.
class BatchMaker {
 public:
  BatchMaker(const ImageSet& set, const LoaderOptions& options) : set_(set), options_(options) {}

  Batch make(LoaderPosition at) {
    const auto& picked = order_of(at.epoch);
    const int64_t begin = at.batch * options_.batch_size, count = std::min(options_.batch_size, set_.size() - begin);
    const Dims& shape = set_.images.shape();
    Batch batch{.images = Tensor({count, shape[1], shape[2], shape[3]}), .labels = Tensor({count}, DType::i64)};
    const int64_t pixels = shape[1] * shape[2] * shape[3];
    for (int64_t i = 0; i < count; ++i) {
      const int64_t example = picked[static_cast<size_t>(begin + i)];
      const uint8_t* from = set_.images.data<uint8_t>() + example * pixels;
      float* to = batch.images.data<float>() + i * pixels;
      std::transform(from, from + pixels, to,
                     [this](uint8_t byte) { return (static_cast<float>(byte) / 255 - options_.mean) / options_.deviation; });
      batch.labels.data<int64_t>()[i] = set_.labels.data<int64_t>()[example];
      if (!options_.augment) continue;
      Rng rng = Rng::of(options_.seed + 1, at.epoch, example);
      options_.augment(span(to, {shape[1], shape[2], shape[3]}), rng);
    }
    return batch;
  }

 private:
  // The order of the pictures in an epoch: a Fisher-Yates shuffle.
  const std::vector<int64_t>& order_of(int64_t epoch) {
    if (order_epoch_ == epoch) return order_;
    order_.resize(static_cast<size_t>(set_.size()));
    std::iota(order_.begin(), order_.end(), int64_t{0});
    if (options_.shuffle) {
      Rng rng = Rng::of(options_.seed, epoch);
      for (size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[static_cast<size_t>(rng.below(static_cast<int64_t>(i)))]);
    }
    order_epoch_ = epoch;
    return order_;
  }

  const ImageSet& set_;
  const LoaderOptions& options_;
  std::vector<int64_t> order_;
  int64_t order_epoch_ = -1;
};

// A thread that prepares batches in advance, from `start` on.
class Prefetcher {
 public:
  Prefetcher(const ImageSet& set, const LoaderOptions& options, int64_t batches, LoaderPosition start)
      : maker_(set, options), prefetch_(options.prefetch), batches_(batches), ahead_(start), worker_([this] { work(); }) {}
  ~Prefetcher() {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    worker_.join();
  }
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;

  Batch take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !ready_.empty() || failure_ != nullptr; });
    std::list<Batch> taken;
    std::exception_ptr failure;
    if (ready_.empty())
      failure = std::exchange(failure_, nullptr);
    else
      taken.splice(taken.end(), ready_, ready_.begin());
    lock.unlock();
    changed_.notify_all();
    if (failure != nullptr) std::rethrow_exception(failure);
    return std::move(taken.front());
  }

  // Whether this process has the thread. The child of a fork has not.
  bool is_here() const { return process_ == process_id(); }

 private:
  // Whatever fails on this thread reaches the caller of take(), also lack of memory. Nothing outside the try allocates.
  void work() {
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return stopping_ || (failure_ == nullptr && static_cast<int64_t>(ready_.size()) < prefetch_); });
        if (stopping_ || batches_ == 0) return;
      }
      if (ahead_.batch == batches_) ahead_ = {ahead_.epoch + 1, 0};
      std::list<Batch> made;
      std::exception_ptr failure;
      try {
        made.push_back(maker_.make(ahead_));
      } catch (...) {
        failure = std::current_exception();
      }
      ++ahead_.batch;
      {
        const std::lock_guard lock(mutex_);
        ready_.splice(ready_.end(), made);
        failure_ = std::move(failure);
      }
      changed_.notify_all();
    }
  }

  BatchMaker maker_;
  int64_t prefetch_, batches_;
  LoaderPosition ahead_;  // of the next batch that the thread prepares
  int64_t process_ = process_id();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::list<Batch> ready_;
  std::exception_ptr failure_;  // why there is no batch after those; the thread waits until it is taken
  bool stopping_ = false;
  std::thread worker_;  // last, because it uses the other members
};

}  // namespace

struct DataLoader::Impl {
  Impl(ImageSet s, LoaderOptions o) : set(std::move(s)), options(std::move(o)) {
    check(set);
    check_options(options);
    set.images = set.images.clone();  // contiguous, and not shared with the caller
    batches = options.drop_last ? set.size() / options.batch_size : (set.size() + options.batch_size - 1) / options.batch_size;
    start(position);
  }
  ~Impl() { stop(); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void start(LoaderPosition at) {
    if (options.prefetch > 0) prefetcher = std::make_unique<Prefetcher>(set, options, batches, at);
  }
  // In the child of a fork, the thread cannot be joined, and its lock may be held forever. The object is left to the end of the process.
  void stop() {
    if (prefetcher != nullptr && !prefetcher->is_here()) (void)prefetcher.release();  // NOLINT(bugprone-unused-return-value)
    prefetcher.reset();
  }

  Batch take(LoaderPosition at) {
    if (prefetcher == nullptr) return maker.make(at);
    if (!prefetcher->is_here()) {
      stop();
      start(at);
    }
    return prefetcher->take();
  }

  ImageSet set;
  LoaderOptions options;
  int64_t batches = 0;
  LoaderPosition position;
  BatchMaker maker{set, options};
  std::unique_ptr<Prefetcher> prefetcher;  // its first batch is the one at `position`; null without prefetching
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
  return impl_->take(now);
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
  impl_->start(position);
}

}  // namespace tidepool::inline v0_1::data
