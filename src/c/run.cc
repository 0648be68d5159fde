#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "c/guard.h"
#include "c/plan_handle.h"
#include "c/struct_size.h"
#include "core/checked.h"
#include "ops/fractional_starts.h"
#include "tidepool/creation.h"
#include "tidepool/executor.h"

namespace tidepool::inline v0_1::c {
namespace {

TensorSpan span_of(const char* function, const char* name, const tp_array& a) {
  if (a.dtype < 0 || a.dtype >= static_cast<int32_t>(all_dtypes.size()))
    detail::fail(function, ErrorCode::dtype_mismatch, std::string(name) + " has no known dtype, got " + std::to_string(a.dtype));
  if (a.rank < 0 || a.rank > TP_MAX_RANK)
    detail::fail(function, ErrorCode::invalid_argument, std::string(name) + " must have rank 0 to 8, got " + std::to_string(a.rank));
  const auto dims = [&](const int64_t* values) { return Dims(std::span<const int64_t>(values, static_cast<size_t>(a.rank))); };
  return {{static_cast<std::byte*>(a.data), static_cast<DType>(a.dtype), dims(a.shape), dims(a.strides)}};
}

// Runs work on the thread pool of tp_run_options.
class CallerExecutor final : public Executor {
 public:
  explicit CallerExecutor(const tp_run_options& run) : run_(run) {}
  int concurrency() const noexcept override { return run_.concurrency > 1 ? run_.concurrency : 1; }
  void parallel_for(int64_t n, int64_t grain, RangeFn body) override {
    const auto call = [](void* work, int64_t begin, int64_t end) { (*static_cast<RangeFn*>(work))(begin, end); };
    run_.parallel_for(run_.user, n, grain, call, &body);
  }

 private:
  const tp_run_options& run_;
};

// Scratch from tp_run_options::allocate. The caller's functions may throw: an exception of release() is the error of a run that has
// succeeded, and is dropped when the run has failed.
class CallerScratch {
 public:
  CallerScratch(const tp_run_options& run, size_t bytes) : run_(run), bytes_(bytes) {
    if (bytes == 0) return;
    memory_ = run.allocate(run.user, bytes);
    if (memory_ == nullptr)
      throw Error(ErrorCode::out_of_memory, "tp_plan_run: allocate returned NULL for " + std::to_string(bytes) + " bytes");
  }
  ~CallerScratch() {
    try {
      release();
    } catch (...) {  // NOLINT(bugprone-empty-catch): the error of the run is reported
    }
  }
  CallerScratch(const CallerScratch&) = delete;
  CallerScratch& operator=(const CallerScratch&) = delete;

  void release() {
    if (void* memory = std::exchange(memory_, nullptr); memory != nullptr && run_.release != nullptr)
      run_.release(run_.user, memory, bytes_);
  }
  std::span<std::byte> span() const {
    if (reinterpret_cast<uintptr_t>(memory_) % 64 != 0)
      throw Error(ErrorCode::invalid_argument, "tp_plan_run: allocate must align to 64 bytes");
    return {static_cast<std::byte*>(memory_), bytes_};
  }

 private:
  const tp_run_options& run_;
  void* memory_ = nullptr;
  size_t bytes_;
};

tp_run_options run_options_of(const tp_run_options& given) {
  // Padding at the end would be taken for the first members of a later version.
  constexpr size_t first = offsetof(tp_run_options, user) + sizeof(void*);
  static_assert(sizeof(tp_run_options) == first);
  tp_run_options options{};
  read_struct("tp_plan_run", {.name = "tp_run_options", .first = first, .known = sizeof options}, &given, &options);
  return options;
}

void run_on(const Plan& plan, const RunArrays& arrays, Executor& executor, const tp_run_options& run) {
  if (run.allocate == nullptr) return plan.run(arrays, executor);
  CallerScratch scratch(run, detail::to_size(plan.scratch_bytes(executor.concurrency())));
  (void)plan.try_run(arrays, executor, scratch.span()).value();
  scratch.release();
}

}  // namespace
}  // namespace tidepool::inline v0_1::c

using namespace tidepool;

tp_status tp_plan_run(const tp_plan* plan, const tp_arrays* arrays, const tp_run_options* run) {
  return c::guarded([&] {
    if (plan == nullptr) throw c::null_argument("tp_plan_run", "plan");
    if (arrays == nullptr) throw c::null_argument("tp_plan_run", "arrays");
    const auto view = [](const char* name, const tp_array& array) { return c::span_of("tp_plan_run", name, array); };
    const RunArrays views{.input = view("input", arrays->input),
                          .output = view("output", arrays->output),
                          .indices_out = view("indices_out", arrays->indices_out),
                          .indices_in = view("indices_in", arrays->indices_in),
                          .saved = view("saved", arrays->saved),
                          .grad = view("grad", arrays->grad),
                          .starts = view("starts", arrays->starts)};
    if (run == nullptr) return plan->plan.run(views);
    const tp_run_options options = c::run_options_of(*run);
    if (options.serial != 0) return c::run_on(plan->plan, views, serial_executor(), options);
    if (options.parallel_for == nullptr) return c::run_on(plan->plan, views, default_executor(), options);
    c::CallerExecutor executor(options);
    c::run_on(plan->plan, views, executor, options);
  });
}

tp_status tp_fractional_starts(const tp_plan* plan, const tp_array* samples, uint64_t seed, const tp_array* starts) {
  return c::guarded([&] {
    if (plan == nullptr) throw c::null_argument("tp_fractional_starts", "plan");
    if (starts == nullptr) throw c::null_argument("tp_fractional_starts", "starts");
    const Problem& p = plan->plan.problem();
    const Geometry& g = p.geometry;
    constexpr const char* function = "tp_fractional_starts";
    if (!g.width().is_fractional()) detail::fail(function, ErrorCode::invalid_argument, "the plan has no fractional windows");
    const DType dtype = is_floating(p.dtype) ? p.dtype : DType::f32;
    std::optional<Tensor> drawn;
    if (samples == nullptr) drawn = rand({g.batch(), g.channels(), g.rank()}, seed, dtype);
    const TensorView view = samples == nullptr ? drawn->view() : TensorView(c::span_of(function, "samples", *samples));
    detail::check_samples(function, g, view, dtype);
    copy(detail::fractional_starts(function, g, view), c::span_of(function, "starts", *starts));
  });
}
