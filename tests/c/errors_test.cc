// Error messages and status codes, and NULL for every pointer of every function.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "c/support.h"
#include "tidepool/executor.h"
#include "tidepool/runtime.h"

namespace tidepool::test {
namespace {

// The message of C++ for a text that is no problem.
std::string parse_error(const std::string& text) { return parse_problem(text).error().message(); }

TEST(CErrors, EveryErrorCodeHasItsStatus) {
  constexpr std::pair<tp_status, ErrorCode> codes[] = {{TP_INVALID_ARGUMENT, ErrorCode::invalid_argument},
                                                       {TP_SHAPE_MISMATCH, ErrorCode::shape_mismatch},
                                                       {TP_DTYPE_MISMATCH, ErrorCode::dtype_mismatch},
                                                       {TP_OUT_OF_RANGE, ErrorCode::out_of_range},
                                                       {TP_OVERFLOW, ErrorCode::overflow},
                                                       {TP_ALIASING, ErrorCode::aliasing},
                                                       {TP_UNSUPPORTED, ErrorCode::unsupported},
                                                       {TP_PARSE, ErrorCode::parse},
                                                       {TP_OUT_OF_MEMORY, ErrorCode::out_of_memory}};
  for (const auto& [status, code] : codes) {
    EXPECT_STREQ(tp_status_name(status), error_code_name(code));
    EXPECT_EQ(status_of(code), status);
  }
  EXPECT_STREQ(tp_status_name(TP_OK), "ok");
  for (int other : {int{TP_INTERNAL}, 11, 99, -1, INT32_MAX, INT32_MIN})
    EXPECT_STREQ(tp_status_name(static_cast<tp_status>(other)), "internal") << other;
}

// Around the size of the buffer, and far beyond it.
TEST(CErrors, LongMessagesAreCutAt1023Bytes) {
  const size_t around = parse_error("").size();
  for (const size_t length : {size_t{200}, size_t{1022}, size_t{1023}, size_t{1024}, size_t{1025}, size_t{5000}, size_t{1'000'000}}) {
    const std::string text(length - around, 'x'), whole = parse_error(text), kept = whole.substr(0, 1023);
    ASSERT_EQ(whole.size(), length);
    tp_plan* plan = nullptr;
    EXPECT_EQ(tp_plan_parse(text.c_str(), &plan), TP_PARSE);
    EXPECT_EQ(std::string(tp_last_error()), kept);
    EXPECT_EQ(tp_last_error_copy(nullptr, 0), kept.size());
    std::vector<char> buffer(kept.size() + 3, '#');
    for (const size_t capacity : {size_t{0}, size_t{1}, size_t{7}, kept.size(), kept.size() + 1, kept.size() + 2}) {
      std::fill(buffer.begin(), buffer.end(), '#');
      EXPECT_EQ(tp_last_error_copy(buffer.data(), capacity), kept.size());
      const size_t copied = capacity == 0 ? 0 : std::min(capacity - 1, kept.size());
      EXPECT_EQ(std::string(buffer.data(), copied), kept.substr(0, copied));
      if (capacity > 0) {
        EXPECT_EQ(buffer[copied], '\0');
      }
      EXPECT_EQ(buffer[std::max(capacity, size_t{0})], '#') << "wrote behind a capacity of " << capacity;
    }
  }
}

TEST(CErrors, EveryThreadHasItsOwnMessage) {
  tp_plan* plan = nullptr;
  EXPECT_EQ(tp_plan_parse("mine", &plan), TP_PARSE);
  std::thread([] {
    EXPECT_STREQ(tp_last_error(), "");
    tp_plan* other = nullptr;
    EXPECT_EQ(tp_plan_parse("theirs", &other), TP_PARSE);
    EXPECT_EQ(std::string(tp_last_error()), parse_error("theirs"));
  }).join();
  EXPECT_EQ(std::string(tp_last_error()), parse_error("mine"));
  const CPlan good = parsed_plan("max2d fwd f32 nchw 1x1x4x4 k2");  // a success keeps it
  EXPECT_EQ(std::string(tp_last_error()), parse_error("mine"));
}

TEST(CErrors, NullPointersAreRefused) {
  const CPlan plan = parsed_plan("max2d fwd f32 nchw 1x1x4x4 k2 out=2");
  tp_plan* made = nullptr;
  tp_options options;
  tp_options_init(&options);
  tp_array array{};
  const tp_arrays arrays{};
  const auto null = [](tp_status status, const std::string& function, const std::string& name) {
    EXPECT_TRUE(refused(status, TP_INVALID_ARGUMENT, function + ": " + name + " must not be NULL"));
  };
  null(tp_plan_create(nullptr, &made), "tp_plan_create", "options");
  null(tp_plan_create(&options, nullptr), "tp_plan_create", "plan");
  null(tp_plan_parse(nullptr, &made), "tp_plan_parse", "problem");
  null(tp_plan_parse("max2d fwd f32 nchw 1x1x4x4 k2", nullptr), "tp_plan_parse", "plan");
  null(tp_plan_describe(nullptr, TP_ROLE_INPUT, &array), "tp_plan_describe", "plan");
  null(tp_plan_describe(plan.get(), TP_ROLE_INPUT, nullptr), "tp_plan_describe", "array");
  null(tp_plan_run(nullptr, &arrays, nullptr), "tp_plan_run", "plan");
  null(tp_plan_run(plan.get(), nullptr, nullptr), "tp_plan_run", "arrays");
  null(tp_fractional_starts(nullptr, nullptr, 0, &array), "tp_fractional_starts", "plan");
  null(tp_fractional_starts(plan.get(), nullptr, 0, nullptr), "tp_fractional_starts", "starts");
  EXPECT_STREQ(tp_plan_kernel(nullptr), "");
  EXPECT_STREQ(tp_plan_target(nullptr), "");
  EXPECT_STREQ(tp_plan_problem(nullptr), "");
  tp_options_init(nullptr);
  tp_plan_free(nullptr);
  tp_version(nullptr, nullptr, nullptr);
}

TEST(CErrors, APlanThatFailsIsNull) {
  int local = 0;
  tp_plan* plan = reinterpret_cast<tp_plan*>(&local);
  EXPECT_EQ(tp_plan_parse("nonsense", &plan), TP_PARSE);
  EXPECT_EQ(plan, nullptr);
  plan = reinterpret_cast<tp_plan*>(&local);
  EXPECT_EQ(tp_plan_parse(nullptr, &plan), TP_INVALID_ARGUMENT);
  EXPECT_EQ(plan, nullptr);
  plan = reinterpret_cast<tp_plan*>(&local);
  EXPECT_EQ(tp_plan_create(nullptr, &plan), TP_INVALID_ARGUMENT);
  EXPECT_EQ(plan, nullptr);
}

TEST(CErrors, VersionAndThreadsAreThoseOfCpp) {
  int32_t major = -1, minor = -1, patch = -1;
  tp_version(&major, &minor, &patch);
  EXPECT_EQ(major, version().major);
  EXPECT_EQ(minor, version().minor);
  EXPECT_EQ(patch, version().patch);
  EXPECT_TRUE(major != minor || minor != patch) << "equal numbers cannot be told apart";
  const int before = num_threads();
  EXPECT_EQ(tp_num_threads(), before);
  EXPECT_EQ(tp_set_num_threads(3), TP_OK);
  EXPECT_EQ(num_threads(), has_threads() ? 3 : num_threads());
  EXPECT_EQ(tp_num_threads(), num_threads());
  EXPECT_EQ(tp_set_num_threads(0), TP_INVALID_ARGUMENT);
  EXPECT_EQ(tp_set_num_threads(before), TP_OK);
}

}  // namespace
}  // namespace tidepool::test
