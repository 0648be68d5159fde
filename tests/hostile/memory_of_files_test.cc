// Every allocation of reading and writing files fails in turn. zlib allocates with malloc, which these tests cannot make fail.
#include <gtest/gtest.h>

#include "hostile/whole_uses.h"
#include "support/in_folder.h"
#include "tidepool/creation.h"
#include "tidepool/data/loader.h"
#include "tidepool/io/atomic_file.h"
#include "tidepool/io/npy.h"
#include "tidepool/io/npz.h"
#include "tidepool/io/png.h"
#include "tidepool/io/safetensors.h"

namespace tidepool::io {
namespace {

class HostileMemoryOfFiles : public test::InFolder {};

TEST_F(HostileMemoryOfFiles, EveryAllocationMayFail) {
  const auto write = [this](const char* name, const auto& contents) {
    AtomicFile file(path(name));
    contents(file);
    file.commit();
  };
  const auto write_picture = [&](const char* name, DType dtype) {
    write(name, [&](Sink& sink) { write_png(sink, {.pixels = rand({3, 16, 16}, 1, dtype), .srgb = 0, .file_gamma = {}}); });
  };
  const std::vector<test::Use> uses = {
      {"a PNG file",
       [&] {
         write_picture("a.png", DType::u8);
         (void)read_png(path("a.png"));
       }},
      {"a PNG file of 16 bits",
       [&] {
         write("b.png", [&](Sink& sink) { write_png(sink, {.pixels = full({1, 4, 4}, 60000, DType::i32), .srgb = {}, .file_gamma = {}}); });
         (void)read_png(path("b.png"));
       }},
      {"an .npy file",
       [&] {
         write("a.npy", [](Sink& sink) { write_npy(sink, rand({3, 4}, 1)); });
         (void)read_npy(path("a.npy"));
       }},
      {"an .npz file",
       [&] {
         write("a.npz", [](Sink& sink) { write_npz(sink, {{"a", rand({3, 4}, 1)}, {"b", ones({2})}}); });
         (void)read_npz(path("a.npz"));
       }},
      {"a deflated .npz file", [] { (void)read_npz(TIDEPOOL_SOURCE_DIR "/tests/io/data/numpy_deflated.npz"); }},
      {"a .safetensors file",
       [&] {
         write("a.safetensors", [](Sink& sink) { write_safetensors(sink, {.tensors = {{"a", ones({2})}}, .metadata = {{"k", "v"}}}); });
         (void)read_safetensors(path("a.safetensors"));
       }},
      {"an epoch",
       [] {
         data::DataLoader loader({"numbered", arange({10, 1, 2, 2}, DType::u8), zeros({10}, DType::i64), {"any"}},
                                 {.batch_size = 3, .augment = data::jitter(1, 5, 0.1F, 0), .prefetch = 0});
         while (loader.next()) continue;
       }},
  };
  EXPECT_GT(test::fail_every_allocation(uses), 200);
  EXPECT_EQ(files(), (std::set<std::string>{"a.png", "b.png", "a.npy", "a.npz", "a.safetensors"}));
}

// A loader with a thread, of which only the caller's side fails.
TEST_F(HostileMemoryOfFiles, AnEpochWithAThread) {
  const std::vector<test::Use> uses = {
      {"an epoch", [] {
         data::DataLoader loader({"numbered", arange({10, 1, 2, 2}, DType::u8), zeros({10}, DType::i64), {"any"}}, {.batch_size = 3});
         while (loader.next()) continue;
       }}};
  EXPECT_GT(test::fail_every_allocation(uses), 5);
}

}  // namespace
}  // namespace tidepool::io
