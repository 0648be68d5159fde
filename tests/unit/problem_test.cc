// A problem as a line of text, as a key, and as a description of arrays.
#include "tidepool/problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "support/random_problem.h"

namespace tidepool {
namespace {

using ::testing::HasSubstr;

TEST(ProblemText, TheExampleOfTheManual) {
  const std::string text = "max2d fwd f32 nchw 2x64x112x112 k3 s2 p1";
  const Problem p = parse(text);
  EXPECT_EQ(p.op, Op::max);
  EXPECT_EQ(p.pass, Pass::forward);
  EXPECT_EQ(p.dtype, DType::f32);
  EXPECT_EQ(p.layout, Layout::channels_first);
  EXPECT_EQ(p.nan, NanPolicy::propagate);
  EXPECT_FALSE(p.indices.has_value());
  EXPECT_EQ(p.geometry.input_shape(), (Dims{2, 64, 112, 112}));
  EXPECT_EQ(p.geometry.output_shape(), (Dims{2, 64, 56, 56}));
  EXPECT_EQ(to_string(p), text);
}

TEST(ProblemText, EveryWordMeansSomething) {
  const Problem p = parse("min3d bwd2 bf16 ndhwc 1x2x9x8x7 k3x2x1 s1x2x3 p0:1x1x2:0 d2x1x1 ceil_full idx=window nan=ignore");
  EXPECT_EQ(p.op, Op::min);
  EXPECT_EQ(p.pass, Pass::double_backward);
  EXPECT_EQ(p.dtype, DType::bf16);
  EXPECT_EQ(p.layout, Layout::channels_last);
  EXPECT_EQ(p.nan, NanPolicy::ignore);
  EXPECT_EQ(p.indices, IndexBase::window);
  const Geometry& g = p.geometry;
  EXPECT_EQ(g.depth().kernel(), 3);
  EXPECT_EQ(g.height().kernel(), 2);
  EXPECT_EQ(g.width().kernel(), 1);
  EXPECT_EQ(g.depth().pad_before(), 0);
  EXPECT_EQ(g.depth().pad_after(), 1);
  EXPECT_EQ(g.height().pad_after(), 1);
  EXPECT_EQ(g.width().pad_before(), 2);
  EXPECT_EQ(g.width().pad_after(), 0);
  EXPECT_EQ(g.depth().dilation(), 2);
  EXPECT_EQ(g.width().stride(), 3);
  EXPECT_EQ(g.width().rounding(), Rounding::ceil_full);
}

TEST(ProblemText, DefaultsAreThoseOfTheOp) {
  const Problem p = parse("max1d fwd bool nlc 3x10 k4");
  EXPECT_FALSE(p.geometry.batched());
  EXPECT_EQ(p.geometry.width().stride(), 4);
  EXPECT_EQ(p.geometry.width().dilation(), 1);
  EXPECT_EQ(p.geometry.width().pad_before(), 0);
  EXPECT_EQ(p.dtype, DType::boolean);
}

TEST(ProblemText, PassesThatReadIndicesAlwaysHaveABase) {
  EXPECT_EQ(parse("max2d bwd f32 nchw 1x1x4x4 k2").indices, IndexBase::plane);
  EXPECT_EQ(parse("max2d bwd2 f32 nchw 1x1x4x4 k2 idx=tensor").indices, IndexBase::tensor);
  EXPECT_FALSE(parse("max2d fwd f32 nchw 1x1x4x4 k2").indices.has_value());
}

TEST(ProblemText, SameAndStrided) {
  const Problem p = parse("max2d fwd f64 strided 1x1x5x5 k2 s2 same");
  EXPECT_EQ(p.layout, Layout::strided);
  EXPECT_EQ(p.geometry.output_shape(), (Dims{1, 1, 3, 3}));
  EXPECT_EQ(p.geometry.width().pad_after(), 1);
  EXPECT_EQ(parse("max2d fwd f64 strided 1x1x5x5 k2 s2 same_lower").geometry.width().pad_before(), 1);
}

TEST(ProblemText, PaddingBeyondPyTorchsLimitIsAccepted) {
  EXPECT_EQ(parse("max2d fwd f32 nchw 1x1x4x4 k2 s1 p2").geometry.output_shape(), (Dims{1, 1, 7, 7}));
}

TEST(ProblemText, RoundTripsForThousandsOfProblems) {
  for (uint64_t seed = 0; seed < 5000; ++seed) {
    test::Rng rng(seed);
    const Problem p = test::random_problem(rng);
    const std::string text = to_string(p);
    const Result<Problem> again = parse_problem(text);
    ASSERT_TRUE(again.ok()) << text << ": " << again.error().message();
    ASSERT_EQ(*again, p) << text << " came back as " << to_string(*again);
    ASSERT_EQ(to_string(*again), text);
    ASSERT_EQ(hash_value(*again), hash_value(p)) << text;
  }
}

TEST(ProblemText, NonsenseIsRefusedWithTheWordThatIsWrong) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", ""},
      {"   ", ""},
      {"max2d", ""},
      {"max2d fwd f32 nchw 1x1x4x4", ""},
      {"max4d fwd f32 nchw 1x1x4x4 k2", "max4d"},
      {"max0d fwd f32 nchw 1x1x4x4 k2", "max0d"},
      {"mix2d fwd f32 nchw 1x1x4x4 k2", "mix2d"},
      {"2d fwd f32 nchw 1x1x4x4 k2", "2d"},
      {"d fwd f32 nchw 1x1x4x4 k2", "d"},
      {"max2d forward f32 nchw 1x1x4x4 k2", "forward"},
      {"max2d fwd f31 nchw 1x1x4x4 k2", "f31"},
      {"max2d fwd f32 ncl 1x1x4x4 k2", "ncl"},
      {"max1d fwd f32 nchw 1x1x4 k2", "nchw"},
      {"max2d fwd f32 NCHW 1x1x4x4 k2", "NCHW"},
      {"max2d fwd f32 nchw 1x1x4x k2", "1x1x4x"},
      {"max2d fwd f32 nchw x1x1x4x4 k2", "x1x1x4x4"},
      {"max2d fwd f32 nchw 1xx1x4x4 k2", "1xx1x4x4"},
      {"max2d fwd f32 nchw 1,1,4,4 k2", "1,1,4,4"},
      {"max2d fwd f32 nchw 1x1x4.0x4 k2", "4.0"},
      {"max2d fwd f32 nchw 1x1x1x1x1x1x1x1x1 k2", "1x1x1x1x1x1x1x1x1"},
      {"max2d fwd f32 nchw 99999999999999999999x1x4x4 k2", "99999999999999999999"},
      {"max2d fwd f32 nchw 1x1x4x4 k", "k"},
      {"max2d fwd f32 nchw 1x1x4x4 k2x", "k2x"},
      {"max2d fwd f32 nchw 1x1x4x4 k99999999999999999999", "k99999999999999999999"},
      {"max2d fwd f32 nchw 1x1x4x4 k2 p1:", "p1:"},
      {"max2d fwd f32 nchw 1x1x4x4 k2 p1:1:1", "p1:1:1"},
      {"max2d fwd f32 nchw 1x1x4x4 k2 q1", "q1"},
      {"max2d fwd f32 nchw 1x1x4x4 k2 idx=", "idx="},
      {"max2d fwd f32 nchw 1x1x4x4 k2 idx=cell", "idx=cell"},
      {"max2d fwd f32 nchw 1x1x4x4 k2 nan=maybe", "nan=maybe"},
      {"max2d fwd f32 nchw 1x1x4x4 k2 ceil_half", "ceil_half"},
      {"max2d\tfwd f32 nchw 1x1x4x4 k2 s2", "max2d\tfwd"},
      {std::string("max2d fwd f32 nchw 1x1x4x4 k2\0s1", 33), ""},
  };
  for (const auto& [text, word] : cases) {
    const Result<Problem> p = parse_problem(text);
    ASSERT_FALSE(p.ok()) << text;
    EXPECT_EQ(p.error().code(), ErrorCode::parse) << text << ": " << p.error().message();
    EXPECT_THAT(p.error().message(), HasSubstr(word));
    EXPECT_THROW(parse(text), Error);
  }
}

