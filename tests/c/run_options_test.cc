// The caller's threads and memory: every member of tp_run_options.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "c/support.h"
#include "core/checked.h"
#include "support/arrays.h"
#include "support/compare.h"
#include "support/guarded.h"

namespace tidepool::test {
namespace {

// Needs scratch memory, and has enough work for several threads.
const std::string with_scratch = "max2d fwd f32 nchw 2x16x64x64 k15 s1 p7";
const std::string without_scratch = "max2d fwd f32 strided 2x16x64x64 k2 nan=ignore";  // only the reference fits, which needs none
// One channels-last image of few rows, whose channels are divided among the threads.
const std::string with_channel_groups = "max2d fwd f32 nhwc 1x4096x4x64 k2";

// A thread pool and an allocator that record their calls.
struct Host {
  int64_t calls = 0, pieces = 0, grain = 0;
  std::vector<size_t> allocated, released;
  std::vector<void*> given, returned;
  size_t misalign = 0;
  bool empty = false;
  std::string throws;  // the name of the member that throws
  std::shared_ptr<std::byte> memory;

  static void parallel_for(void* user, int64_t n, int64_t grain, tp_work_fn fn, void* work) {
    auto* host = static_cast<Host*>(user);
    ++host->calls;
    host->pieces += n;
    host->grain = grain;
    host->may_throw("parallel_for");
    for (int64_t i = n - 1; i >= 0; --i) fn(work, i, i + 1);
  }
  static void* allocate(void* user, size_t bytes) {
    auto* host = static_cast<Host*>(user);
    host->allocated.push_back(bytes);
    host->may_throw("allocate");
    if (host->empty) return nullptr;
    // The end of the scratch touches an unreadable page.
    host->memory = guarded_memory(static_cast<int64_t>(bytes), Flush::end);
    host->given.push_back(host->memory.get() - host->misalign);
    return host->given.back();
  }
  static void release(void* user, void* memory, size_t bytes) {
    auto* host = static_cast<Host*>(user);
    host->released.push_back(bytes);
    host->returned.push_back(memory);
    host->may_throw("release");
  }
  void may_throw(const std::string& member) const {
    if (throws == member) throw std::runtime_error("no " + member);
  }

  tp_run_options options() {
    return {.struct_size = sizeof(tp_run_options),
            .serial = 0,
            .parallel_for = parallel_for,
            .concurrency = 3,
            .allocate = allocate,
            .release = release,
            .user = this};
  }
  // Everything that was allocated was released, with the same address and size.
  void expect_released() const {
    EXPECT_EQ(released, empty ? std::vector<size_t>{} : allocated);
    EXPECT_EQ(returned, given);
  }
};

class CRunOptions : public ::testing::Test {
 protected:
  explicit CRunOptions(const std::string& text = with_scratch)
      : cpp(make_plan(parse(text))), plan(parsed_plan(text)), job(job_of(text)), arrays(c_arrays(job.arrays())) {
    job.output.restore();
  }
  // Made once: the reference implementation takes longer than all of these tests.
  static const Job& job_of(const std::string& text) {
    static std::map<std::string, Job> jobs;
    const auto found = jobs.find(text);
    if (found != jobs.end()) return found->second;
    Rng rng(1);
    return jobs[text] = make_job(parse(text), rng);
  }
  tp_status run(const tp_run_options& options) {
    job.output.restore();
    return tp_plan_run(plan.get(), &arrays, &options);
  }
  void expect_right(const tp_run_options& options) {
    ASSERT_EQ(run(options), TP_OK) << tp_last_error();
    EXPECT_TRUE(same_bits(job.expected.values, job.output.view()));
  }
  size_t scratch(int concurrency) const { return static_cast<size_t>(cpp.scratch_bytes(concurrency)); }

