#include "tidepool/dtype.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <type_traits>

namespace tidepool {
namespace {

TEST(DTypeTest, NamesAreTheOnesPeopleType) {
  const std::array<std::string_view, 10> names = {"f32", "f64", "f16", "bf16", "i8", "u8", "i16", "i32", "i64", "bool"};
  ASSERT_EQ(all_dtypes.size(), names.size());
  for (size_t i = 0; i < names.size(); ++i) EXPECT_EQ(dtype_name(all_dtypes[i]), names[i]);
}

TEST(DTypeTest, NamesParseBack) {
  for (DType dtype : all_dtypes) EXPECT_EQ(parse_dtype(dtype_name(dtype)), dtype);
}

TEST(DTypeTest, OtherTextIsNoDType) {
  for (std::string_view text : {"", "f", "f3", "f322", "F32", " f32", "f32 ", "boolean", "float", "unknown", "u16"})
    EXPECT_EQ(parse_dtype(text), std::nullopt) << text;
  EXPECT_EQ(parse_dtype(std::string_view("f32\0", 4)), std::nullopt);
}

TEST(DTypeTest, SizesAndKinds) {
  const std::array<int64_t, 10> sizes = {4, 8, 2, 2, 1, 1, 2, 4, 8, 1};
  for (size_t i = 0; i < sizes.size(); ++i) EXPECT_EQ(dtype_size(all_dtypes[i]), sizes[i]) << dtype_name(all_dtypes[i]);
  for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::bf16}) EXPECT_EQ(dtype_kind(dtype), DTypeKind::floating);
  for (DType dtype : {DType::i8, DType::i16, DType::i32, DType::i64}) EXPECT_EQ(dtype_kind(dtype), DTypeKind::signed_int);
  EXPECT_EQ(dtype_kind(DType::u8), DTypeKind::unsigned_int);
  EXPECT_EQ(dtype_kind(DType::boolean), DTypeKind::logical);
  EXPECT_TRUE(is_floating(DType::bf16));
  EXPECT_FALSE(is_floating(DType::boolean));
}

TEST(DTypeTest, DispatchHandsOverTheTypeOfTheDType) {
  for (DType dtype : all_dtypes) {
    const DType seen = dispatch(dtype, []<class T>(TypeTag<T>) { return dtype_of<T>; });
    EXPECT_EQ(seen, dtype);
    const int64_t size = dispatch(dtype, []<class T>(TypeTag<T>) { return static_cast<int64_t>(sizeof(T)); });
    EXPECT_EQ(size, dtype_size(dtype));
  }
}

TEST(DTypeTest, ACodeOutsideTheListIsHarmless) {
  const DType stray = static_cast<DType>(200);
  EXPECT_EQ(dtype_name(stray), "unknown");
  EXPECT_EQ(dtype_size(stray), 0);
  EXPECT_FALSE(is_floating(stray));
}

}  // namespace
}  // namespace tidepool
