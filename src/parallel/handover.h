#pragma once

namespace tidepool::detail {

#ifdef TIDEPOOL_TSAN
extern "C" void __tsan_release(void* address);
extern "C" void __tsan_acquire(void* address);
#endif

// oneTBB orders its threads inside its own library, where ThreadSanitizer cannot look. This tells it about the two moments that order
// our data: what give() follows is done before whatever comes after take(). In other builds it is nothing.
class Handover {
 public:
#ifdef TIDEPOOL_TSAN
  void give() { __tsan_release(this); }
  void take() { __tsan_acquire(this); }
#else
  void give() {}
  void take() {}
#endif
};

// At the end of the scope, because an exception is handed over too.
struct GiveAtEnd {
  Handover& handover;
  ~GiveAtEnd() { handover.give(); }
};
struct TakeAtEnd {
  Handover& handover;
  ~TakeAtEnd() { handover.take(); }
};

}  // namespace tidepool::detail