  Plan cpp;
  CPlan plan;
  const Job& job;
  tp_arrays arrays;
  Host host;
};

class CRunOptionsWithoutScratch : public CRunOptions {
 protected:
  CRunOptionsWithoutScratch() : CRunOptions(without_scratch) {}
};

class CRunOptionsWithChannelGroups : public CRunOptions {
 protected:
  CRunOptionsWithChannelGroups() : CRunOptions(with_channel_groups) {}
  int64_t pieces(int concurrency) {
    host = {};
    tp_run_options options = host.options();
    options.concurrency = concurrency;
    expect_right(options);
    return host.pieces;
  }
};

TEST_F(CRunOptions, ThePlansOfTheseTestsNeedWhatTheyTest) {
  EXPECT_GT(scratch(1), 0u);
  EXPECT_GT(scratch(3), scratch(1));
  EXPECT_EQ(make_plan(parse(without_scratch)).scratch_bytes(3), 0);
}

TEST_F(CRunOptions, AllZeroIsTheLibrarysOwnThreadsAndMemory) {
  tp_run_options options{};
  options.struct_size = sizeof options;
  expect_right(options);
}

TEST_F(CRunOptions, WorkGoesToTheCallersThreads) {
  tp_run_options options = host.options();
  expect_right(options);
  EXPECT_EQ(host.calls, 1);
  EXPECT_GE(host.pieces, 3);
  EXPECT_EQ(host.grain, 1);
}

TEST_F(CRunOptions, SerialRunsOnTheCallingThread) {
  tp_run_options options = host.options();
  options.serial = 1;
  expect_right(options);
  EXPECT_EQ(host.calls, 0);
  EXPECT_EQ(host.allocated, std::vector<size_t>{scratch(1)});
  host.expect_released();
}

TEST_F(CRunOptions, ConcurrencyIsTheNumberOfThreads) {
  for (const int concurrency : {1, 0, -1, INT32_MIN, 2, 5, INT32_MAX}) {
    host = {};
    tp_run_options options = host.options();
    options.concurrency = concurrency;
    expect_right(options);
    const int threads = std::max(concurrency, 1);
    EXPECT_EQ(host.allocated, std::vector<size_t>{scratch(threads)}) << concurrency;
    EXPECT_EQ(host.calls, threads > 1 ? 1 : 0) << concurrency;
    host.expect_released();
  }
}

// Channels are divided into 128 groups at most, and looking for their number takes no longer when the caller has more threads.
TEST_F(CRunOptionsWithChannelGroups, AnyConcurrencyIsDividedAtOnce) {
  EXPECT_GT(pieces(5), 2) << "the channels of the two rows are not divided";
  const int64_t most = pieces(128);
  EXPECT_EQ(most, 2 * 128);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(pieces(INT32_MAX), most);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(3));
}

// On 64-bit systems, too: the scratch of that many threads is more than a process can have.
TEST_F(CRunOptions, ScratchLargerThanTheAddressSpaceIsNotAllocated) {
  const std::string text = "max2d fwd f32 nchw 1000000x1000000x512x512 k99 s1 p49";
  ASSERT_GT(make_plan(parse(text)).scratch_bytes(INT32_MAX), detail::max_bytes);
  tp_run_options options = host.options();
  options.concurrency = INT32_MAX;
  EXPECT_TRUE(refused(tp_plan_run(parsed_plan(text).get(), &arrays, &options), TP_OUT_OF_MEMORY, "tidepool: out of memory"));
  EXPECT_TRUE(host.allocated.empty());
}

TEST_F(CRunOptions, ScratchIsAllocatedOnceAndReleased) {
  expect_right(host.options());
  EXPECT_EQ(host.allocated, std::vector<size_t>{scratch(3)});
  host.expect_released();
}

TEST_F(CRunOptions, ReleaseIsOptional) {
  tp_run_options options = host.options();
  options.release = nullptr;
  expect_right(options);
  EXPECT_EQ(host.allocated.size(), 1u);
  EXPECT_TRUE(host.released.empty());
}

TEST_F(CRunOptions, WithoutAllocateTheScratchIsTheLibrarys) {
  tp_run_options options = host.options();
  options.allocate = nullptr;
  expect_right(options);
  EXPECT_TRUE(host.released.empty());
}

TEST_F(CRunOptionsWithoutScratch, NothingIsAllocated) {
  expect_right(host.options());
  EXPECT_TRUE(host.allocated.empty());
  EXPECT_TRUE(host.released.empty());
}

TEST_F(CRunOptions, NoMemoryIsAnError) {
  host.empty = true;
  EXPECT_TRUE(
      refused(run(host.options()), TP_OUT_OF_MEMORY, "tp_plan_run: allocate returned NULL for " + std::to_string(scratch(3)) + " bytes"));
  EXPECT_TRUE(job.output.intact());
  host.expect_released();
}

TEST_F(CRunOptions, ScratchThatIsNotAlignedIsAnErrorAndReleased) {
  for (size_t misalign : {1, 4, 16, 32, 63}) {
    host = {};
    host.misalign = misalign;
    EXPECT_TRUE(refused(run(host.options()), TP_INVALID_ARGUMENT, "tp_plan_run: allocate must align to 64 bytes")) << misalign;
    EXPECT_TRUE(job.output.intact());
    EXPECT_EQ(host.given.size(), 1u);
    host.expect_released();
  }
}

TEST_F(CRunOptions, ARunThatFailsReleasesItsScratch) {
  arrays.input.data = nullptr;
  EXPECT_TRUE(refused(run(host.options()), TP_INVALID_ARGUMENT, "max_pool2d: input has no data"));
  host.expect_released();
}

// Functions in C++ may throw. What they throw fails the run, and does not pass the functions of C.
TEST_F(CRunOptions, ExceptionsOfTheCallerAreErrors) {
  for (const std::string member : {"parallel_for", "allocate", "release"}) {
    host = {};
    host.throws = member;
    EXPECT_TRUE(refused(run(host.options()), TP_INTERNAL, "no " + member));
    EXPECT_EQ(host.released.size(), host.given.size());
    EXPECT_EQ(host.returned, host.given);
    host.throws = "";
    expect_right(host.options());
  }
}

// The first failure is the one that is reported.
TEST_F(CRunOptions, AnExceptionOfReleaseDoesNotHideTheError) {
  host.throws = "release";
  arrays.input.data = nullptr;
  EXPECT_TRUE(refused(run(host.options()), TP_INVALID_ARGUMENT, "max_pool2d: input has no data"));
  host.expect_released();
}

// A member that was added without a test leaves a gap.
TEST(CRunOptionsMembers, AreAllTested) {
  struct Members {
    size_t struct_size;
    int32_t serial;
    void* parallel_for;
    int32_t concurrency;
    void *allocate, *release, *user;
  };
  EXPECT_EQ(sizeof(tp_run_options), sizeof(Members));
}

}  // namespace
}  // namespace tidepool::test
