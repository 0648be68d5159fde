// Who runs the work. Results never depend on it.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

namespace tidepool {

// A borrowed callable: valid only while the call it was passed to runs.
class RangeFn {
 public:
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, RangeFn>)
  RangeFn(const F& f) noexcept  // NOLINT: implicit by design
      : object_(&f), call_([](const void* o, int64_t begin, int64_t end) { (*static_cast<const F*>(o))(begin, end); }) {}
  void operator()(int64_t begin, int64_t end) const { call_(object_, begin, end); }

 private:
  const void* object_;
  void (*call_)(const void*, int64_t, int64_t);
};

// Derive from it to run tidepool on your own thread pool.
class Executor {
 public:
  virtual ~Executor() = default;
  // How many pieces are worth making.
  virtual int concurrency() const noexcept = 0;
  // Calls body on disjoint ranges that cover [0, n), each at least `grain` long but the last, and returns when all are done.
  virtual void parallel_for(int64_t n, int64_t grain, RangeFn body) = 0;
};

// Everything on the calling thread.
Executor& serial_executor() noexcept;

// A oneTBB arena of that many threads; throws Error when threads < 1 or the build has no TBB and threads > 1.
std::unique_ptr<Executor> make_executor(int threads);

// What the functions use when no executor is given: all cores, or what set_num_threads said.
Executor& default_executor();
void set_num_threads(int threads);
int num_threads();
bool has_threads() noexcept;  // built with oneTBB

}  // namespace tidepool
