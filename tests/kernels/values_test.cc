// Special values in every lane and in every tail: the position in a vector must not matter.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/cells.h"
#include "support/kernel_runs.h"
#include "support/targets.h"
#include "tidepool/creation.h"
#include "tidepool/ops/global_pool.h"
#include "tidepool/random.h"

namespace tidepool {
namespace {

class KernelValues : public ::testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Targets, KernelValues, ::testing::ValuesIn(test::supported_targets()),
                         [](const auto& target) { return target.param; });

// Runs every kernel over `x` as given and compares with the reference implementation.
void expect_right(const Problem& problem, const TensorArg& x_arg, const std::string& what) {
  const TensorView& x = x_arg.view();
  test::Rng rng(1);
  test::Job job = test::make_job(problem, test::Contents::smooth, rng);
  copy(x, job.input.span());
  job.input.remember();
  job.expected = reference::compute(problem, {.input = x});
  ASSERT_TRUE(test::every_kernel_right(job, serial_executor(), 1)) << what;
}

struct Special {
  const char* name;
  double value;
};

TEST_P(KernelValues, OneSpecialValueAtEachPosition) {
  const test::ForcedTarget forced(GetParam());
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  constexpr std::pair<const char*, const char*> ops[] = {
      {"max", ""}, {"max", " idx=window"}, {"max", " idx=plane nan=ignore"}, {"avg", ""}, {"sum", ""}};
  const Special specials[] = {{"NaN", nan}, {"inf", inf}, {"-inf", -inf}, {"-0", -0.0}, {"denormal", 1e-45}};
  for (const char* dtype : {"f32", "f64", "f16", "bf16"})
    for (const char* form : {"ncl 1x1x75", "nlc 1x75x3"})
      for (const char* window : {"k3 s1 p1", "k3 s2 p1", "k2 s2", "k3 s3"})
        for (const auto& [op, rest] : ops) {
          const Problem problem = parse(std::string(op) + "1d fwd " + dtype + " " + form + " " + window + rest);
          for (const Special& special : specials)
            for (int64_t at = 0; at < 75; at += 1 + at / 40) {
              Tensor x = zeros(problem.geometry.input_shape(), DType::f64);
              const bool along_row = problem.layout == Layout::channels_first;
              test::put<double>(x.span(), along_row ? Dims{0, 0, at} : Dims{0, at, 1}, special.value);
              expect_right(problem, x.to(problem.dtype), std::string(special.name) + " at " + std::to_string(at));
              if (HasFatalFailure()) return;
            }
        }
}

TEST_P(KernelValues, IntegerExtremesAtEachPosition) {
  const test::ForcedTarget forced(GetParam());
  for (const char* op : {"max", "min", "avg", "sum"})
    for (const char* dtype : {"i8", "u8", "i16", "i32", "i64", "bool"})
      for (const char* window : {"k3 s1 p1", "k3 s2 p1", "k2 s2 idx=window"})
        for (bool highest : {false, true})
          for (int64_t at = 0; at < 75; at += 1 + at / 40) {
            const bool extremum = op == std::string_view("max") || op == std::string_view("min");
            if (!extremum && (dtype == std::string_view("bool") || std::string_view(window).ends_with("idx=window"))) continue;
            const Problem problem = parse(std::string(op) + "1d fwd " + dtype + " ncl 1x1x75 " + window);
            Tensor x(problem.geometry.input_shape(), problem.dtype);
            dispatch(problem.dtype, [&](auto tag) {
              using T = typename decltype(tag)::type;
              if constexpr (std::is_integral_v<T>) {
                const T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
                for (int64_t i = 0; i < 75; ++i) test::put<T>(x.span(), {0, 0, i}, highest ? low : high);
                test::put<T>(x.span(), {0, 0, at}, highest ? high : low);
              }
            });
            expect_right(problem, x, std::to_string(at));
            if (HasFatalFailure()) return;
          }
}

// Sums of many extreme integers leave the type, sums of bytes the 16 bits that kernels keep for up to 255 of them, sums of i16 the 23 bits
// that they divide as floats, and sums of i64 wrap around.
TEST_P(KernelValues, IntegerExtremesInLargeWindows) {
  const test::ForcedTarget forced(GetParam());
  for (const char* dtype : {"i8", "u8", "i16", "i32", "i64"})
    for (const char* window : {"k15x17 s1", "k16 s1", "k257x1 s1 p128x0", "k17 s2 p8", "out=1x3"})
      for (const char* op : {"avg", "sum"})
        for (const char* form : {" nchw 2x17x40 ", " nhwc 2x17x40 "})
          for (const char* rest : {"", " div=valid round=even", " round=floor"})
            for (bool highest : {false, true}) {
              if (op == std::string_view("sum") && *rest != 0) continue;
              const Problem problem = parse(std::string(op) + "2d fwd " + dtype + form + window + rest);
              Tensor x(problem.geometry.input_shape(), problem.dtype);
              dispatch(problem.dtype, [&](auto tag) {
                using T = typename decltype(tag)::type;
                if constexpr (std::is_integral_v<T>) {
                  const T extreme = highest ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min();
                  test::for_each_cell(x.shape(), [&](const Dims& at) { test::put<T>(x.span(), at, extreme); });
                  test::put<T>(x.span(), {1, 8, 20}, 0);
                }
              });
              expect_right(problem, x, highest ? "highest" : "lowest");
              if (HasFatalFailure()) return;
            }
}

// Every sum of a few bytes, divided by every divisor of interest, in each direction of rounding.
TEST_P(KernelValues, IntegerQuotients) {
  const test::ForcedTarget forced(GetParam());
  for (const char* dtype : {"i8", "u8", "i16", "i32", "i64"})
    for (const char* divisor :
         {"1", "-1", "2", "3", "-3", "7", "9", "-10", "16", "100", "255", "256", "-257", "1000", "32768", "65535", "65536"})
      for (const char* rounding : {"", " round=floor", " round=even"})
        for (const char* form : {" ncl 1x1x600 k2 s1 div=", " ncl 1x1x600 k2 s2 div=", " nlc 1x2x300 k2 s1 div="}) {
          const Problem problem = parse(std::string("avg1d fwd ") + dtype + form + divisor + rounding);
          Tensor x(problem.geometry.input_shape(), problem.dtype);
          dispatch(problem.dtype, [&](auto tag) {
            using T = typename decltype(tag)::type;
            if constexpr (std::is_integral_v<T>) {
              int64_t i = 0;
              const int64_t step = sizeof(T) == 1 ? 1 : sizeof(T) == 2 ? 211 : 7'000'001;
              test::for_each_cell(x.shape(), [&](const Dims& at) { test::put<T>(x.span(), at, static_cast<T>((i++ / 2 - 150) * step)); });
            }
          });
          expect_right(problem, x, problem.dtype == DType::i64 ? "i64" : "");
          if (HasFatalFailure()) return;
        }
}

// Windows with dilation are not left to the kernels for large sums. Of bytes, sums of 255 fit in 16 bits, and sums of 272 do not.
TEST_P(KernelValues, ByteExtremesInDilatedWindows) {
  const test::ForcedTarget forced(GetParam());
  for (const char* dtype : {"i8", "u8"})
    for (const char* window : {"k15x17 s1 d1x2", "k17x16 s1 d1x2"})
      for (const char* op : {"avg", "sum"})
        for (const char* form : {" nchw 2x17x80 ", " nhwc 40x17x33 "})
          for (bool highest : {false, true}) {
            const Problem problem = parse(std::string(op) + "2d fwd " + dtype + form + window);
            const int64_t extreme = dtype == std::string_view("u8") ? (highest ? 255 : 0) : (highest ? 127 : -128);
            expect_right(problem, full(problem.geometry.input_shape(), static_cast<double>(extreme), problem.dtype),
                         highest ? "highest" : "lowest");
            if (HasFatalFailure()) return;
          }
}

// Ties, the least value of a type, zeros of both signs and NaN in windows whose rows are pooled before their columns: the first in
// row-major order wins, a cell before the padding, and the last NaN before all.
TEST_P(KernelValues, TiesInLargeWindows) {
  const test::ForcedTarget forced(GetParam());
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  constexpr std::array<std::pair<const char*, const char*>, 7> problems = {{{"2d", " nchw 1x2x23x45 k9 s1 p4"},
                                                                            {"2d", " nhwc 1x9x23x45 k17x5 s2x1 p8x2"},
                                                                            {"2d", " nchw 1x1x23x90 k4 s1x2 p2x0 d3x2"},
                                                                            {"2d", " nhwc 2x3x12x40 k7x16 s3 p3x8 ceil"},
                                                                            {"3d", " ncdhw 1x2x7x9x21 k5x3x4 s1x2x1 p2x1x2"},
                                                                            {"3d", " ndhwc 1x5x7x9x12 k3x5x7 s2x1x1 p1x2x3 d2x1x1"},
                                                                            {"1d", " ncl 2x1x300 k64 s1 p32"}}};
  const std::vector<double> contents[] = {{-inf},     {-inf, -inf, -inf, -inf, -inf, -inf, -inf, 1}, {0.0, -0.0}, {1, 2, 3}, {1, 2, nan},
                                          {inf, -inf}};
  for (const char* op : {"max", "min"})
    for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16, DType::u8, DType::i16, DType::boolean})
      for (const auto& [rank, rest] : problems)
        for (const char* indices : {"", " idx=window", " idx=plane", " idx=tensor"})
          for (const auto& values : contents) {
            if (!is_floating(dtype) && values.size() != 3) continue;
            const Problem problem = parse(op + std::string(rank) + " fwd " + std::string(dtype_name(dtype)) + rest + indices);
            Tensor x = zeros(problem.geometry.input_shape(), DType::f64);
            test::Rng rng(3);
            test::for_each_cell(x.shape(), [&](const Dims& at) {
              test::put<double>(x.span(), at,
                                values[static_cast<size_t>(rng.between(0, static_cast<int64_t>(values.size()) - 1))] *
                                    (*op == 'm' && op[1] == 'i' ? -1 : 1));
            });
            expect_right(problem, x.to(dtype), to_string(problem));
            if (HasFatalFailure()) return;
          }
}

