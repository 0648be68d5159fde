// load_and_unload MODULE COPY: loads a module that contains the library, pools with it on several threads and unloads it, 50 times; then
// loads two copies of it side by side. Ends with 1 if a result is wrong or if memory stays mapped after every round.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tidepool/c.h"

namespace {

void check(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "failed: %s\n", what);
  std::_Exit(1);
}

// The C functions of one loaded module.
struct Module {
  void* handle;
  decltype(&tp_plan_parse) parse;
  decltype(&tp_plan_run) run;
  decltype(&tp_plan_free) free;
  decltype(&tp_last_error) last_error;

  explicit Module(const char* path) : handle(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
    if (handle == nullptr) std::fprintf(stderr, "%s\n", dlerror());
    check(handle != nullptr, "dlopen");
    find(parse, "tp_plan_parse");
    find(run, "tp_plan_run");
    find(free, "tp_plan_free");
    find(last_error, "tp_last_error");
  }

  template <class Function>
  void find(Function& function, const char* name) const {
    void* symbol = dlsym(handle, name);
    check(symbol != nullptr, name);
    std::memcpy(&function, &symbol, sizeof function);
  }

  // Large enough for the default executor's threads, with a kernel that needs scratch.
  void pool() const {
    const int64_t shape[4] = {1, 4, 128, 128};
    std::vector<float> x(4 * 128 * 128, 1), y(x.size());
    x.back() = 5;
    tp_plan* plan = nullptr;
    check(parse("max2d fwd f32 nchw 1x4x128x128 k15 s1 p7", &plan) == TP_OK, "tp_plan_parse");
    tp_arrays arrays = {};
    arrays.input = tp_dense(x.data(), TP_F32, 4, shape);
    arrays.output = tp_dense(y.data(), TP_F32, 4, shape);
    check(run(plan, &arrays, nullptr) == TP_OK, "tp_plan_run");
    free(plan);
    check(y.back() == 5 && y.front() == 1, "the result");
    check(parse("nonsense", &plan) != TP_OK && last_error()[0] != '\0', "tp_last_error");
  }

  void pool_on_threads() const {
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) threads.emplace_back([this] { pool(); });
    for (std::thread& t : threads) t.join();
  }

  void unload() const { check(dlclose(handle) == 0, "dlclose"); }
};

int64_t mapped_regions() {
  std::ifstream maps("/proc/self/maps");
  int64_t lines = 0;
  for (std::string line; std::getline(maps, line);) ++lines;
  return lines;
}

void load_in_a_loop(const char* path, bool on_this_thread) {
  int64_t after_ten = 0;
  for (int i = 0; i < 50; ++i) {
    const Module module(path);
    module.pool_on_threads();
    if (on_this_thread) module.pool();
    module.unload();
    if (i == 9) after_ten = mapped_regions();
  }
  const int64_t at_end = mapped_regions();
  // Stacks of threads and arenas of the allocator come and go; a copy of the module that stays every time would be hundreds.
  std::fprintf(stderr, "%lld mapped regions after 10 rounds, %lld after 50\n", static_cast<long long>(after_ten),
               static_cast<long long>(at_end));
  check(at_end < after_ten + 40, "memory stays mapped");
}

void use_two_copies(const char* first, const char* second) {
  const Module a(first), b(second);
  check(a.parse != b.parse, "two copies");
  std::vector<std::thread> threads;
  for (const Module* module : {&a, &b, &a, &b}) threads.emplace_back([module] { module->pool(); });
  for (std::thread& t : threads) t.join();
  a.pool();
  b.pool();
  // Each copy has its own last error.
  tp_plan* plan = nullptr;
  check(a.parse("one", &plan) != TP_OK && b.parse("two", &plan) != TP_OK, "errors");
  check(std::strstr(a.last_error(), "one") != nullptr && std::strstr(b.last_error(), "two") != nullptr, "errors of two copies");
  a.unload();
  b.pool_on_threads();
  b.unload();
}

}  // namespace

int main(int argc, char** argv) {
  check(argc == 3, "usage: load_and_unload MODULE COPY");
  load_in_a_loop(argv[1], false);
  load_in_a_loop(argv[1], true);
  use_two_copies(argv[1], argv[2]);
}
