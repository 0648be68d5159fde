// Programs and libraries that were compiled with different versions of c.h.
#include "c/struct_size.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>

#include "c/support.h"
#include "support/guarded.h"
#include "tidepool/error.h"

namespace tidepool::test {
namespace {

// A struct that has grown twice.
struct First {
  size_t struct_size;
  int64_t a;
};
struct Second {
  size_t struct_size;
  int64_t a, b;
};
struct Third {
  size_t struct_size;
  int64_t a, b, c;
};

// The library of the second version reads a struct.
Second read(const void* given) {
  Second known{.struct_size = 0, .a = 10, .b = 20};
  c::read_struct("f", {.name = "Second", .first = sizeof(First), .known = sizeof(Second)}, given, &known);
  return known;
}

std::string error_of(const void* given) {
  try {
    read(given);
  } catch (const Error& error) {
    return std::string(error_code_name(error.code())) + ": " + error.message();
  }
  return "accepted";
}

TEST(CStructSize, MissingMembersTakeTheirDefaults) {
  const First first{.struct_size = sizeof(First), .a = 1};
  const Second read_first = read(&first);
  EXPECT_EQ(read_first.a, 1);
  EXPECT_EQ(read_first.b, 20);
  const Second second{.struct_size = sizeof(Second), .a = 1, .b = 2};
  EXPECT_EQ(read(&second).b, 2);
}

TEST(CStructSize, UnknownMembersMustBeZero) {
  Third third{.struct_size = sizeof(Third), .a = 1, .b = 2, .c = 0};
  const Second known = read(&third);
  EXPECT_EQ(known.a, 1);
  EXPECT_EQ(known.b, 2);
  const std::string message = "unsupported: f: Second sets a member that this version of tidepool does not have, at byte ";
  for (size_t byte = sizeof(Second); byte < sizeof(Third); ++byte) {
    Third set = third;
    reinterpret_cast<unsigned char*>(&set)[byte] = 0x80;
    EXPECT_EQ(error_of(&set), message + std::to_string(byte));
  }
}

TEST(CStructSize, NoVersionIsSmallerThanTheFirstOrLargerThanAPage) {
  struct {
    size_t struct_size = 0;
    std::byte zeros[8192] = {};
  } given;
  for (size_t size : {size_t{0}, size_t{3}, sizeof(First) - 1, size_t{4097}, SIZE_MAX}) {
    given.struct_size = size;
    EXPECT_EQ(error_of(&given), "invalid_argument: f: struct_size must be sizeof(Second), got " + std::to_string(size));
  }
  given.struct_size = 4096;
  EXPECT_EQ(error_of(&given), "accepted");
}

// The caller's struct ends at an unreadable page: nothing behind it may be read or written.
template <class T>
T* at_the_end_of_memory(std::shared_ptr<std::byte>* memory, size_t size) {
  *memory = guarded_memory(static_cast<int64_t>(size), Flush::end);
  return reinterpret_cast<T*>(memory->get());
}

TEST(CStructSize, OptionsOfEveryVersion) {
  for (const size_t more : {size_t{0}, size_t{8}, size_t{64}}) {
    std::shared_ptr<std::byte> memory;
    const size_t size = sizeof(tp_options) + more;
    auto* o = at_the_end_of_memory<tp_options>(&memory, size);
    std::memset(static_cast<void*>(o), 0xAB, size);
    tp_options_init_sized(o, size);
    EXPECT_EQ(o->struct_size, size);
    o->shape_rank = 4;
    for (int i = 0; i < 4; ++i) o->shape[i] = 8;
    o->kernel_size[0] = 2, o->kernel_size[1] = 3;
    tp_plan* plan = nullptr;
    EXPECT_EQ(tp_plan_create(o, &plan), TP_OK) << tp_last_error();
    tp_plan_free(plan);
    if (more == 0) continue;
    memory.get()[size - 1] = std::byte{1};
    EXPECT_TRUE(refused(
        tp_plan_create(o, &plan), TP_UNSUPPORTED,
        "tp_plan_create: tp_options sets a member that this version of tidepool does not have, at byte " + std::to_string(size - 1)));
  }
  tp_options o;
  tp_options_init(&o);
  for (size_t size : {size_t{0}, sizeof o - 1}) {
    o.struct_size = size;
    tp_plan* plan = nullptr;
    EXPECT_TRUE(refused(tp_plan_create(&o, &plan), TP_INVALID_ARGUMENT,
                        "tp_plan_create: struct_size must be sizeof(tp_options), got " + std::to_string(size)));
  }
}

// An older program's struct is smaller. Initialising it must not write behind its end.
TEST(CStructSize, InitialisingWritesNoMoreThanTheCallersStruct) {
  for (const size_t size : {sizeof(size_t), offsetof(tp_options, norm), sizeof(tp_options)}) {
    std::shared_ptr<std::byte> memory;
    auto* o = at_the_end_of_memory<tp_options>(&memory, size);
    tp_options_init_sized(o, size);
    EXPECT_EQ(o->struct_size, size);
  }
  size_t nothing = 0;
  tp_options_init_sized(nullptr, sizeof(tp_options));
  tp_options_init_sized(reinterpret_cast<tp_options*>(&nothing), sizeof nothing - 1);
  EXPECT_EQ(nothing, 0u);
}

TEST(CStructSize, RunOptionsOfEveryVersion) {
  const CPlan plan = parsed_plan("max2d fwd f32 nchw 1x1x4x4 k2");
  const int64_t in_shape[4] = {1, 1, 4, 4}, out_shape[4] = {1, 1, 2, 2};
  const float x[16] = {};
  float y[4];
  tp_arrays arrays{};
  arrays.input = tp_dense_const(x, TP_F32, 4, in_shape);
  arrays.output = tp_dense(y, TP_F32, 4, out_shape);
  for (const size_t more : {size_t{0}, size_t{8}}) {
    std::shared_ptr<std::byte> memory;
    const size_t size = sizeof(tp_run_options) + more;
    auto* run = at_the_end_of_memory<tp_run_options>(&memory, size);
    run->struct_size = size;
    EXPECT_EQ(tp_plan_run(plan.get(), &arrays, run), TP_OK) << tp_last_error();
    if (more == 0) continue;
    memory.get()[size - 1] = std::byte{1};
    EXPECT_TRUE(refused(
        tp_plan_run(plan.get(), &arrays, run), TP_UNSUPPORTED,
        "tp_plan_run: tp_run_options sets a member that this version of tidepool does not have, at byte " + std::to_string(size - 1)));
  }
  tp_run_options run{};
  for (size_t size : {size_t{0}, sizeof run - 1}) {
    run.struct_size = size;
    EXPECT_TRUE(refused(tp_plan_run(plan.get(), &arrays, &run), TP_INVALID_ARGUMENT,
                        "tp_plan_run: struct_size must be sizeof(tp_run_options), got " + std::to_string(size)));
  }
}

}  // namespace
}  // namespace tidepool::test