TEST(ProblemText, WellFormedButImpossibleProblemsGetTheOpsErrors) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"max2d fwd f32 nchw 1x1x4x4 k0", "max_pool2d: kernel_size must be at least 1, got 0 (axis h)"},
      {"max2d fwd f32 nchw 1x1x4x4 k-1", "max_pool2d: kernel_size must be at least 1, got -1 (axis h)"},
      {"max2d fwd f32 nchw 1x1x4x4 s2", "max_pool2d: kernel_size must have 1 or 2 values, got 0"},
      {"max2d fwd f32 nchw 1x1x4x4 k2x2x2", "max_pool2d: kernel_size must have 1 or 2 values, got 3"},
      {"min1d fwd f32 ncl 1x1x4 k5",
       "min_pool1d: output size must be at least 1, got 0 from input 4, kernel 5, stride 5, padding 0, dilation 1 (axis l)"},
      {"max2d fwd f32 nchw 4x4 k2", "max_pool2d: input must have 3 or 4 dimensions (C, H, W or N, C, H, W), got 2"},
      {"max2d fwd f32 nchw 1x1x4x4 k2 same ceil", "max_pool2d: padding mode same does not go with ceil_mode"},
      {"max2d fwd f32 nchw 1x1x4x4 k2 p1x1x1", "max_pool2d: padding must have 1 or 2 values, got 3"},
  };
  for (const auto& [text, message] : cases) {
    const Result<Problem> p = parse_problem(text);
    ASSERT_FALSE(p.ok()) << text;
    EXPECT_EQ(p.error().message(), message);
  }
}

