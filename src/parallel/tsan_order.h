// Tells ThreadSanitizer about the order that oneTBB gives to our data.
#pragma once

namespace tidepool::inline v0_1::detail {

#ifdef TIDEPOOL_TSAN
extern "C" void __tsan_release(void* address);
extern "C" void __tsan_acquire(void* address);
#endif

// oneTBB synchronises its threads inside its own library, which is not instrumented, so ThreadSanitizer does not see it. Everything before
// release() happens before everything after acquire() on the same object. In other builds both do nothing.
class TsanOrder {
 public:
#ifdef TIDEPOOL_TSAN
  void release() { __tsan_release(this); }
  void acquire() { __tsan_acquire(this); }
#else
  void release() {}
  void acquire() {}
#endif
};

// In destructors, because the order also holds when the scope is left by an exception.
struct ReleaseAtEnd {
  TsanOrder& order;
  ~ReleaseAtEnd() { order.release(); }
};
struct AcquireAtEnd {
  TsanOrder& order;
  ~AcquireAtEnd() { order.acquire(); }
};

}  // namespace tidepool::inline v0_1::detail
