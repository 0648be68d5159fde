// The C interface of the driver, which bench/driver.py loads: creates cases and jobs, and times jobs.
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "hwy/targets.h"
#include "job.h"
#include "tidepool/runtime.h"

namespace {

using namespace tidepool::bench;

struct CaseBox {
  std::unique_ptr<Case> inside;
  std::string description;
};

std::string last_error;

std::unique_ptr<Job> make_job(Case& c, std::string_view kind) {
  if (kind == "ours") return make_ours(c);
  if (kind == "unchecked") return make_unchecked(c);
  if (kind == "one_shot") return make_one_shot(c);
  if (kind == "limit") return make_limit(c);
  if (kind == "onednn") return make_onednn(c);
  if (kind == "xnnpack") return make_xnnpack(c);
  throw Cannot("no such contender: " + std::string(kind));
}

template <class Make>
auto guarded(Make make) -> decltype(make()) {
  last_error.clear();
  try {
    return make();
  } catch (const std::exception& e) {
    last_error = e.what();
    return nullptr;
  }
}

}  // namespace

extern "C" {

// The functions below return NULL on failure; this returns the message.
const char* bench_error() { return last_error.c_str(); }

// From now on everything of tidepool that this thread runs uses the instruction set `name`, as if the CPU had no better one: the plans and
// functions, and the loop of the memory limit. Call it once, before anything else. Returns the instruction set in use; "" keeps the best.
const char* bench_target(const char* name) {
  return guarded([&]() -> const char* {
    static std::string in_use;
    if (*name != '\0') {
      thread_local std::optional<tidepool::ScopedTarget> scope;
      scope.emplace(name);
      int64_t better = 0;  // targets() lists the best first
      for (const tidepool::Target& target : tidepool::targets()) {
        if (target.name == name) break;
        better |= target.id;
      }
      hwy::DisableTargets(better);
    }
    return (in_use = tidepool::current_target()).c_str();
  });
}

CaseBox* bench_case(const char* problem, int threads, uint64_t seed) {
  return guarded([&]() -> CaseBox* {
    auto box = std::make_unique<CaseBox>();
    box->inside = make_case(problem, threads, seed);
    box->description = describe(*box->inside);
    return box.release();
  });
}

const char* bench_describe(const CaseBox* box) { return box->description.c_str(); }
void bench_case_free(CaseBox* box) { delete box; }

Job* bench_job(CaseBox* box, const char* kind) {
  return guarded([&]() -> Job* { return make_job(*box->inside, kind).release(); });
}

void bench_job_free(Job* job) { delete job; }

// Runs the job `calls` times. Returns the total seconds, or a negative number on failure.
double bench_time(Job* job, int64_t calls) {
  using Clock = std::chrono::steady_clock;
  try {
    const auto begin = Clock::now();
    for (int64_t i = 0; i < calls; ++i) job->run();
    return std::chrono::duration<double>(Clock::now() - begin).count();
  } catch (const std::exception& e) {
    last_error = e.what();
    return -1;
  }
}

// Empty if the build does not include the rival.
const char* bench_version(const char* rival) {
  static std::string text;
  const std::string_view name = rival;
  const tidepool::Version v = tidepool::version();
  text = name == "onednn"    ? onednn_version()
         : name == "xnnpack" ? xnnpack_version()
                             : std::to_string(v.major) + "." + std::to_string(v.minor) + "." + std::to_string(v.patch);
  return text.c_str();
}
}
