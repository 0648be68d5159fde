#include "core/thread_state.h"

#include <utility>

namespace tidepool::inline v0_1::detail {

constinit thread_local ThreadState thread_state;

// Not inline: an executor with fibres may end a wait on another thread than it began on, and the compiler would keep the address of the
// first thread's object in a register.
ThreadStateScope::ThreadStateScope(const ThreadState& state) noexcept : before_(std::exchange(thread_state, state)) {
  thread_state.trace = nullptr;
}
ThreadStateScope::~ThreadStateScope() { thread_state = before_; }

BackwardScope::BackwardScope() noexcept : before_(thread_state) {
  if (before_.before_backward == nullptr) thread_state.before_backward = &before_;
}
BackwardScope::~BackwardScope() { thread_state = before_; }

WaitScope::WaitScope() noexcept : before_(thread_state) {
  if (before_.before_backward != nullptr) thread_state = *before_.before_backward;
  thread_state.trace = nullptr;
}
WaitScope::~WaitScope() { thread_state = before_; }

}  // namespace tidepool::inline v0_1::detail
