#include "tidepool/io/npz.h"

#include "io/expect_parse_error.h"
#include "support/compare.h"
#include "support/in_folder.h"
#include "tidepool/creation.h"

namespace tidepool::io {
namespace {

class Npz : public test::InFolder {
 protected:
  NamedTensors read(const std::string& bytes) {
    test::spill(path("a.npz"), bytes);
    return read_npz(path("a.npz"));
  }
  std::string written(const NamedTensors& arrays) {
    AtomicFile file(path("a.npz"));
    write_npz(file, arrays);
    file.commit();
    return test::slurp(path("a.npz"));
  }
  void expect_bad(const std::string& bytes, const std::string& words) {
    EXPECT_TRUE(refused(words, [&] { read(bytes); }));
  }
};

// A copy of `bytes` with little-endian `value` of `count` bytes at `at`.
std::string patched(std::string bytes, size_t at, uint64_t value, int count) {
  for (int i = 0; i < count; ++i) bytes[at + static_cast<size_t>(i)] = static_cast<char>(value >> (8 * i) & 0xff);
  return bytes;
}

TEST_F(Npz, RoundTripsEveryDType) {
  NamedTensors arrays;
  for (DType dtype : all_dtypes)
    if (dtype != DType::bf16) arrays.emplace_back(std::string(dtype_name(dtype)), rand({3, 5}, 7, dtype));
  arrays.emplace_back("scalar", full({}, 4.5));
  arrays.emplace_back("layer/transposed", arange({2, 3}).transpose(0, 1));
  const std::string bytes = written(arrays);
  const NamedTensors back = read(bytes);
  ASSERT_EQ(back.size(), arrays.size());
  for (size_t i = 0; i < back.size(); ++i) {
    EXPECT_EQ(back[i].first, arrays[i].first);
    EXPECT_TRUE(test::same_bits(arrays[i].second, back[i].second)) << back[i].first;
  }
  EXPECT_EQ(written(arrays), bytes);
  EXPECT_TRUE(read(written({})).empty());
}

// numpy.savez and numpy.savez_compressed of NumPy 2: a = arange(6, f4) as 2x3, b = 1000 zeros and a one as i8 ("|i1"), f = a.T in Fortran
// order.
TEST_F(Npz, ReadsWhatNumpyWrote) {
  for (const char* name : {"stored", "deflated"}) {
    const NamedTensors arrays = read_npz(std::string(TIDEPOOL_SOURCE_DIR "/tests/io/data/numpy_") + name + ".npz");
    ASSERT_EQ(arrays.size(), 3u) << name;
    EXPECT_EQ(arrays[0].first, "a");
    EXPECT_TRUE(test::same_bits(arange({2, 3}), arrays[0].second)) << name;
    ASSERT_EQ(arrays[1].second.shape(), Dims{1001}) << name;
    EXPECT_EQ(arrays[1].second.item({1000}), 1);
    EXPECT_EQ(arrays[1].second.item({999}), 0);
    EXPECT_TRUE(test::same_bits(arange({2, 3}).transpose(0, 1), arrays[2].second)) << name;
  }
}

// Python's zipfile and NumPy read this file.
TEST_F(Npz, WritesTheseBytes) {
  EXPECT_EQ(written({{"x", Tensor::from<float>({2}, {1, 2})}, {"y", zeros({1}, DType::u8)}}),
            test::slurp(TIDEPOOL_SOURCE_DIR "/tests/io/data/ours.npz"));
}

TEST_F(Npz, RefusesWhatZipCannotHold) {
  AtomicFile file(path("x.npz"));
  EXPECT_THROW(write_npz(file, {{"a", zeros({2}, DType::bf16)}}), Error);
  EXPECT_THROW(write_npz(file, {{"a", zeros({2})}, {"a", zeros({2})}}), Error);
  EXPECT_THROW(write_npz(file, {{std::string(70000, 'a'), zeros({2})}}), Error);
}

// The end record is 22 bytes from the end of the file and holds the length of the comment after it.
TEST_F(Npz, ReadsArchivesWithAComment) {
  const Tensor x = Tensor::from<float>({2}, {1, 2});
  const std::string good = written({{"x", x}});
  const auto with_comment = [&](const std::string& comment) { return patched(good, good.size() - 2, comment.size(), 2) + comment; };
  // One holds the mark of an end record, another is longer than the rest of the file, and the last is the longest that there can be.
  for (const std::string& comment : {std::string("a"), "PK\5\6" + std::string(40, 'c'), std::string(1000, 'c'), std::string(65535, 'c')}) {
    const NamedTensors back = read(with_comment(comment));
    ASSERT_EQ(back.size(), 1u) << comment.size();
    EXPECT_EQ(back[0].first, "x");
    EXPECT_TRUE(test::same_bits(x, back[0].second)) << comment.size();
  }
  expect_bad(with_comment("abc") + "d", "it has no end record");
  expect_bad(with_comment(std::string(65535, 'c')) + "d", "it has no end record");
}

// One entry "x.npy": local header 30 + 5 bytes, 128 of NPY header, 8 of cells, directory entry 46 + 5, end 22.
TEST_F(Npz, RefusesHostileArchives) {
  const std::string good = written({{"x", Tensor::from<float>({2}, {1, 2})}});
  constexpr size_t directory = 35 + 136, end = directory + 51;
  ASSERT_EQ(good.size(), end + 22);
  expect_bad("", "it has no end record");
  expect_bad("PK", "it has no end record");
  expect_bad(std::string(100, 'P'), "it has no end record");
  expect_bad(patched(good, end + 4, 1, 2), "several disks");
  expect_bad(patched(good, end + 8, 2, 2), "outside the file");
  expect_bad(patched(patched(good, end + 8, 2, 2), end + 10, 2, 2), "a directory entry is damaged");
  expect_bad(patched(patched(good, end + 8, 0, 2), end + 10, 0, 2), "holds more than it counts");
  expect_bad(patched(good, end + 12, 9999, 4), "outside the file");
  expect_bad(patched(good, end + 16, 0xfffffff0, 4), "outside the file");
  expect_bad(patched(good, end + 16, 0xffffffff, 4), "zip64");
  expect_bad(patched(good, directory, 0, 4), "a directory entry is damaged");
  expect_bad(patched(good, directory + 28, 60000, 2), "a directory entry is damaged");
  expect_bad(patched(good, directory + 8, 1, 2), "'x.npy' is encrypted");
  expect_bad(patched(good, directory + 10, 12, 2), "packed with method 12");
  expect_bad(patched(good, directory + 20, 135, 4), "stored, but has two sizes");
  expect_bad(patched(patched(good, directory + 20, 0xfffffff0, 4), directory + 24, 0xfffffff0, 4), "outside the file");
  expect_bad(patched(good, directory + 24, 0xffffffff, 4), "zip64");
  expect_bad(patched(good, directory + 42, 0xfffffff0, 4), "outside the file");
  expect_bad(patched(good, directory + 42, 1, 4), "no header where the directory says");
  expect_bad(patched(good, 28, 60000, 2), "outside the file");
  expect_bad(patched(good, directory + 16, 1, 4), "the checksum does not fit");
  expect_bad(patched(good, 35 + 130, 0x55, 1), "the checksum does not fit");
  expect_bad(patched(good, directory + 46, 'y', 1).replace(directory + 47, 4, ".txt"), "must be .npy files");
}

TEST_F(Npz, RefusesTwoNamesForOnePlaceAndOneNameForTwo) {
  const std::string two = written({{"x", Tensor::from<float>({2}, {1, 2})}, {"y", Tensor::from<float>({2}, {1, 2})}});
  const size_t second = 2 * 171 + 51;
  ASSERT_EQ(two.substr(second + 46, 5), "y.npy");
  expect_bad(patched(two, second + 42, 0, 4), "entries overlap at byte 0");
  expect_bad(patched(two, second + 46, 'x', 1), "names must differ, got 'x' twice");
}

TEST_F(Npz, RefusesBombsAndDamagedPacking) {
  const std::string good = test::slurp(TIDEPOOL_SOURCE_DIR "/tests/io/data/numpy_deflated.npz");
  const size_t entry = good.find("PK\1\2");
  expect_bad(patched(good, entry + 24, 4000000000, 4), "bytes cannot give 4000000000");
  expect_bad(patched(good, entry + 24, 20, 4), "expected 20 bytes, got more");
  expect_bad(patched(good, entry + 20, 20, 4), "bad compressed data");
}

TEST_F(Npz, DamagedFilesAreRefusedOrRead) {
  for (const char* name : {"stored", "deflated"}) {
    const std::string whole = test::slurp(std::string(TIDEPOOL_SOURCE_DIR "/tests/io/data/numpy_") + name + ".npz");
    for (size_t size = 0; size < whole.size(); size += 7) EXPECT_THROW(read(whole.substr(0, size)), Error) << size;
    int refused_flips = 0;
    for (size_t i = 0; i < whole.size(); i += 3) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ 1 << (i % 8));
      refused_flips += refuses_or_reads([&] { read(bytes); }) ? 1 : 0;
    }
    EXPECT_GT(refused_flips, 50);
  }
}

}  // namespace
}  // namespace tidepool::io
