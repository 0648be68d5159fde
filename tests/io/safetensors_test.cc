#include "tidepool/io/safetensors.h"

#include <cstring>

#include "io/expect_parse_error.h"
#include "support/compare.h"
#include "support/in_folder.h"
#include "tidepool/creation.h"

namespace tidepool::io {
namespace {

std::string safetensors_bytes(const std::string& json, const std::string& cells = "") {
  const uint64_t length = json.size();
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes + json + cells;
}

std::string entry(const std::string& name, const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}

class SafetensorsFiles : public test::InFolder {
 protected:
  Safetensors read(const std::string& bytes) {
    test::spill(path("a.safetensors"), bytes);
    return read_safetensors(path("a.safetensors"));
  }
  void write(const Safetensors& content) {
    AtomicFile file(path("a.safetensors"));
    write_safetensors(file, content);
    file.commit();
  }
  void expect_bad(const std::string& bytes, const std::string& words) {
    EXPECT_TRUE(refused(words, [&] { read(bytes); }));
  }
};

TEST_F(SafetensorsFiles, RoundTripEveryDType) {
  Safetensors content{.tensors = {}, .metadata = {{"step", "12"}, {"odd \"key\"\n", "\\ and \x01"}}};
  for (DType dtype : all_dtypes) content.tensors.emplace_back(std::string(dtype_name(dtype)), rand({3, 5}, 7, dtype));
  content.tensors.emplace_back("scalar", full({}, 4.5));
  content.tensors.emplace_back("nothing", zeros({0, 3}));
  content.tensors.emplace_back("transposed", arange({2, 3}).transpose(0, 1));
  write(content);
  const Safetensors back = read_safetensors(path("a.safetensors"));
  EXPECT_EQ(back.metadata, content.metadata);
  ASSERT_EQ(back.tensors.size(), content.tensors.size());
  for (size_t i = 0; i < back.tensors.size(); ++i) {
    EXPECT_EQ(back.tensors[i].first, content.tensors[i].first);
    EXPECT_TRUE(test::same_bits(content.tensors[i].second, back.tensors[i].second)) << back.tensors[i].first;
  }
}

// Written by the safetensors package 0.8 from NumPy arrays: weight = arange(6).reshape(2,3) as F32, half as F16, ids as I64, on as BOOL.
TEST_F(SafetensorsFiles, ReadWhatTheReferenceWrote) {
  const Safetensors file = read_safetensors(TIDEPOOL_SOURCE_DIR "/tests/io/data/reference.safetensors");
  EXPECT_EQ(file.metadata.at("format"), "pt");
  const std::map<std::string, Tensor> by_name(file.tensors.begin(), file.tensors.end());
  ASSERT_EQ(by_name.size(), 4u);
  EXPECT_TRUE(test::same_bits(arange({2, 3}), by_name.at("conv1.weight")));
  EXPECT_TRUE(test::same_bits(Tensor::from<float>({3}, {0.5F, -2, 1024}).to(DType::f16), by_name.at("half")));
  EXPECT_TRUE(test::same_bits(Tensor::from<int64_t>({2}, {-1, int64_t{1} << 40}), by_name.at("ids")));
  EXPECT_TRUE(test::same_bits(Tensor::from<bool>({2}, {true, false}), by_name.at("on")));
}

TEST_F(SafetensorsFiles, EqualContentGivesEqualBytesWithAlignedCells) {
  const Safetensors content{.tensors = {{"b", zeros({3}, DType::u8)}, {"a", arange({2}, DType::f64)}}, .metadata = {}};
  write(content);
  const std::string bytes = test::slurp(path("a.safetensors"));
  EXPECT_EQ(
      bytes.substr(8, 109),
      "{\"b\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[16,19]},\"a\":{\"dtype\":\"F64\",\"shape\":[2],\"data_offsets\":[0,16]}}");
  EXPECT_EQ(bytes.size() % 8, 19u % 8);
  write(content);
  EXPECT_EQ(test::slurp(path("a.safetensors")), bytes);
}

TEST_F(SafetensorsFiles, NamesMustDiffer) {
  AtomicFile file(path("x"));
  EXPECT_THROW(write_safetensors(file, {.tensors = {{"a", zeros({1})}, {"a", zeros({1})}}, .metadata = {}}), Error);
  EXPECT_THROW(write_safetensors(file, {.tensors = {{"__metadata__", zeros({1})}}, .metadata = {}}), Error);
}

TEST_F(SafetensorsFiles, NamesAreUtf8WithEscapes) {
  const Safetensors file =
      read(safetensors_bytes("{\"\\u00e9\\ud83d\\ude00\\n\\\"\":{\"shape\":[],\"data_offsets\":[0,1],\"dtype\":\"U8\"} }  ", "x"));
  EXPECT_EQ(file.tensors[0].first, "\xc3\xa9\xf0\x9f\x98\x80\n\"");
}

TEST_F(SafetensorsFiles, RefuseHostileHeaders) {
  expect_bad("", "not a .safetensors file");
  expect_bad("short", "not a .safetensors file");
  expect_bad(std::string(8, '\xff'), "its header would have 18446744073709551615 bytes");
  expect_bad(safetensors_bytes("{}").replace(0, 2, "\x03\x00", 2), "its header would have 3 bytes");
  expect_bad(safetensors_bytes(""), "expected '{'");
  expect_bad(safetensors_bytes("[]"), "expected '{'");
  expect_bad(safetensors_bytes("{"), "expected '\"'");
  expect_bad(safetensors_bytes("{}x"), "text after the closing brace");
  expect_bad(safetensors_bytes("{}", "cells"), "5 bytes at the end belong to no array");
  expect_bad(safetensors_bytes("{\"a"), "a string that never ends");
  expect_bad(safetensors_bytes("{\"\\ud800\":0}"), "half a surrogate pair");
  expect_bad(safetensors_bytes("{\"\\uzzzz\":0}"), "four hexadecimal digits");
  expect_bad(safetensors_bytes("{\"\\q\":0}"), "unknown escape");
  expect_bad(safetensors_bytes("{\"a\n\":0}"), "a control character");
  expect_bad(safetensors_bytes("{\"a\":{\"dtype\":\"U8\"}}"), "'a' needs dtype, shape and data_offsets");
  expect_bad(safetensors_bytes("{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\"}}"), "is unknown or there twice");
  expect_bad(safetensors_bytes("{\"a\":{\"size\":1}}"), "key 'size' of 'a' is unknown");
  expect_bad(safetensors_bytes("{\"__metadata__\":{\"a\":1}}"), "expected '\"'");
  expect_bad(safetensors_bytes("{\"__metadata__\":{\"a\":\"\",\"a\":\"\"}}"), "metadata 'a' is there twice");
  expect_bad(safetensors_bytes("{" + entry("a", "F8_E4M3", "[1]", "[0,1]") + "}", "x"), "dtype 'F8_E4M3' is not supported");
  expect_bad(safetensors_bytes("{" + entry("a", "U8", "[1,1,1,1,1,1,1,1,1]", "[0,1]") + "}", "x"), "more than 8 dimensions");
  expect_bad(safetensors_bytes("{" + entry("a", "U8", "[-1]", "[0,1]") + "}", "x"), "expected zero or more, got -1");
  expect_bad(safetensors_bytes("{" + entry("a", "U8", "[1.5]", "[0,1]") + "}", "x"), "expected ']'");
  expect_bad(safetensors_bytes("{" + entry("a", "U8", "[99999999999999999999]", "[0,1]") + "}", "x"), "does not fit in 64 bits");
  expect_bad(safetensors_bytes("{" + entry("a", "F64", "[4611686018427387904]", "[0,8]") + "}", "12345678"), "overflows");
  expect_bad(safetensors_bytes("{" + entry("a", "U8", "[4294967296,4294967296]", "[0,0]") + "}"), "overflows");
  expect_bad(safetensors_bytes("{" + entry("a", "F32", "[2]", "[0,4]") + "}", "1234"), "needs 8 bytes, its offsets are 0 and 4");
  expect_bad(safetensors_bytes("{" + entry("a", "U8", "[1]", "[1,0]") + "}", "x"), "its offsets are 1 and 0");
}

TEST_F(SafetensorsFiles, RefuseCellsInTheWrongPlace) {
  expect_bad(safetensors_bytes("{" + entry("a", "U8", "[9]", "[0,9]") + "}", "1234"), "'a' ends at byte 9, the file has 4");
  expect_bad(safetensors_bytes("{" + entry("a", "U8", "[1000000000000]", "[0,1000000000000]") + "}", "1234"), "the file has 4");
  expect_bad(safetensors_bytes("{" + entry("a", "U8", "[4]", "[0,4]") + "," + entry("b", "U8", "[2]", "[2,4]") + "}", "1234"),
             "'b' must begin at byte 4, got 2");
  expect_bad(safetensors_bytes("{" + entry("a", "U8", "[1]", "[0,1]") + "," + entry("b", "U8", "[1]", "[3,4]") + "}", "1234"),
             "'b' must begin at byte 1, got 3");
  expect_bad(safetensors_bytes("{" + entry("a", "U8", "[2]", "[0,2]") + "," + entry("a", "U8", "[2]", "[2,4]") + "}", "1234"),
             "names must differ, got 'a' twice");
}

TEST_F(SafetensorsFiles, DamagedFilesAreRefusedOrRead) {
  write({.tensors = {{"a", arange({2, 3})}, {"b", rand({4}, 1, DType::boolean)}}, .metadata = {{"k", "v"}}});
  const std::string whole = test::slurp(path("a.safetensors"));
  for (size_t size = 0; size < whole.size(); ++size) EXPECT_THROW(read(whole.substr(0, size)), Error) << size;
  int refused_flips = 0;
  for (size_t i = 0; i < whole.size(); ++i)
    for (int bit : {0, 3, 7}) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ 1 << bit);
      refused_flips += refuses_or_reads([&] { read(bytes); }) ? 1 : 0;
    }
  EXPECT_GT(refused_flips, 100);
}

}  // namespace
}  // namespace tidepool::io