// The reference implementation allows a tolerance here; the layout may change nothing.
TEST_P(KernelValues, WholePlanesGiveTheSameBitsInEveryLayout) {
  const test::ForcedTarget forced(GetParam());
  for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16})
    for (const Dims& shape : {Dims{2, 5, 16, 16}, Dims{1, 37, 17, 19}, Dims{3, 300, 16, 18}, Dims{2, 4, 1, 1000}}) {
      const Tensor x = randn(shape).to(dtype);
      const Tensor expected = global_avg_pool2d(x);
      const Tensor last = global_avg_pool2d(x.clone(MemoryFormat::channels_last)).clone();
      const Tensor strided = global_avg_pool2d(x.transpose(2, 3).clone().transpose(2, 3)).clone();
      const size_t bytes = static_cast<size_t>(expected.numel() * dtype_size(dtype));
      const auto data = [](const Tensor& t) { return TensorView(t).data; };
      EXPECT_EQ(std::memcmp(data(expected), data(last), bytes), 0) << to_string(shape);
      EXPECT_EQ(std::memcmp(data(expected), data(strided), bytes), 0) << to_string(shape);
    }
}

TEST_P(KernelValues, AllTheSameSpecialValue) {
  const test::ForcedTarget forced(GetParam());
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (double value : {nan, inf, -inf, -0.0, 0.0})
    for (const char* op : {"max", "min", "avg", "lp"})
      for (const char* dtype : {"f32", "f64", "f16", "bf16"})
        for (const char* form : {"nchw 1x2x9x41", "nhwc 1x41x9x5"})
          for (const char* window : {"k3 s1 p1", "k3 s2 p1 d2", "k2 s2", "k9 s1 p4"})
            for (const char* rest : {"", " idx=plane", " nan=ignore idx=window"}) {
              const bool extremum = op == std::string_view("max") || op == std::string_view("min");
              if (!extremum && *rest != 0) continue;
              const Problem problem = parse(std::string(op) + "2d fwd " + dtype + " " + form + " " + window + rest);
              expect_right(problem, full(problem.geometry.input_shape(), value, problem.dtype), std::to_string(value));
              if (HasFatalFailure()) return;
            }
}

