// Byte order and order of dimensions in .npy and .npz files. The files are made byte by byte here, not by the writer.
#include <algorithm>
#include <cstring>

#include "io/expect_parse_error.h"
#include "io/inflate.h"
#include "io/zip_format.h"
#include "support/compare.h"
#include "support/in_folder.h"
#include "tidepool/io/npy.h"
#include "tidepool/io/npz.h"

namespace tidepool::io {
namespace {

using namespace std::string_literals;

std::string npy_file(const std::string& descr, bool fortran, const std::string& shape, const std::string& data) {
  std::string dict = "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }\n";
  return "\x93NUMPY\x01\x00"s + static_cast<char>(dict.size() & 0xff) + static_cast<char>(dict.size() >> 8) + dict + data;
}

// An archive with one stored entry, from the description of the format.
std::string npz_file(const std::string& name, const std::string& contents) {
  std::string fields;
  zip::put16(fields, 20), zip::put16(fields, 0), zip::put16(fields, 0), zip::put32(fields, 0);
  zip::put32(fields, crc32_of(contents.data(), static_cast<int64_t>(contents.size())));
  for (int i = 0; i < 2; ++i) zip::put32(fields, static_cast<uint32_t>(contents.size()));
  zip::put16(fields, static_cast<uint32_t>(name.size())), zip::put16(fields, 0);
  const std::string local = "PK\3\4" + fields + name + contents;
  const std::string entry = "PK\1\2\x14\0"s + fields + std::string(14, '\0') + name;
  std::string end = "PK\5\6\0\0\0\0\1\0\1\0"s;
  zip::put32(end, static_cast<uint32_t>(entry.size())), zip::put32(end, static_cast<uint32_t>(local.size())), zip::put16(end, 0);
  return local + entry + end;
}

struct Stored {
  const char* descr;  // without the byte order
  std::string big;    // two elements, most significant byte first
  Tensor elements;
};

std::vector<Stored> every_dtype() {
  return {
      {"f4", "\x3f\xc0\0\0\xc0\x20\0\0"s, Tensor::from<float>({2}, {1.5F, -2.5F})},
      {"f8", "\x3f\xf8\0\0\0\0\0\0\xc0\x04\0\0\0\0\0\0"s, Tensor::from<double>({2}, {1.5, -2.5})},
      {"f2", "\x3e\0\xc1\0"s, Tensor::from<Half>({2}, {Half(1.5F), Half(-2.5F)})},
      {"i1", "\x01\xfe"s, Tensor::from<int8_t>({2}, {1, -2})},
      {"u1", "\x01\xfe"s, Tensor::from<uint8_t>({2}, {1, 254})},
      {"i2", "\x01\x02\xff\xfe"s, Tensor::from<int16_t>({2}, {0x0102, -2})},
      {"i4", "\x01\x02\x03\x04\xff\xff\xff\xfe"s, Tensor::from<int32_t>({2}, {0x01020304, -2})},
      {"i8", "\x01\x02\x03\x04\x05\x06\x07\x08\xff\xff\xff\xff\xff\xff\xff\xfe"s, Tensor::from<int64_t>({2}, {0x0102030405060708, -2})},
  };
}

std::string reversed_elements(std::string bytes, size_t width) {
  for (size_t at = 0; at < bytes.size(); at += width) std::reverse(bytes.begin() + at, bytes.begin() + at + width);
  return bytes;
}

class NpyOrder : public test::InFolder {
 protected:
  Tensor read(const std::string& bytes) {
    test::spill(path("a.npy"), bytes);
    return read_npy(path("a.npy"));
  }
  Tensor read_packed(const std::string& bytes) {
    test::spill(path("a.npz"), npz_file("a.npy", bytes));
    return read_npz(path("a.npz")).at(0).second;
  }
};

TEST_F(NpyOrder, BigAndLittleEndianOfEveryDType) {
  for (const Stored& s : every_dtype()) {
    const auto width = static_cast<size_t>(dtype_size(s.elements.dtype()));
    const std::string big = npy_file(">"s + s.descr, false, "(2,)", s.big);
    EXPECT_TRUE(test::same_bits(s.elements, read(big))) << s.descr;
    EXPECT_TRUE(test::same_bits(s.elements, read_packed(big))) << s.descr;
    for (const char* order : {"<", "=", "|", ""}) {
      const std::string little = npy_file(order + std::string(s.descr), false, "(2,)", reversed_elements(s.big, width));
      EXPECT_TRUE(test::same_bits(s.elements, read(little))) << order << s.descr;
      EXPECT_TRUE(test::same_bits(s.elements, read_packed(little))) << order << s.descr;
    }
  }
  for (const char* descr : {">b1", ">?", "|b1", "?"}) {
    const Tensor read_back = read(npy_file(descr, false, "(3,)", "\0\1\7"s));
    EXPECT_EQ(std::memcmp(read_back.data<std::byte>(), "\0\1\1", 3), 0) << descr;
  }
}

TEST_F(NpyOrder, BigEndianInFortranOrder) {
  // [[1 2 3], [4 5 6]] column by column.
  const std::string columns = "\0\1\0\4\0\2\0\5\0\3\0\6"s;
  const Tensor expected = Tensor::from<int16_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_TRUE(test::same_bits(expected, read(npy_file(">i2", true, "(2, 3)", columns))));
  EXPECT_TRUE(test::same_bits(expected, read_packed(npy_file(">i2", true, "(2, 3)", columns))));
  EXPECT_TRUE(test::same_bits(expected, read(npy_file("<i2", true, "(2, 3)", reversed_elements(columns, 2)))));
}

TEST_F(NpyOrder, FortranOrderOfThreeDimensions) {
  std::string bytes(24, '\0');
  Tensor expected({2, 3, 4}, DType::u8);
  for (size_t i = 0; i < 2; ++i)
    for (size_t j = 0; j < 3; ++j)
      for (size_t k = 0; k < 4; ++k) {
        const auto value = static_cast<uint8_t>(100 * i + 10 * j + k);
        bytes[i + 2 * (j + 3 * k)] = static_cast<char>(value);
        expected.data<uint8_t>()[(i * 3 + j) * 4 + k] = value;
      }
  const Tensor got = read(npy_file("|u1", true, "(2, 3, 4)", bytes));
  EXPECT_EQ(got.strides(), (Dims{1, 2, 6}));
  EXPECT_TRUE(test::same_bits(expected, got));
}

TEST_F(NpyOrder, EmptyAndScalarArrays) {
  EXPECT_EQ(read(npy_file(">f8", true, "(0, 3)", "")).shape(), (Dims{0, 3}));
  EXPECT_TRUE(test::same_bits(Tensor::from<int32_t>({}, {7}), read(npy_file(">i4", true, "()", "\0\0\0\7"s))));
}

TEST_F(NpyOrder, OtherOrdersAndTypesAreRefused) {
  for (const char* descr : {"!f4", "~i2", ">>i2", ">c8", ">f3", ">", ""})
    EXPECT_TRUE(refused("is not supported", [&] { read(npy_file(descr, false, "(1,)", std::string(4, '\0'))); })) << descr;
}

}  // namespace
}  // namespace tidepool::io
