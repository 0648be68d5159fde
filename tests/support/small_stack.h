// A thread with a stack of 256 KB, as on musl and in thread pools of servers.
#pragma once

#include <gtest/gtest.h>
#include <pthread.h>

#include <functional>

namespace tidepool::test {

// Sanitizers make frames several times as large.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr size_t stack_bytes = 2 << 20;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr size_t stack_bytes = 2 << 20;
#else
inline constexpr size_t stack_bytes = 256 << 10;
#endif
#else
inline constexpr size_t stack_bytes = 256 << 10;
#endif

inline void on_small_stack(const std::function<void()>& f) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, stack_bytes), 0);
  pthread_t thread{};
  const auto start = [](void* argument) -> void* {
    (*static_cast<const std::function<void()>*>(argument))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, start, const_cast<std::function<void()>*>(&f)), 0);
  EXPECT_EQ(pthread_join(thread, nullptr), 0);
  pthread_attr_destroy(&attributes);
}

}  // namespace tidepool::test
