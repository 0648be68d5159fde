// Arrays in memory instead of files, and single arrays of a file that holds several.
#include <functional>

#include "io/expect_parse_error.h"
#include "support/compare.h"
#include "support/in_folder.h"
#include "tidepool/creation.h"
#include "tidepool/io/io_error.h"
#include "tidepool/io/npy.h"
#include "tidepool/io/npz.h"
#include "tidepool/io/png.h"
#include "tidepool/io/safetensors.h"

namespace tidepool::io {
namespace {

class Memory final : public Sink {
 public:
  void write(const void* data, size_t bytes) override { text.append(static_cast<const char*>(data), bytes); }
  std::string text;
};

template <class Write>
std::string written(const Write& write) {
  Memory memory;
  write(memory);
  return memory.text;
}

const NamedTensors& arrays() {
  static const NamedTensors all = {
      {"a", arange({2, 3})}, {"layer/b", rand({4}, 1, DType::boolean)}, {"c", rand({2, 2}, 2, DType::i16).transpose(0, 1)}};
  return all;
}

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::invalid_argument);
    return e.message();
  }
  return "";
}

TEST(InMemory, EveryFormatComesBack) {
  const Tensor pixels = rand({3, 4, 5}, 3, DType::u8);
  const InputFile npy("pipe", written([&](Sink& s) { write_npy(s, arange({2, 3})); }));
  EXPECT_TRUE(test::same_bits(arange({2, 3}), read_npy(npy)));
  const InputFile png("pipe", written([&](Sink& s) { write_png(s, {.pixels = pixels, .srgb = {}, .file_gamma = {}}); }));
  EXPECT_TRUE(test::same_bits(pixels, read_png(png).pixels));
}

TEST(InMemory, MessagesBeginWithTheName) {
  EXPECT_TRUE(refused("the pipe: not a .npy file", [] { read_npy(InputFile("the pipe", "junk")); }));
  EXPECT_TRUE(refused("the pipe: not a PNG file", [] { read_png(InputFile("the pipe", "")); }));
  EXPECT_TRUE(refused("the pipe: bad zip archive", [] { read_npz(InputFile("the pipe", "")); }));
  EXPECT_TRUE(refused("the pipe: not a .safetensors file", [] { read_safetensors(InputFile("the pipe", "")); }));
}

TEST(InMemory, ReadsStayInside) {
  const InputFile file("x", "0123456789");
  char to[4] = "...";
  EXPECT_EQ(file.size(), 10);
  EXPECT_EQ(file.text(4, 8), "89");
  EXPECT_EQ(file.text(4, 11), "");
  file.read(to, 3, 7);
  EXPECT_STREQ(to, "789");
  EXPECT_THROW(file.read(to, 3, 8), IoError);
  EXPECT_THROW(file.read(to, 1, 10), IoError);
  EXPECT_THROW(file.read(to, 1, -1), IoError);
}

TEST(Members, OfNpzByName) {
  const InputFile file("w.npz", written([](Sink& s) { write_npz(s, arrays()); }));
  EXPECT_EQ(npz_names(file), (std::vector<std::string>{"a", "layer/b", "c"}));
  for (const auto& [name, tensor] : arrays()) EXPECT_TRUE(test::same_bits(tensor, read_npz(file, name))) << name;
  EXPECT_EQ(message_of([&] { read_npz(file, "b"); }), "w.npz: there is no array 'b' (there are 'a' 'layer/b' 'c')");
  const InputFile empty("e.npz", written([](Sink& s) { write_npz(s, {}); }));
  EXPECT_EQ(message_of([&] { read_npz(empty, "b"); }), "e.npz: there is no array 'b', the file is empty");
}

TEST(Members, OfSafetensorsByName) {
  const InputFile file("w.safetensors", written([](Sink& s) { write_safetensors(s, {.tensors = arrays(), .metadata = {}}); }));
  EXPECT_EQ(safetensors_names(file), (std::vector<std::string>{"a", "layer/b", "c"}));
  for (const auto& [name, tensor] : arrays()) EXPECT_TRUE(test::same_bits(tensor, read_safetensors(file, name))) << name;
  EXPECT_EQ(message_of([&] { read_safetensors(file, "x\n"); }), "w.safetensors: there is no array 'x?' (there are 'a' 'layer/b' 'c')");
}

TEST(Members, LongListsOfNamesAreCut) {
  NamedTensors many;
  for (int i = 0; i < 25; ++i) many.emplace_back("n" + std::to_string(i), zeros({1}));
  const InputFile file("w.npz", written([&](Sink& s) { write_npz(s, many); }));
  const std::string message = message_of([&] { read_npz(file, "b"); });
  EXPECT_TRUE(message.ends_with("'n18' 'n19' and 5 more)")) << message;
}

// One damaged array does not keep the others from being read alone.
TEST(Members, OneIsReadWithoutTheOthers) {
  std::string bytes = written([](Sink& s) { write_npz(s, arrays()); });
  bytes[30 + 5 + 128] ^= 1;  // the first element of a
  const InputFile file("w.npz", bytes);
  EXPECT_TRUE(refused("w.npz(a.npy): the checksum does not fit the contents", [&] { read_npz(file, "a"); }));
  EXPECT_TRUE(test::same_bits(arrays()[2].second, read_npz(file, "c")));
}

}  // namespace
}  // namespace tidepool::io
