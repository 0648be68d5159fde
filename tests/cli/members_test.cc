// Arrays by name in .npz and .safetensors files.
#include "pool_files.h"
#include "tidepool/creation.h"
#include "tidepool/io/npz.h"
#include "tidepool/io/safetensors.h"
#include "tidepool/ops/max_pool.h"
#include "tidepool/ops/max_unpool.h"

namespace tidepool::cli {
namespace {

class MembersOfFiles : public Pool {
 protected:
  void write_npz(const std::string& name, const io::NamedTensors& arrays) {
    io::AtomicFile file(path(name));
    io::write_npz(file, arrays);
    file.commit();
  }
  void write_safetensors(const std::string& name, const io::Safetensors& content) {
    io::AtomicFile file(path(name));
    io::write_safetensors(file, content);
    file.commit();
  }
  static std::string names(const io::NamedTensors& arrays) {
    std::string list;
    for (const auto& [name, array] : arrays) list += name + " ";
    return list;
  }
  static void expect_same(const Tensor& got, const Tensor& expected) {
    const auto mismatch = reference::compare_bits(got, expected);
    EXPECT_FALSE(mismatch) << "got " << mismatch->got << ", expected " << mismatch->expected;
  }

  const Tensor a_ = randn({2, 8, 8}, 1), b_ = randn({2, 6, 6}, 2);
};

TEST_F(MembersOfFiles, AreReadByName) {
  write_npz("two.npz", {{"a", a_}, {"layer/b:0", b_}});
  write_safetensors("two.safetensors", {.tensors = {{"a", a_}, {"layer/b:0", b_}}, .metadata = {}});
  for (const std::string file : {"two.npz", "two.safetensors"}) {
    expect_runs("max -k 2 " + file + ":a -o out.npy");
    expect_file("out.npy", max_pool2d(a_, 2));
    expect_runs("max -k 2 " + file + ":layer/b:0 -o out.npy");
    expect_file("out.npy", max_pool2d(b_, 2));
    expect_runs("max -k 2 /dev/stdin:a -o out.npy <" + file);
    expect_file("out.npy", max_pool2d(a_, 2));
    expect_refused("pool max -k 2 " + file + " -o none.npy", 2,
                   "pool: " + file + " holds 2 arrays, name one as in " + file + ":a (there are a layer/b:0)");
    expect_refused("pool max -k 2 - -o none.npy <" + file, 2, "pool: - holds 2 arrays, name one as in /dev/stdin:a (there are a");
    expect_refused("pool max -k 2 " + file + ":c -o none.npy", 2, file + ": there is no array 'c' (there are 'a' 'layer/b:0')");
    expect_refused("pool max -k 2 " + file + ": -o none.npy", 2, "a name must follow the colon in '" + file + ":'");
  }
  write("x.npy", a_);
  expect_refused("pool max -k 2 /dev/stdin:a -o none.npy <x.npy", 2, "the file holds one without a name");
}

TEST_F(MembersOfFiles, TheOnlyOneNeedsNoName) {
  write_npz("one.npz", {{"a", a_}});
  write_npz("none.npz", {});
  expect_runs("max -k 2 one.npz -o out.npy");
  expect_file("out.npy", max_pool2d(a_, 2));
  expect_refused("pool max -k 2 none.npz -o out2.npy", 2, "none.npz: the file holds no array");
}

TEST_F(MembersOfFiles, ResultsAreWrittenTogether) {
  write("x.npy", a_);
  const auto [values, indices] = max_pool2d_with_indices(a_, 2);
  expect_runs("max -k 2 x.npy -o out.npz --indices out.npz");
  EXPECT_EQ(names(io::read_npz(path("out.npz"))), "values indices ");
  expect_same(io::read_npz(path("out.npz"))[0].second, values);
  expect_same(io::read_npz(path("out.npz"))[1].second, indices);
  expect_runs("unpool -k 2 out.npz:values --indices out.npz:indices -o back.npy");
  expect_file("back.npy", max_unpool2d(values, indices, 2));
  expect_runs("max -k 2 x.npy -o out.safetensors:v --indices ./out.safetensors:i");
  EXPECT_EQ(names(io::read_safetensors(path("out.safetensors")).tensors), "v i ");
  expect_refused("pool max -k 2 x.npy -o out.npz:v --indices out.npz:v", 2, "name the same file");
}

// A name in the output changes that array alone; without a name the whole file is replaced.
TEST_F(MembersOfFiles, ANamedOutputKeepsTheOthers) {
  write("x.npy", a_);
  write_npz("all.npz", {{"first", b_}, {"second", b_}});
  expect_runs("max -k 2 x.npy -o all.npz:second");
  EXPECT_EQ(names(io::read_npz(path("all.npz"))), "first second ");
  expect_same(io::read_npz(path("all.npz"))[0].second, b_);
  expect_same(io::read_npz(path("all.npz"))[1].second, max_pool2d(a_, 2));
  expect_runs("max -k 2 all.npz:first -o all.npz:third");
  EXPECT_EQ(names(io::read_npz(path("all.npz"))), "first second third ");
  expect_runs("max -k 2 x.npy -o all.npz");
  EXPECT_EQ(names(io::read_npz(path("all.npz"))), "values ");

  write_safetensors("all.safetensors", {.tensors = {{"first", b_}}, .metadata = {{"k", "v"}}});
  expect_runs("max -k 2 x.npy -o all.safetensors:next");
  const io::Safetensors content = io::read_safetensors(path("all.safetensors"));
  EXPECT_EQ(names(content.tensors), "first next ");
  EXPECT_EQ(content.metadata.at("k"), "v");
  // A file that cannot be read is not replaced.
  spill(path("junk.npz"), "junk");
  expect_refused("pool max -k 2 x.npy -o junk.npz:a", 2, "junk.npz: bad zip archive");
  EXPECT_EQ(slurp(path("junk.npz")), "junk");
}

}  // namespace
}  // namespace tidepool::cli
