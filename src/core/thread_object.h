// Objects that every thread has one of, and that may be asked for at any time: before main, after it, and in destructors of other
// thread-local objects.
#pragma once

#include <new>
#include <utility>

namespace tidepool::inline v0_1::detail {

// The calling thread's object of type T, which it makes at the first call. Null when there is no memory for it, and while the thread ends,
// after the object was destroyed. Callers must be able to do without it.
//
// A plain thread_local T would be used after its destruction by every static destructor, because the main thread destroys its thread-local
// objects first. A pointer and a flag need no destructor, so they are valid as long as the thread runs.
template <class T>
T* thread_object() {
  static constinit thread_local T* object = nullptr;
  static constinit thread_local bool ended = false;
  struct AtThreadEnd {
    ~AtThreadEnd() {
      ended = true;
      delete std::exchange(object, nullptr);
    }
  };
  if (object == nullptr && !ended) {
    static thread_local const AtThreadEnd at_thread_end;
    (void)at_thread_end;
    object = new (std::nothrow) T;
  }
  return object;
}

}  // namespace tidepool::inline v0_1::detail