// Zeros are equal, and the first one of a window is the result, with its sign. Kernels that merge the rows of a window before its columns
// meet them in another order. Few zeros leave most vectors without one; windows of -inf alone must not choose their padding.
TEST_P(KernelValues, FirstOfEqualCells) {
  const test::ForcedTarget forced(GetParam());
  const double inf = std::numeric_limits<double>::infinity();
  for (double other : {1.0, inf})
    for (int64_t zeros : {2, 30})
      for (const char* op : {"max", "min"})
        for (const char* dtype : {"f32", "f64", "f16", "bf16"})
          for (const char* form : {"nchw 1x2x12x70", "nhwc 1x70x12x5"})
            for (const char* window : {"k3 s1 p1", "k3 s2 p1", "k2 s2", "k3 s3 p1", "k5 s1 p2", "k3 s1 p1 d2", "k4x3 s4x2"})
              for (const char* rest : {"", " idx=window", " idx=plane"}) {
                const Problem problem = parse(std::string(op) + "2d fwd " + dtype + " " + form + " " + window + rest);
                Tensor x(problem.geometry.input_shape(), DType::f64);
                test::Rng rng(7);
                const double worse = op == std::string_view("max") ? -other : other;
                test::for_each_cell(x.shape(), [&](const Dims& at) {
                  test::put<double>(x.span(), at, !rng.one_in(zeros) ? worse : rng.one_in(2) ? 0.0 : -0.0);
                });
                expect_right(problem, x.to(problem.dtype), "one in " + std::to_string(zeros) + " is a zero");
                if (HasFatalFailure()) return;
              }
}

// Of several NaNs in a window the last one is the result, with its payload.
TEST_P(KernelValues, NanPayloadsSurvive) {
  const test::ForcedTarget forced(GetParam());
  for (const char* op : {"max", "min"})
    for (const char* form : {"nchw 1x2x9x41", "nhwc 1x41x9x5"})
      for (const char* window : {"k3 s1 p1", "k3 s2 p1", "k2 s2 idx=window", "k3 s1 p1 idx=plane", "k3 s2 p1 idx=window", "k11 s1 p5"}) {
        const Problem problem = parse(std::string(op) + "2d fwd f32 " + form + " " + window);
        Tensor x(problem.geometry.input_shape());
        test::Rng rng(5);
        uint32_t payload = 1;
        test::for_each_cell(x.shape(), [&](const Dims& at) {
          const uint32_t sign = rng.one_in(2) ? 0x80000000u : 0;
          test::put<uint32_t>(x.span(), at, rng.one_in(3) ? sign | 0x7fc00000u | payload++ : sign | 0x3f800000u);
        });
        expect_right(problem, x, "payloads");
        if (HasFatalFailure()) return;
      }
}

}  // namespace
}  // namespace tidepool
