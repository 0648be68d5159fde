// Every member of tp_options: its default, what each of its values means, and which values are refused.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "c/support.h"

namespace tidepool::test {
namespace {

struct Member {
  const char* name;
  size_t offset, size;
};
#define TP_MEMBER(name) \
  Member { #name, offsetof(tp_options, name), sizeof(tp_options::name) }
constexpr Member members[] = {TP_MEMBER(struct_size),
                              TP_MEMBER(op),
                              TP_MEMBER(pass),
                              TP_MEMBER(dtype),
                              TP_MEMBER(layout),
                              TP_MEMBER(spatial_rank),
                              TP_MEMBER(shape_rank),
                              TP_MEMBER(shape),
                              TP_MEMBER(windows),
                              TP_MEMBER(kernel_size),
                              TP_MEMBER(stride),
                              TP_MEMBER(dilation),
                              TP_MEMBER(pad_before),
                              TP_MEMBER(pad_after),
                              TP_MEMBER(padding),
                              TP_MEMBER(rounding),
                              TP_MEMBER(limit_padding),
                              TP_MEMBER(output_size),
                              TP_MEMBER(indices),
                              TP_MEMBER(nan),
                              TP_MEMBER(divisor),
                              TP_MEMBER(fixed_divisor),
                              TP_MEMBER(integer_rounding),
                              TP_MEMBER(norm),
                              TP_MEMBER(signed_power),
                              TP_MEMBER(scale_overhang)};
#undef TP_MEMBER

void set(int64_t* list, std::initializer_list<int64_t> values) { std::copy(values.begin(), values.end(), list); }

// A pooling in which no two numbers are equal.
tp_options base() {
  tp_options o;
  tp_options_init(&o);
  o.op = TP_MAX;
  o.dtype = TP_F32;
  o.spatial_rank = 3;
  o.shape_rank = 5;
  set(o.shape, {2, 3, 20, 21, 22});
  set(o.kernel_size, {4, 5, 6});
  return o;
}
const std::string base_kind = "max3d fwd f32 ncdhw 2x3x20x21x22";

using Change = std::function<void(tp_options&)>;
template <class T>
Change to(T tp_options::* member, int64_t value) {
  return [=](tp_options& o) { o.*member = static_cast<T>(value); };
}
template <size_t N>
Change to(int64_t (tp_options::*member)[N], std::vector<int64_t> values) {
  return [=](tp_options& o) { std::copy(values.begin(), values.end(), o.*member); };
}
Change both(const Change& a, const Change& b) {
  return [=](tp_options& o) { a(o), b(o); };
}

struct Accepted {
  const char* member;
  Change change;
  std::string problem;  // the text of the same problem, which C++ parses
};

std::vector<Accepted> accepted() {
  using O = tp_options;
  const std::string k = " k4x5x6";
  const auto as = [](const char* op, const char* pass = "fwd", const char* dtype = "f32", const char* layout = "ncdhw") {
    return std::string(op) + "3d " + pass + " " + dtype + " " + layout + " 2x3x20x21x22 k4x5x6";
  };
  const Change avg = to(&O::op, TP_AVG), lp = to(&O::op, TP_LP), i32 = to(&O::dtype, TP_I32);
  const Change unpool = both(to(&O::op, TP_UNPOOL), to(&O::indices, TP_INDEX_PLANE));
  const Change adaptive = to(&O::windows, TP_ADAPTIVE);
  std::vector<Accepted> all = {
      {"struct_size", to(&O::struct_size, sizeof(tp_options)), as("max")},
      {"op", to(&O::op, TP_MAX), as("max")},
      {"op", to(&O::op, TP_MIN), as("min")},
      {"op", avg, as("avg")},
      {"op", to(&O::op, TP_SUM), as("sum")},
      {"op", lp, as("lp") + " p=2 scaled"},
      {"op", unpool, as("unpool") + " idx=plane"},
      {"pass", to(&O::pass, TP_BACKWARD), as("max", "bwd") + " idx=plane"},
      {"pass", to(&O::pass, TP_DOUBLE_BACKWARD), as("max", "bwd2") + " idx=plane"},
      {"pass", both(lp, to(&O::pass, TP_DOUBLE_BACKWARD_INPUT)), as("lp", "bwd2x") + " p=2 scaled"},
      {"layout", to(&O::layout, TP_CHANNELS_FIRST), as("max")},
      {"layout", to(&O::layout, TP_CHANNELS_LAST), as("max", "fwd", "f32", "ndhwc")},
      {"layout", to(&O::layout, TP_STRIDED), as("max", "fwd", "f32", "strided")},
      {"spatial_rank", both(to(&O::spatial_rank, 1), to(&O::shape_rank, 3)), "max1d fwd f32 ncl 2x3x20 k4"},
      {"spatial_rank", both(to(&O::spatial_rank, 2), to(&O::shape_rank, 4)), "max2d fwd f32 nchw 2x3x20x21 k4x5"},
      {"shape_rank", both(to(&O::shape_rank, 4), to(&O::shape, {3, 20, 21, 22, 0})), "max3d fwd f32 ncdhw 3x20x21x22" + k},
      {"shape", to(&O::shape, {7, 8, 19, 18, 17}), "max3d fwd f32 ncdhw 7x8x19x18x17" + k},
      {"shape", to(&O::shape, {0, 8, 19, 18, 17}), "max3d fwd f32 ncdhw 0x8x19x18x17" + k},
      {"windows", to(&O::windows, TP_REGULAR), as("max")},
      {"windows", both(adaptive, to(&O::output_size, {7, 8, 9})), base_kind + " out=7x8x9"},
      {"windows", both(to(&O::windows, TP_FRACTIONAL), to(&O::output_size, {7, 8, 9})), base_kind + k + " out=7x8x9"},
      {"kernel_size", to(&O::kernel_size, {1, 2, 3}), base_kind + " k1x2x3"},
      {"stride", to(&O::stride, {0, 0, 0}), base_kind + k + " s4x5x6"},
      {"stride", to(&O::stride, {1, 2, 3}), base_kind + k + " s1x2x3"},
      {"stride", to(&O::stride, {0, 2, 0}), base_kind + k + " s4x2x6"},
      {"stride", to(&O::stride, {3, 0, 2}), base_kind + k + " s3x5x2"},
      {"dilation", to(&O::dilation, {3, 2, 1}), base_kind + k + " d3x2x1"},
      {"pad_before", to(&O::pad_before, {0, 1, 2}), base_kind + k + " p0:0x1:0x2:0"},
      {"pad_after", to(&O::pad_after, {2, 1, 0}), base_kind + k + " p0:2x0:1x0:0"},
      {"pad_after", both(to(&O::pad_before, {0, 2, 1}), to(&O::pad_after, {1, 0, 3})), base_kind + k + " p0:1x2:0x1:3"},
      {"padding", both(to(&O::padding, TP_EXPLICIT), to(&O::pad_before, {0, 1, 2})), base_kind + k + " p0:0x1:0x2:0"},
      {"padding", to(&O::padding, TP_VALID), as("max")},
      {"padding", to(&O::padding, TP_SAME_UPPER), as("max") + " same"},
      {"padding", to(&O::padding, TP_SAME_LOWER), as("max") + " same_lower"},
      {"rounding", to(&O::rounding, TP_FLOOR), as("max")},
      {"rounding", to(&O::rounding, TP_CEIL), as("max") + " ceil"},
      {"rounding", to(&O::rounding, TP_CEIL_FULL), as("max") + " ceil_full"},
      {"limit_padding", both(to(&O::limit_padding, 0), to(&O::pad_before, {3, 4, 5})), base_kind + k + " p3:0x4:0x5:0"},
      {"output_size", both(adaptive, to(&O::output_size, {4, TP_KEEP_SIZE, 5})), base_kind + " out=4x21x5"},
      {"output_size", both(unpool, to(&O::output_size, {81, 103, 130})), as("unpool") + " out=81x103x130 idx=plane"},
      {"indices", to(&O::indices, TP_NO_INDICES), as("max")},
      {"indices", to(&O::indices, TP_INDEX_PLANE), as("max") + " idx=plane"},
      {"indices", to(&O::indices, TP_INDEX_TENSOR), as("max") + " idx=tensor"},
      {"indices", to(&O::indices, TP_INDEX_WINDOW), as("max") + " idx=window"},
      {"nan", to(&O::nan, TP_NAN_PROPAGATE), as("max")},
      {"nan", to(&O::nan, TP_NAN_IGNORE), as("max") + " nan=ignore"},
      {"divisor", both(avg, to(&O::divisor, TP_WINDOW_IN_PADDED)), as("avg")},
      {"divisor", both(avg, to(&O::divisor, TP_FULL_KERNEL)), as("avg") + " div=full"},
      {"divisor", both(avg, to(&O::divisor, TP_VALID_ONLY)), as("avg") + " div=valid"},
      {"fixed_divisor", both(both(avg, to(&O::divisor, TP_FIXED)), to(&O::fixed_divisor, 7)), as("avg") + " div=7"},
      {"fixed_divisor", both(both(avg, to(&O::divisor, TP_FIXED)), to(&O::fixed_divisor, -3)), as("avg") + " div=-3"},
      {"fixed_divisor", both(avg, to(&O::fixed_divisor, 7)), as("avg")},
      {"integer_rounding", both(both(avg, i32), to(&O::integer_rounding, TP_TRUNCATE)), as("avg", "fwd", "i32")},
      {"integer_rounding", both(both(avg, i32), to(&O::integer_rounding, TP_ROUND_FLOOR)), as("avg", "fwd", "i32") + " round=floor"},
      {"integer_rounding", both(both(avg, i32), to(&O::integer_rounding, TP_NEAREST_EVEN)), as("avg", "fwd", "i32") + " round=even"},
      {"norm", both(lp, [](O& o) { o.norm = 2.5; }), as("lp") + " p=2.5 scaled"},
      {"norm", both(lp, [](O& o) { o.norm = INFINITY; }), as("lp") + " p=inf scaled"},
      {"signed_power", both(lp, to(&O::signed_power, 1)), as("lp") + " p=2 signed scaled"},
      {"signed_power", both(lp, [](O& o) { o.signed_power = 1, o.norm = -2; }), as("lp") + " p=-2 signed scaled"},
      {"scale_overhang", both(lp, to(&O::scale_overhang, 0)), as("lp") + " p=2"},
  };
  for (DType dtype : all_dtypes)
    all.push_back({"dtype", to(&O::dtype, static_cast<int>(dtype)), as("max", "fwd", std::string(dtype_name(dtype)).c_str())});
  return all;
}

TEST(COptions, EveryValueOfEveryMemberMakesTheProblemOfCpp) {
  std::set<std::string> tested;
  for (const Accepted& row : accepted()) {
    SCOPED_TRACE(std::string(row.member) + ": " + row.problem);
    tp_options o = base();
    row.change(o);
    tp_plan* made = nullptr;
    ASSERT_EQ(tp_plan_create(&o, &made), TP_OK) << tp_last_error();
    const CPlan plan(made);
    const Plan expected = make_plan(parse(row.problem));
    EXPECT_EQ(tp_plan_problem(plan.get()), to_string(expected.problem()));
    EXPECT_EQ(tp_plan_kernel(plan.get()), expected.kernel());
    EXPECT_EQ(tp_plan_target(plan.get()), expected.target());
    tested.insert(row.member);
  }
  for (const Member& member : members) EXPECT_TRUE(tested.contains(member.name)) << "no row changes " << member.name;
}

struct Refused {
  Change change;
  std::string message;
  tp_status status = TP_INVALID_ARGUMENT;
};

std::vector<Refused> refused_values() {
  using O = tp_options;
  const Change avg = to(&O::op, TP_AVG), lp = to(&O::op, TP_LP), adaptive = to(&O::windows, TP_ADAPTIVE);
  std::vector<Refused> all = {
      {to(&O::spatial_rank, 0), "tp_plan_create: spatial_rank must be 1, 2 or 3, got 0"},
      {to(&O::spatial_rank, 4), "tp_plan_create: spatial_rank must be 1, 2 or 3, got 4"},
      {to(&O::shape_rank, -1), "tp_plan_create: shape_rank must be at most 5, got -1"},
      {to(&O::shape_rank, 6), "tp_plan_create: shape_rank must be at most 5, got 6"},
      {to(&O::pass, TP_DOUBLE_BACKWARD_INPUT), "tp_plan_create: TP_DOUBLE_BACKWARD_INPUT is a pass of TP_LP only"},
      {both(avg, to(&O::windows, TP_FRACTIONAL)), "tp_plan_create: fractional windows belong to max and min alone"},
      {both(avg, to(&O::divisor, TP_FIXED)), "tp_plan_create: fixed_divisor must not be 0"},
      {both(avg, to(&O::indices, TP_INDEX_PLANE)), "tp_plan_create: avg has no indices"},
      {both(lp, [](O& o) { o.norm = 0; }), "tp_plan_create: norm must be above 0"},
      {both(lp, [](O& o) { o.norm = -1; }), "tp_plan_create: norm must be above 0"},
      {both(lp, [](O& o) { o.norm = NAN; }), "tp_plan_create: norm must be above 0"},
      {both(lp, [](O& o) { o.norm = 0, o.signed_power = 1; }), "tp_plan_create: norm must be above 0"},
      {to(&O::kernel_size, {4, 0, 6}), "max_pool3d: kernel_size must be at least 1, got 0 (axis h)"},
      {to(&O::stride, {1, 1, -1}), "max_pool3d: stride must be at least 1, got -1 (axis w)"},
      {to(&O::dilation, {0, 1, 1}), "max_pool3d: dilation must be at least 1, got 0 (axis d)"},
      {to(&O::pad_before, {0, -1, 0}), "max_pool3d: padding must not be negative, got -1 (axis h)"},
      {to(&O::pad_after, {0, 0, -2}), "max_pool3d: padding must not be negative, got -2 (axis w)"},
      {both(adaptive, to(&O::output_size, {1, -1, 1})), "max_pool3d: output_size must not be negative, got -1 (axis h)"},
  };
  struct Enumeration {
    const char* name;
    int32_t tp_options::* member;
    int32_t last;
    Change where_it_is_read = [](O&) {};
  };
  for (const Enumeration& e : std::initializer_list<Enumeration>{{"op", &O::op, TP_UNPOOL},
                                                                 {"pass", &O::pass, TP_DOUBLE_BACKWARD_INPUT},
                                                                 {"dtype", &O::dtype, TP_BOOL},
                                                                 {"layout", &O::layout, TP_STRIDED},
                                                                 {"windows", &O::windows, TP_FRACTIONAL},
                                                                 {"padding", &O::padding, TP_SAME_LOWER},
                                                                 {"rounding", &O::rounding, TP_CEIL_FULL},
                                                                 {"indices", &O::indices, TP_INDEX_WINDOW},
                                                                 {"nan", &O::nan, TP_NAN_IGNORE},
                                                                 {"divisor", &O::divisor, TP_FIXED, avg},
                                                                 {"integer_rounding", &O::integer_rounding, TP_NEAREST_EVEN, avg}})
    for (int32_t value : {e.last + 1, -1, std::numeric_limits<int32_t>::max(), std::numeric_limits<int32_t>::min()})
      all.push_back({both(e.where_it_is_read, to(e.member, value)),
                     std::string("tp_plan_create: ") + e.name + " must be one of its named values, got " + std::to_string(value)});
  return all;
}

TEST(COptions, ValuesWithoutAMeaningAreRefused) {
  for (const Refused& row : refused_values()) {
    tp_options o = base();
    row.change(o);
    tp_plan* plan = reinterpret_cast<tp_plan*>(&o);
    EXPECT_TRUE(refused(tp_plan_create(&o, &plan), row.status, row.message));
    EXPECT_EQ(plan, nullptr) << row.message;
  }
}

// PyTorch's limit holds for every axis and side unless it is switched off.
TEST(COptions, PaddingIsLimitedToHalfOfTheKernel) {
  for (int axis = 0; axis < 3; ++axis)
    for (bool before : {true, false}) {
      tp_options o = base();
      (before ? o.pad_before : o.pad_after)[axis] = 4;
      tp_plan* plan = nullptr;
      EXPECT_EQ(tp_plan_create(&o, &plan), TP_INVALID_ARGUMENT) << "axis " << axis;
      EXPECT_NE(std::string(tp_last_error()).find(std::string("(axis ") + "dhw"[axis] + ")"), std::string::npos) << tp_last_error();
      o.limit_padding = 0;
      EXPECT_EQ(tp_plan_create(&o, &plan), TP_OK) << tp_last_error();
      tp_plan_free(plan);
    }
}

TEST(COptions, DefaultsAreThoseOfTheHeader) {
  tp_options o;
  std::memset(&o, 0xAB, sizeof o);
  tp_options_init(&o);
  tp_options expected{};
  expected.struct_size = sizeof(tp_options);
  expected.spatial_rank = 2;
  set(expected.dilation, {1, 1, 1});
  expected.limit_padding = 1;
  expected.norm = 2;
  expected.scale_overhang = 1;
  const auto at = [](const tp_options& options, const Member& m) { return reinterpret_cast<const std::byte*>(&options) + m.offset; };
  for (const Member& m : members) EXPECT_EQ(std::memcmp(at(o, m), at(expected, m), m.size), 0) << m.name;
}

// A member that was added without rows in the tables above leaves a gap.
TEST(COptions, TheTablesKnowEveryMember) {
  struct Wide {  // alignof may be more than a member's alignment
    char first;
    int64_t value;
  };
  size_t end = 0;
  for (const Member& m : members) {
    const size_t alignment = m.size % sizeof(int64_t) == 0 ? offsetof(Wide, value) : alignof(int32_t);
    EXPECT_EQ(m.offset, (end + alignment - 1) / alignment * alignment) << "a member before " << m.name << " is missing";
    end = m.offset + m.size;
  }
  EXPECT_EQ(end, sizeof(tp_options)) << "a member at the end is missing";
}

}  // namespace
}  // namespace tidepool::test
