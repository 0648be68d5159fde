// Standard input and output, pipes, and outputs that are not plain files.
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "open_input.h"
#include "pool_files.h"
#include "terminal.h"
#include "tidepool/creation.h"
#include "tidepool/io/png.h"
#include "tidepool/ops/max_pool.h"

namespace tidepool::cli {
namespace {

class Streams : public Pool {
 protected:
  Streams() {
    write("x.npy", x_);
    io::AtomicFile file(path("x.png"));
    io::write_png(file, {.pixels = pixels_, .srgb = {}, .file_gamma = {}});
    file.commit();
  }

  const Tensor x_ = randn({2, 8, 8}, 3), pixels_ = rand({3, 8, 8}, 4, DType::u8);
  const Tensor pooled_ = max_pool2d(x_, 2), small_ = max_pool2d(pixels_, 2);
};

TEST_F(Streams, ADashReadsAndWrites) {
  Answer answer = tool("pool max -k 2 - -o - <x.npy >out.npy; true");
  expect_file("out.npy", pooled_);
  answer = tool("pool max -k 2 - -o out2.npy <x.npy");
  EXPECT_EQ(answer.out, "max_pool2d: - f32 2x8x8 -> out2.npy 2x4x4\n");
  expect_file("out2.npy", pooled_);
  answer = tool("pool max -k 2 x.npy -o -");
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.out, slurp(path("out.npy")));
  EXPECT_EQ(answer.err, "max_pool2d: x.npy f32 2x8x8 -> - 2x4x4\n");
}

TEST_F(Streams, TheFormatIsThatOfTheInputUnlessGiven) {
  EXPECT_EQ(tool("pool max -k 2 - -o - <x.png").out.substr(1, 3), "PNG");
  EXPECT_EQ(tool("pool max -k 2 - -o - --format npy <x.png").out.substr(1, 5), "NUMPY");
  EXPECT_EQ(tool("pool max -k 2 - -o - --format npz <x.png").out.substr(0, 2), "PK");
  spill(path("y.png"), tool("pool max -k 2 - -o - <x.png").out);
  EXPECT_FALSE(reference::compare_bits(io::read_png(path("y.png")).pixels, small_));
  expect_refused("pool max -k 2 - -o - --format bmp <x.png", 2, "--format");
  expect_refused("pool max -k 2 - -o - --format png <x.npy", 2, "PNG: a picture must be u8");
}

TEST_F(Streams, TheContentsDecideNotTheName) {
  std::filesystem::copy(path("x.npy"), path("wrong.png"));
  std::filesystem::copy(path("x.png"), path("plain"));
  expect_runs("max -k 2 wrong.png -o out.npy");
  expect_file("out.npy", pooled_);
  expect_runs("max -k 2 plain -o out.png");
  EXPECT_FALSE(reference::compare_bits(io::read_png(path("out.png")).pixels, small_));
  spill(path("note.txt"), "only a note");
  spill(path("empty"), "");
  expect_refused("pool max -k 2 note.txt -o out2.npy", 2, "note.txt: not an .npy, .npz, .png or .safetensors file");
  expect_refused("pool max -k 2 empty -o out2.npy", 2, "empty: not an .npy, .npz, .png or .safetensors file");
  expect_refused("pool max -k 2 - -o out2.npy </dev/null", 2, "standard input: not an .npy, .npz, .png or .safetensors file");
}

TEST_F(Streams, PipesCanBeChained) {
  const std::string self = "'" TIDEPOOL_CLI "'";
  EXPECT_EQ(tool("pool max -k 2 x.npy -o - 2>/dev/null | " + self + " pool max -k 2 - -o out.npy").code, 0);
  expect_file("out.npy", max_pool2d(pooled_, 2));
  expect_runs("max -k 2 /dev/stdin -o /dev/stdout <x.npy >out2.npy; true");
  // bash passes a pipe as a file name.
  EXPECT_EQ(tool("--version >/dev/null; bash -c \"" + self + " pool max -k 2 <(cat x.npy) -o out3.npy\"").code, 0);
  expect_file("out3.npy", pooled_);
}

TEST_F(Streams, AnEndlessStreamOfSomethingElseIsRefusedAtOnce) {
  expect_refused("pool max -k 2 - -o out.npy </dev/zero", 2, "standard input: not an");
}

TEST_F(Streams, IndicesCanBeStreamed) {
  const auto [values, indices] = max_pool2d_with_indices(x_, 2);
  EXPECT_EQ(tool("pool max -k 2 x.npy -o out.npy --indices - >i.npy; true").code, 0);
  spill(path("i.npy"), tool("pool max -k 2 x.npy -o out.npy --indices -").out);
  expect_file("i.npy", indices);
  EXPECT_EQ(tool("pool unpool -k 2 out.npy --indices - -o back.npy <i.npy").code, 0);
  EXPECT_TRUE(std::filesystem::exists(path("back.npy")));
  expect_refused("pool max -k 2 x.npy -o - --indices -", 2, "--indices and -o name the same stream");
  expect_refused("pool unpool -k 2 - --indices - -o back.npy <i.npy", 2, "cannot both come from standard input");
}

TEST_F(Streams, NothingBinaryGoesToATerminal) {
  const Terminal terminal;
  if (!terminal.is_open()) GTEST_SKIP() << "no terminals here";
  const std::string text = terminal.run("pool max -k 2 '" + path("x.npy") + "' -o -");
  EXPECT_NE(text.find("standard output, which is a terminal; redirect it or name a file"), std::string::npos) << text;
  EXPECT_EQ(text.find("NUMPY"), std::string::npos);
}

TEST_F(Streams, AReaderThatLeavesIsNoError) {
  write("large.npy", randn({1, 1024, 1024}));
  const Answer answer = tool("--version >/dev/null; bash -c \"set -o pipefail; '" TIDEPOOL_CLI
                             "' pool max -k 1 large.npy -o - 2>err | head -c 10 >/dev/null\"");
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(slurp(path("err")).find("cannot"), std::string::npos) << slurp(path("err"));
}

TEST_F(Streams, AFullDiskIsAnError) {
  EXPECT_EQ(tool("pool max -k 2 x.npy -o - >/dev/full 2>err; test $? = 3").code, 0);
  EXPECT_NE(slurp(path("err")).find("tidepool: cannot write to standard output\n"), std::string::npos) << slurp(path("err"));
}

TEST_F(Streams, AFileSizeLimitIsAnErrorAndLeavesNothing) {
  write("large.npy", randn({1, 256, 256}));
  const std::set<std::string> before = files();
  const Answer answer = tool("--version >/dev/null; bash -c \"ulimit -f 16; '" TIDEPOOL_CLI "' pool max -k 1 large.npy -o out.npy\"");
  EXPECT_EQ(answer.code, 3);
  EXPECT_EQ(answer.err, "tidepool: cannot write out.npy: File too large\n");
  EXPECT_EQ(files(), before);
}

TEST_F(Streams, OutputsThatAreNoFiles) {
  std::filesystem::create_symlink("gone.npy", path("link.npy"));
  std::filesystem::create_symlink("loop.npy", path("loop.npy"));
  ASSERT_EQ(mkfifo(path("pipe.npy").c_str(), 0600), 0);
  expect_refused("pool max -k 2 x.npy -o link.npy", 3, "cannot write link.npy: it is a symbolic link to gone.npy, which does not exist");
  expect_refused("pool max -k 2 x.npy -o loop.npy", 3, "cannot write loop.npy: Too many levels of symbolic links");
  expect_refused("pool max -k 2 x.npy -o pipe.npy", 3, "cannot write pipe.npy: it is not a regular file");
  expect_refused("pool max -k 2 x.npy -o out.npy --indices link.npy", 3, "cannot write link.npy");
  expect_refused("pool max -k 2 x.npy -o /dev/full --format npy", 3, "cannot write /dev/full: it is not a regular file");
  expect_refused("pool max -k 2 x.npy -o ''", 2, "a file name is empty");
  expect_refused("pool max -k 2 x.npy -o ./out.npy --indices out.npy", 2, "name the same file");
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.npy")));
}

// The handler was installed without SA_RESTART, so each signal ends the call that waits for a writer of the pipe.
TEST_F(Streams, SignalsWhileAPipeHasNoWriterDoNoHarm) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  struct sigaction action{}, before{};
  action.sa_handler = [](int) {};
  sigaction(SIGUSR1, &action, &before);
  std::thread writer([this, reader = pthread_self()] {
    for (int i = 0; i < 20; ++i) {
      pthread_kill(reader, SIGUSR1);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    // Without waiting for a reader, which may have given up.
    const int fd = open(path("pipe").c_str(), O_RDWR);
    const std::string bytes = slurp(path("x.npy"));
    EXPECT_EQ(::write(fd, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    close(fd);
  });
  int64_t size = -1;
  try {
    size = open_input(parse_file_name(path("pipe")))->size();
  } catch (const std::exception& e) {
    ADD_FAILURE() << e.what();
  }
  writer.join();
  sigaction(SIGUSR1, &before, nullptr);
  EXPECT_EQ(size, static_cast<int64_t>(slurp(path("x.npy")).size()));
}

}  // namespace
}  // namespace tidepool::cli
