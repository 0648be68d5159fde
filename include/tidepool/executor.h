// Executors run the parts of a computation on threads. Results do not depend on the executor or on the number of threads.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

#include "tidepool/export.h"

namespace tidepool::inline v0_1 {

// A reference to a callable: valid only during the call that it is passed to.
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

// Derive from this class to run tidepool on another thread pool.
class TIDEPOOL_API Executor {
 public:
  virtual ~Executor() = default;
  // The number of threads that work is split for.
  virtual int concurrency() const noexcept = 0;
  // Calls body on disjoint ranges that cover [0, n) and returns when all calls have returned. Only the last range may be shorter than
  // `grain`. While it waits, the thread may do other work, also with tidepool; that work sees the thread's NoGrad and ScopedTarget, but not
  // those of a backward pass in which the thread waits. May throw when no call of body is left running: then the run throws the same
  // exception, and its output is incomplete.
  //
  // The library's own executors call body with the NoGrad and the ScopedTarget of the caller, on whichever thread. A call from inside a
  // body does no other work while it waits.
  virtual void parallel_for(int64_t n, int64_t grain, RangeFn body) = 0;
};

// Runs everything on the calling thread.
TIDEPOOL_API Executor& serial_executor() noexcept;

// A oneTBB arena with that many threads. Throws Error when threads < 1, or when threads > 1 in a build without oneTBB.
TIDEPOOL_API std::unique_ptr<Executor> make_executor(int threads);

// The executor of every call that is given none: one thread per core, or the number last passed to set_num_threads.
TIDEPOOL_API Executor& default_executor();
TIDEPOOL_API void set_num_threads(int threads);
TIDEPOOL_API int num_threads();
TIDEPOOL_API bool has_threads() noexcept;  // whether this build has oneTBB

}  // namespace tidepool::inline v0_1
