#include "support/guarded.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>

namespace tidepool::test {

std::shared_ptr<std::byte> guarded_memory(int64_t bytes, Flush flush) {
  const int64_t page = sysconf(_SC_PAGESIZE);
  const int64_t body = (bytes + page - 1) / page * page;
  const size_t total = static_cast<size_t>(body + 2 * page);
  void* base = mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED) throw std::bad_alloc();
  std::byte* first = static_cast<std::byte*>(base) + page;
  if (body > 0 && mprotect(first, static_cast<size_t>(body), PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
  std::byte* data = flush == Flush::start ? first : first + body - bytes;
  return {data, [base, total](std::byte*) { munmap(base, total); }};
}

namespace {

constexpr int64_t watched = 256;  // bytes before the scratch
constexpr auto no_number = std::byte{0xFF};

struct KeptMemory {
  std::shared_ptr<std::byte> memory;
  int64_t bytes = 0;
};
thread_local KeptMemory kept;

}  // namespace

GuardedScratch::GuardedScratch(int64_t bytes) {
  const int64_t needed = watched + bytes;
  if (kept.bytes < needed) kept = {guarded_memory(needed, Flush::end), needed};
  std::byte* end = kept.memory.get() + kept.bytes;
  std::fill(end - needed, end, no_number);
  span_ = {end - bytes, static_cast<size_t>(bytes)};
}

bool GuardedScratch::intact_before() const {
  return std::all_of(span_.data() - watched, span_.data(), [](std::byte b) { return b == no_number; });
}

}  // namespace tidepool::test
