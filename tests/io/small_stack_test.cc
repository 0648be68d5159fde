// Files on a thread with a stack of 256 KB. What a file nests must not be followed by recursion.
#include "support/small_stack.h"

#include <cstdint>

#include "support/in_folder.h"
#include "tidepool/creation.h"
#include "tidepool/error.h"
#include "tidepool/io/atomic_file.h"
#include "tidepool/io/npy.h"
#include "tidepool/io/npz.h"
#include "tidepool/io/png.h"
#include "tidepool/io/safetensors.h"

namespace tidepool::io {
namespace {

class IoSmallStack : public test::InFolder {
 protected:
  template <class Write>
  void write(const std::string& name, const Write& contents) {
    AtomicFile file(path(name));
    contents(file);
    file.commit();
  }
};

TEST_F(IoSmallStack, WritesAndReads) {
  test::on_small_stack([this] {
    const Tensor picture = rand({3, 200, 300}, 1, DType::u8), x = rand({30, 1000}, 1);
    write("a.png", [&](Sink& sink) { write_png(sink, {.pixels = picture, .srgb = {}, .file_gamma = {}}); });
    EXPECT_EQ(read_png(path("a.png")).pixels.shape(), picture.shape());
    write("a.npy", [&](Sink& sink) { write_npy(sink, x); });
    EXPECT_EQ(read_npy(path("a.npy")).shape(), x.shape());
    write("a.npz", [&](Sink& sink) { write_npz(sink, {{"x", x}}); });
    EXPECT_EQ(read_npz(path("a.npz")).size(), 1U);
    EXPECT_EQ(read_npz(TIDEPOOL_SOURCE_DIR "/tests/io/data/numpy_deflated.npz").empty(), false);
    write("a.safetensors", [&](Sink& sink) { write_safetensors(sink, {.tensors = {{"x", x}}, .metadata = {}}); });
    EXPECT_EQ(read_safetensors(path("a.safetensors")).tensors.size(), 1U);
    remove_unfinished_files();
  });
}

// The header of a .safetensors file and the one of an .npy file are texts with brackets.
TEST_F(IoSmallStack, RefusesDeeplyNestedHeaders) {
  constexpr int64_t depth = 1000000;
  for (const char* bracket : {"[", "{", "{\"a\":", "(", "((1,)"}) {
    std::string nested;
    while (static_cast<int64_t>(nested.size()) < depth) nested += bracket;
    const std::string header = "{\"x\":" + nested;
    std::string length(8, '\0');
    for (size_t i = 0; i < 8; ++i) length[i] = static_cast<char>(header.size() >> (8 * i) & 0xff);
    test::spill(path("a.safetensors"), length + header);
    const std::string dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': " + nested;
    length = dictionary.substr(0, 0);
    for (size_t i = 0; i < 4; ++i) length += static_cast<char>(dictionary.size() >> (8 * i) & 0xff);
    test::spill(path("a.npy"), "\x93NUMPY" + std::string("\2\0", 2) + length + dictionary);
    test::on_small_stack([this] {
      EXPECT_THROW(read_safetensors(path("a.safetensors")), Error);
      EXPECT_THROW(read_npy(path("a.npy")), Error);
    });
  }
}

}  // namespace
}  // namespace tidepool::io
