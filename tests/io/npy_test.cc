#include "tidepool/io/npy.h"

#include <cstring>
#include <vector>

#include "support/compare.h"
#include "support/in_folder.h"
#include "tidepool/creation.h"
#include "tidepool/io/io_error.h"

namespace tidepool::io {
namespace {

std::string npy_bytes(const std::string& dict, const std::string& data, int major = 1) {
  std::string bytes = std::string("\x93NUMPY") + static_cast<char>(major) + '\0';
  for (int i = 0; i < (major == 1 ? 2 : 4); ++i) bytes += static_cast<char>(dict.size() >> (8 * i) & 0xff);
  return bytes + dict + data;
}

std::string floats(std::initializer_list<float> values) {
  std::string bytes;
  for (float value : values) bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  return bytes;
}

class Npy : public test::InFolder {
 protected:
  Tensor read(const std::string& bytes) {
    test::spill(path("a.npy"), bytes);
    return read_npy(path("a.npy"));
  }

  void expect_bad(const std::string& bytes, const std::string& words) {
    try {
      read(bytes);
      ADD_FAILURE() << "accepted, instead of: " << words;
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::parse);
      EXPECT_NE(e.message().find(words), std::string::npos) << e.message();
    }
  }

  void write(const std::string& name, const TensorArg& array_arg) {
    const TensorView& array = array_arg.view();
    AtomicFile file(path(name));
    write_npy(file, array);
    file.commit();
  }
};

TEST_F(Npy, RoundTripsEveryDType) {
  for (DType dtype : {DType::f32, DType::f64, DType::f16, DType::i8, DType::u8, DType::i16, DType::i32, DType::i64, DType::boolean}) {
    const Tensor x = rand({3, 4, 5}, 7, dtype);
    write("x.npy", x);
    const Tensor y = read_npy(path("x.npy"));
    EXPECT_TRUE(test::same_bits(y, x)) << dtype_name(dtype);
    EXPECT_EQ(test::slurp(path("x.npy")).size() % 64, static_cast<size_t>(x.numel() * dtype_size(dtype)) % 64);
  }
}

TEST_F(Npy, RoundTripsEveryRank) {
  for (const Dims& shape : {Dims{}, Dims{5}, Dims{0, 3}, Dims{1, 2, 3, 4, 1, 2, 1, 2}}) {
    const Tensor x = rand(shape, 1);
    write("x.npy", x);
    EXPECT_TRUE(test::same_bits(read_npy(path("x.npy")), x)) << to_string(shape);
  }
}

TEST_F(Npy, WritesTheHeaderNumpyWrites) {
  write("x.npy", zeros({3}, DType::u8));
  const std::string bytes = test::slurp(path("x.npy"));
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  EXPECT_EQ(bytes.substr(10, 58), "{'descr': '|u1', 'fortran_order': False, 'shape': (3,), } ");
  EXPECT_EQ(bytes.size(), 128u + 3u);
  EXPECT_EQ(bytes[127], '\n');
}

TEST_F(Npy, WritesStridedArraysInRowOrder) {
  const Tensor x = arange({4, 6});
  const Tensor part = x.transpose(0, 1).slice(1, 0, 4, 2);
  write("x.npy", part);
  const Tensor y = read_npy(path("x.npy"));
  EXPECT_TRUE(y.is_contiguous());
  EXPECT_TRUE(test::same_bits(y, part));
  EXPECT_EQ(y.item({1, 1}), 13);
}

TEST_F(Npy, ReadsFortranOrder) {
  const Tensor x = read(npy_bytes("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", floats({1, 4, 2, 5, 3, 6})));
  EXPECT_TRUE(test::same_bits(x, Tensor::from<float>({2, 3}, {1, 2, 3, 4, 5, 6})));
}

TEST_F(Npy, ReadsVersionsTwoAndThreeAndAnyKeyOrder) {
  for (int major : {2, 3}) {
    const Tensor x = read(npy_bytes("{\"shape\":(1,2),'fortran_order':False,'descr':'<f4'}\n", floats({8, 9}), major));
    EXPECT_TRUE(test::same_bits(x, Tensor::from<float>({1, 2}, {8, 9}))) << major;
  }
}

// White space may stand before and after every token of the header, but not inside one.
TEST_F(Npy, SkipsWhiteSpaceBetweenTokens) {
  const std::vector<std::string> tokens = {
      "{", "'descr'", ":", "'<f4'", ",", "'fortran_order'", ":", "False", ",", "'shape'", ":", "(", "1", ",", "2", ")", ",", "}"};
  for (const std::string space : {"", " ", "\t", "\n", "\r", " \t\r\n "})
    for (size_t only = 0; only <= tokens.size(); ++only) {
      std::string everywhere = space, there;
      for (size_t i = 0; i < tokens.size(); ++i) {
        everywhere += tokens[i] + space;
        there += (i == only ? space : "") + tokens[i];
      }
      if (only == tokens.size()) there += space;
      for (const std::string& dict : {everywhere, there}) {
        SCOPED_TRACE(dict);
        EXPECT_TRUE(test::same_bits(read_npy(InputFile("x", npy_bytes(dict, floats({8, 9})))), Tensor::from<float>({1, 2}, {8, 9})));
      }
    }
  expect_bad(npy_bytes("{'descr': '<f4', 'fortran_order': Fa lse, 'shape': (1, 2)}", floats({8, 9})), "True or False");
  expect_bad(npy_bytes("{'descr': '< f4', 'fortran_order': False, 'shape': (1, 2)}", floats({8, 9})), "dtype '< f4' is not supported");
  expect_bad(npy_bytes("{'descr': '<f4', 'fortran_order': False, ' shape': (1, 2)}", floats({8, 9})), "key ' shape' is unknown");
}

TEST_F(Npy, BooleansBecomeZeroOrOne) {
  const Tensor x = read(npy_bytes("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", std::string("\x00\x02\xff", 3)));
  EXPECT_EQ(std::memcmp(x.data<std::byte>(), "\x00\x01\x01", 3), 0);
}

TEST_F(Npy, RefusesHostileHeaders) {
  const auto dict = [](const std::string& shape, const std::string& descr = "'<f4'") {
    return "{'descr': " + descr + ", 'fortran_order': False, 'shape': " + shape + ", }";
  };
  expect_bad("", "not a .npy file");
  expect_bad("\x93NUMPY", "not a .npy file");
  expect_bad(std::string(200, 'x'), "not a .npy file");
  expect_bad(npy_bytes("{}", "", 4), "version 4.0 is not supported");
  expect_bad(npy_bytes("{}", ""), "must all be there");
  expect_bad(npy_bytes("", ""), "expected '{'");
  expect_bad(npy_bytes(dict("(2,)"), floats({1})), "needs 8 bytes, the file has 4");
  expect_bad(npy_bytes(dict("(2,)"), floats({1, 2, 3})), "needs 8 bytes, the file has 12");
  expect_bad(npy_bytes(dict("(1000000000000,)"), floats({1})), "needs 4000000000000 bytes, the file has 4");
  expect_bad(npy_bytes(dict("(4611686018427387904, 4)"), floats({1})), "overflows");
  expect_bad(npy_bytes(dict("(4611686018427387904,)"), floats({1})), "overflows");
  expect_bad(npy_bytes(dict("(99999999999999999999999,)"), floats({1})), "does not fit in 64 bits");
  expect_bad(npy_bytes(dict("(-1,)"), floats({1})), "negative size -1");
  expect_bad(npy_bytes(dict("(1, 1, 1, 1, 1, 1, 1, 1, 1)"), floats({1})), "more than 8 dimensions");
  expect_bad(npy_bytes(dict("(1.5,)"), floats({1})), "expected ')'");
  expect_bad(npy_bytes(dict("('a',)"), floats({1})), "whole numbers");
  expect_bad(npy_bytes(dict("(1,"), floats({1})), "whole numbers");
  expect_bad(npy_bytes(dict("(1,)", "'<c8'"), floats({1, 2})), "dtype '<c8' is not supported");
  expect_bad(npy_bytes(dict("(1,)", "'|O'"), floats({1, 2})), "dtype '|O' is not supported");
  expect_bad(npy_bytes(dict("(1,)", "[('a', '<f4')]"), floats({1})), "structured");
  expect_bad(npy_bytes(dict("(1,)", "'<f4"), floats({1})), "bad .npy header");
  expect_bad(npy_bytes(dict("(1,)") + "{", floats({1})), "text after the closing brace");
  expect_bad(npy_bytes("{'shape': (1,), 'shape': (1,)}", floats({1})), "there twice");
  expect_bad(npy_bytes("{'descr': '<f4', 'fortran_order': 1, 'shape': (1,)}", floats({1})), "True or False");
  expect_bad(std::string("\x93NUMPY\x01\x00\xff\xff{'descr'", 18), "the file ends inside it");
  expect_bad(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff{", 13), "longer than 1 MiB");
  expect_bad(std::string("\x93NUMPY\x02\x00\xff\xff", 10), "the file ends inside it");
}

TEST_F(Npy, EveryTruncationIsAnError) {
  write("x.npy", arange({2, 3}));
  const std::string whole = test::slurp(path("x.npy"));
  for (size_t size = 0; size < whole.size(); ++size) EXPECT_THROW(read(whole.substr(0, size)), Error) << size;
}

TEST_F(Npy, MissingFilesAndFoldersAreIoErrors) {
  EXPECT_THROW(read_npy(path("none.npy")), IoError);
  EXPECT_THROW(read_npy(folder_.string()), IoError);
}

TEST_F(Npy, CannotStoreBFloat16) {
  AtomicFile file(path("x.npy"));
  EXPECT_THROW(write_npy(file, zeros({2}, DType::bf16)), Error);
}

}  // namespace
}  // namespace tidepool::io
