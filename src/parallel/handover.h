#pragma once

namespace tidepool::detail {

#ifdef TIDEPOOL_TSAN
extern "C" void __tsan_release(void* address);
extern "C" void __tsan_acquire(void* address);

// oneTBB orders its threads inside its own library, where ThreadSanitizer cannot look. This tells it about the two moments that order
// our data: what give() follows is done before whatever comes after take().
class Handover {
 public:
  void give() { __tsan_release(this); }
  void take() { __tsan_acquire(this); }
};
#else
class Handover {
 public:
  void give() {}
  void take() {}
};
#endif

}  // namespace tidepool::detail