// Random edits of valid lines: the parser returns an error or a problem, and a problem round-trips through its text.
TEST(ProblemText, RandomByteEditsNeverCrash) {
  int64_t survived = 0;
  const std::string letters = "0123456789x:=-kspdnchwl f max_poolbwdtriu\t\0\xff";
  for (uint64_t seed = 0; seed < 20'000; ++seed) {
    test::Rng rng(seed);
    std::string text = to_string(test::random_problem(rng));
    for (int64_t edits = rng.between(1, 4); edits > 0; --edits) {
      const size_t at = static_cast<size_t>(rng.between(0, static_cast<int64_t>(text.size())));
      const char c = rng.one_in(4) ? static_cast<char>(rng.bits()) : letters[static_cast<size_t>(rng.between(0, 44)) % letters.size()];
      const int64_t what = rng.between(0, 3);
      if (what == 0 || at == text.size()) text.insert(at, 1, c);
      if (what == 1 && at < text.size()) text.erase(at, 1);
      if (what == 2 && at < text.size()) text[at] = c;
      if (what == 3) text.insert(at, text.substr(at / 2, 9));
    }
    const Result<Problem> p = parse_problem(text);
    if (!p.ok()) {
      ASSERT_NE(p.error().message(), "") << text;
      continue;
    }
    ++survived;
    ASSERT_EQ(parse(to_string(*p)), *p) << text;
  }
  EXPECT_GT(survived, 100);
}

TEST(Problem, HashTellsProblemsApart) {
  std::unordered_map<std::string, Problem> distinct;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    test::Rng rng(seed);
    const Problem p = test::random_problem(rng);
    distinct.emplace(to_string(p), p);
  }
  std::unordered_map<size_t, std::string> hashes;
  size_t collisions = 0;
  for (const auto& [text, p] : distinct) collisions += !hashes.emplace(std::hash<Problem>()(p), text).second;
  EXPECT_LE(collisions, 1u) << "of " << distinct.size();
}

TEST(Problem, EqualityLooksAtEveryField) {
  const Problem p = parse("max2d fwd f32 nchw 2x3x9x9 k3 s2 p1");
  for (const char* other :
       {"min2d fwd f32 nchw 2x3x9x9 k3 s2 p1", "max2d bwd f32 nchw 2x3x9x9 k3 s2 p1", "max2d fwd f64 nchw 2x3x9x9 k3 s2 p1",
        "max2d fwd f32 nhwc 2x3x9x9 k3 s2 p1", "max2d fwd f32 nchw 1x3x9x9 k3 s2 p1", "max2d fwd f32 nchw 2x3x9x9 k3 s2 p1x0",
        "max2d fwd f32 nchw 2x3x9x9 k3 s2 p1 ceil", "max2d fwd f32 nchw 2x3x9x9 k3 s2 p1 idx=plane",
        "max2d fwd f32 nchw 2x3x9x9 k3 s2 p1 nan=ignore", "max2d fwd f32 nchw 2x3x9x9 k3 s2 p1 d2"})
    EXPECT_NE(p, parse(other)) << other;
}

