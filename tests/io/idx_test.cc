#include "tidepool/io/idx.h"

#include "io/expect_parse_error.h"
#include "support/compare.h"
#include "support/in_folder.h"
#include "tidepool/io/io_error.h"

namespace tidepool::io {
namespace {

class Idx : public test::InFolder {
 protected:
  Tensor read(const std::string& bytes) {
    test::spill(path("a"), bytes);
    return read_idx(path("a"));
  }
  void expect_bad(const std::string& bytes, const std::string& words) {
    EXPECT_TRUE(refused(words, [&] { read(bytes); }));
  }
};

using namespace std::string_literals;

TEST_F(Idx, ReadsBytesAndBigEndianNumbers) {
  EXPECT_TRUE(
      test::same_bits(Tensor::from<uint8_t>({2, 3}, {1, 2, 3, 4, 5, 255}), read("\0\0\x08\x02\0\0\0\x02\0\0\0\x03\1\2\3\4\5\xff"s)));
  EXPECT_TRUE(test::same_bits(Tensor::from<int16_t>({2}, {258, -1}), read("\0\0\x0b\x01\0\0\0\x02\1\2\xff\xff"s)));
  EXPECT_TRUE(test::same_bits(Tensor::from<int32_t>({1}, {0x01020304}), read("\0\0\x0c\x01\0\0\0\x01\1\2\3\4"s)));
  EXPECT_TRUE(test::same_bits(Tensor::from<float>({1}, {1.5F}), read("\0\0\x0d\x01\0\0\0\x01\x3f\xc0\0\0"s)));
  EXPECT_TRUE(test::same_bits(Tensor::from<double>({}, {-2}), read("\0\0\x0e\x00\xc0\0\0\0\0\0\0\0"s)));
}

// gzip -n of the first array above.
const std::string packed =
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff\x63\x60\xe0\x60\x62\x60\x60\x00\x61\x66\x46\x26\x66\x16\xd6\xff\x00\xf0\xde\x5f\x21\x12\x00\x00\x00"s;

TEST_F(Idx, ReadsGzippedFiles) {
  EXPECT_TRUE(test::same_bits(Tensor::from<uint8_t>({2, 3}, {1, 2, 3, 4, 5, 255}), read(packed)));
  for (size_t size = 2; size < packed.size(); ++size) EXPECT_THROW(read(packed.substr(0, size)), Error) << size;
  std::string damaged = packed;
  damaged[packed.size() - 5] ^= 1;
  expect_bad(damaged, "bad compressed data");
  expect_bad(packed + packed, "needs 6 bytes, the file has 24");
}

TEST_F(Idx, RefusesHostileFiles) {
  expect_bad("", "not an IDX file");
  expect_bad("PNG pictures", "not an IDX file");
  expect_bad("\0\0\x07\x01\0\0\0\1x"s, "no type has the code 7");
  expect_bad("\0\0\x08\x09"s, "more than 8 dimensions");
  expect_bad("\0\0\x08\x02\0\0\0\1"s, "the file ends inside it");
  expect_bad("\0\0\x08\x01\0\0\0\2x"s, "needs 2 bytes, the file has 1");
  expect_bad("\0\0\x08\x01\0\0\0\1xy"s, "needs 1 bytes, the file has 2");
  expect_bad("\0\0\x08\x01\xff\xff\xff\xff"s, "needs 4294967295 bytes, the file has 0");
  expect_bad("\0\0\x08\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"s, "overflows");
  EXPECT_THROW(read_idx(path("none")), IoError);
}

}  // namespace
}  // namespace tidepool::io
