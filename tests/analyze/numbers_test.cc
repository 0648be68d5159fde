// Numbers as texts, at the borders of their units and types.
#include "analyze/numbers.h"

#include <gtest/gtest.h>

#include <limits>

namespace tidepool::analyze {

TEST(Numbers, AreGroupedByThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(13860), "13,860");
  EXPECT_EQ(grouped(-1234567), "-1,234,567");
  EXPECT_EQ(grouped(INT64_MAX), "9,223,372,036,854,775,807");
  EXPECT_EQ(grouped(INT64_MIN), "-9,223,372,036,854,775,808");
}

TEST(Numbers, CountsAreWrittenOutBelowAMillion) {
  EXPECT_EQ(short_count(999'999), "999,999");
  EXPECT_EQ(short_count(1'000'000), "1.0 M");
  EXPECT_EQ(short_count(25'557'032), "25.6 M");
  EXPECT_EQ(short_count(999'949'999), "999.9 M");
  EXPECT_EQ(short_count(999'950'000), "1.0 G");
  EXPECT_EQ(short_count(int64_t{1} << 60), "1.2 E");
  EXPECT_EQ(short_count(INT64_MAX), "9.2 E");
  EXPECT_EQ(short_count(INT64_MIN), "-9.2 E");
}

TEST(Numbers, BytesHaveUnits) {
  EXPECT_EQ(short_bytes(0), "0 B");
  EXPECT_EQ(short_bytes(999), "999 B");
  EXPECT_EQ(short_bytes(1000), "1.0 kB");
  EXPECT_EQ(short_bytes(999'949), "999.9 kB");
  EXPECT_EQ(short_bytes(999'950), "1.0 MB");
  EXPECT_EQ(short_bytes(102'760'448), "102.8 MB");
  EXPECT_EQ(short_bytes(INT64_MAX), "9.2 EB");
}

TEST(Numbers, SecondsHaveUnits) {
  EXPECT_EQ(short_seconds(0), "0.0 ns");
  EXPECT_EQ(short_seconds(2.32e-8), "23.2 ns");
  EXPECT_EQ(short_seconds(5.62e-5), "56.2 us");
  EXPECT_EQ(short_seconds(1.25e-3), "1.2 ms");
  EXPECT_EQ(short_seconds(90), "90.0 s");
  EXPECT_EQ(short_seconds(1e9), "1.0e+09 s");
  EXPECT_EQ(short_seconds(std::numeric_limits<double>::infinity()), "inf s");
  EXPECT_EQ(short_ratio(2.25), "2.25");
  EXPECT_EQ(short_ratio(1e300), "1.0e+300");
}

TEST(Numbers, EqualAxesAreWrittenOnce) {
  EXPECT_EQ(joined_axes({}), "");
  EXPECT_EQ(joined_axes({"38"}), "38");
  EXPECT_EQ(joined_axes({"38", "38"}), "38");
  EXPECT_EQ(joined_axes({"38", "46"}), "38x46");
  EXPECT_EQ(joined_axes({"1", "38", "38"}), "1x38x38");
}

}  // namespace tidepool::analyze