TEST(Problem, Names) {
  EXPECT_EQ(function_name(Op::max, 2), "max_pool2d");
  EXPECT_EQ(function_name(Op::min, 3), "min_pool3d");
  EXPECT_EQ(layout_name(Layout::channels_first, 1), "ncl");
  EXPECT_EQ(layout_name(Layout::channels_last, 3), "ndhwc");
  EXPECT_EQ(pass_name(Pass::double_backward), "bwd2");
  EXPECT_EQ(index_base_name(IndexBase::tensor), "tensor");
}

TEST(Problem, WindowIndicesTakeTheSmallestTypeThatHoldsTheLastTap) {
  const auto dtype = [](const std::string& kernel, IndexBase base) {
    return index_dtype(base, parse("max2d fwd f32 nchw 1x1x70000x70000 k" + kernel).geometry);
  };
  EXPECT_EQ(dtype("3", IndexBase::plane), DType::i64);
  EXPECT_EQ(dtype("3", IndexBase::tensor), DType::i64);
  EXPECT_EQ(dtype("1", IndexBase::window), DType::u8);
  EXPECT_EQ(dtype("3", IndexBase::window), DType::u8);
  EXPECT_EQ(dtype("15x17", IndexBase::window), DType::u8);
  EXPECT_EQ(dtype("16", IndexBase::window), DType::u8);
  EXPECT_EQ(dtype("1x257", IndexBase::window), DType::i16);
  EXPECT_EQ(dtype("1x32768", IndexBase::window), DType::i16);
  EXPECT_EQ(dtype("1x32769", IndexBase::window), DType::i32);
  EXPECT_EQ(dtype("65536x32768", IndexBase::window), DType::i32);
  EXPECT_EQ(dtype("65536x32769", IndexBase::window), DType::i64);
}

// When NaN cells are ignored any window can be empty, so one index value is reserved for "no cell".
TEST(Problem, WindowIndicesKeepRoomForNoneWhenNanIsIgnored) {
  const auto dtype = [](const std::string& kernel) {
    return index_dtype(IndexBase::window, parse("max2d fwd f32 nchw 1x1x400x400 k" + kernel).geometry, NanPolicy::ignore);
  };
  EXPECT_EQ(dtype("15x17"), DType::u8);
  EXPECT_EQ(dtype("16"), DType::i16);
}

TEST(Problem, LayoutIsReadFromStrides) {
  const Dims shape{2, 3, 4, 5};
  EXPECT_EQ(layout_of(shape, contiguous_strides(shape), 2, true), Layout::channels_first);
  EXPECT_EQ(layout_of(shape, channels_last_strides(shape), 2, true), Layout::channels_last);
  EXPECT_EQ(layout_of(shape, {1000, 100, 10, 1}, 2, true), Layout::channels_first);   // rows with gaps
  EXPECT_EQ(layout_of(shape, {1000, 1, 50, 7}, 2, true), Layout::channels_last);      // pixels with gaps
  EXPECT_EQ(layout_of(shape, {60, 20, 1, 4}, 2, true), Layout::strided);              // transposed
  EXPECT_EQ(layout_of({1, 1, 4, 1}, {9, 9, 7, 5}, 2, true), Layout::channels_first);  // one column: its stride is never used
  EXPECT_EQ(layout_of(shape, {120, 40, 10, 2}, 2, true), Layout::strided);            // every other column
  EXPECT_EQ(layout_of(shape, {60, 20, 5, -1}, 2, true), Layout::strided);             // mirrored
  EXPECT_EQ(layout_of({3, 4, 5}, contiguous_strides({3, 4, 5}), 2, false), Layout::channels_first);
  EXPECT_EQ(layout_of({3, 5}, {1, 3}, 1, false), Layout::channels_last);
  EXPECT_EQ(layout_of({1, 1, 4, 5}, contiguous_strides({1, 1, 4, 5}), 2, true), Layout::channels_first);
  EXPECT_EQ(layout_of({1, 8, 1, 1}, contiguous_strides({1, 8, 1, 1}), 2, true), Layout::channels_last);  // both: channels are the long run
}

}  // namespace
}  // namespace tidepool
