#include "job.h"
#include "tidepool/ops/max_pool.h"

namespace tidepool::bench {

namespace {

class Ours : public Job {
 public:
  explicit Ours(Case& c) : c_(c) {}
  void run() override { c_.plan.run(c_.data.arrays, *c_.executor); }

 private:
  Case& c_;
};

class Limit : public Job {
 public:
  explicit Limit(Case& c) : c_(c) {}
  void run() override { cli::stream_limit(c_.data, *c_.executor); }

 private:
  Case& c_;
};

// The same without the check of the indices. With one thread, a plan leaves to its executor what it checks and does the rest itself, so an
// executor that does nothing leaves the check out. Whoever times this compares the result, which shows if a plan ever works otherwise.
class Unchecked : public Job {
 public:
  explicit Unchecked(Case& c) : c_(c) {}
  void run() override { c_.plan.run(c_.data.arrays, nothing_); }

 private:
  class Nothing final : public Executor {
   public:
    int concurrency() const noexcept override { return 1; }
    void parallel_for(int64_t, int64_t, RangeFn) override {}
  };

  Case& c_;
  Nothing nothing_;
};

class OneShot : public Job {
 public:
  explicit OneShot(Case& c) : c_(c) {
    const Geometry& g = c.problem().geometry;
    options_.kernel_size = {g.height().kernel(), g.width().kernel()};
    options_.stride = {g.height().stride(), g.width().stride()};
  }
  void run() override { result_ = max_pool2d(c_.data.arrays.input, options_); }

 private:
  Case& c_;
  MaxPoolOptions<2> options_;
  Tensor result_;
};

}  // namespace

std::unique_ptr<Job> make_ours(Case& c) { return std::make_unique<Ours>(c); }

std::unique_ptr<Job> make_unchecked(Case& c) { return std::make_unique<Unchecked>(c); }

std::unique_ptr<Job> make_limit(Case& c) { return std::make_unique<Limit>(c); }

std::unique_ptr<Job> make_one_shot(Case& c) {
  const Problem& p = c.problem();
  const auto windows = regular_windows(p.geometry);
  const bool plain = windows && windows->pad_before == std::array<int64_t, 3>{} && windows->dilation == std::array<int64_t, 3>{1, 1, 1};
  if (p.op != Op::max || p.geometry.rank() != 2 || p.pass != Pass::forward || p.indices || !plain)
    throw Cannot("the one-shot call is measured on plain 2-D max pooling");
  return std::make_unique<OneShot>(c);
}

}  // namespace tidepool::bench
