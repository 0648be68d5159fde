#include "tidepool/data/image_set.h"

#include <algorithm>

#include "support/compare.h"
#include "support/in_folder.h"
#include "tidepool/creation.h"
#include "tidepool/io/io_error.h"
#include "tidepool/io/npy.h"
#include "tidepool/io/png.h"

namespace tidepool::data {
namespace {

using namespace std::string_literals;

class ImageSets : public test::InFolder {
 protected:
  void write_png(const std::string& name, const Tensor& pixels) const {
    io::AtomicFile file(path(name));
    io::write_png(file, {.pixels = pixels, .srgb = {}, .file_gamma = {}});
    file.commit();
  }
};

TEST_F(ImageSets, MnistComesFromItsFourFiles) {
  EXPECT_FALSE(has_mnist(folder_.string()));
  for (const char* half : {"train", "t10k"}) {
    test::spill(path(half + "-images-idx3-ubyte"s), "\0\0\x08\x03\0\0\0\2\0\0\0\1\0\0\0\3abcdef"s);
    test::spill(path(half + "-labels-idx1-ubyte"s), "\0\0\x08\x01\0\0\0\2\7\3"s);
  }
  EXPECT_TRUE(has_mnist(folder_.string()));
  const ImageSet set = read_mnist(folder_.string(), Split::test);
  EXPECT_EQ(set.name, "MNIST, 2 test digits");
  EXPECT_EQ(set.images.shape(), (Dims{2, 1, 1, 3}));
  EXPECT_EQ(set.images.item({1, 0, 0, 2}), 'f');
  EXPECT_EQ(set.labels.item({0}), 7);
  EXPECT_EQ(set.classes.size(), 10u);
  test::spill(path("t10k-labels-idx1-ubyte"), "\0\0\x08\x01\0\0\0\2\7\x0a"s);
  EXPECT_THROW(read_mnist(folder_.string(), Split::test), Error);
  test::spill(path("t10k-labels-idx1-ubyte"), "\0\0\x08\x01\0\0\0\1\7"s);
  EXPECT_THROW(read_mnist(folder_.string(), Split::test), Error);
}

TEST_F(ImageSets, GlyphsAreTheSameForASeedAndLookLikeInk) {
  const ImageSet set = make_glyphs(300, 5);
  check(set);
  EXPECT_TRUE(test::same_bits(set.images, make_glyphs(300, 5).images));
  EXPECT_FALSE(test::same_bits(set.images, make_glyphs(300, 6).images));
  std::vector<int> seen(10);
  for (int64_t i = 0; i < set.size(); ++i) {
    ++seen[static_cast<size_t>(set.labels.data<int64_t>()[i])];
    const uint8_t* pixels = set.images.data<uint8_t>() + i * 784;
    const auto inked = std::count_if(pixels, pixels + 784, [](uint8_t p) { return p > 127; });
    EXPECT_GT(inked, 20) << i;
    EXPECT_LT(inked, 350) << i;
  }
  EXPECT_GE(*std::min_element(seen.begin(), seen.end()), 10);
  EXPECT_TRUE(test::same_bits(make_glyphs(7, 5).images, set.images.slice(0, 0, 7))) << "a longer set begins like a shorter one";
}

TEST_F(ImageSets, ShapesComeWithTheirMasks) {
  const ShapeSet set = make_shapes(40, 32, 1);
  std::vector<int64_t> cells(4);
  for (int64_t i = 0; i < set.masks.numel(); ++i) {
    const int64_t kind = set.masks.data<int64_t>()[i];
    ASSERT_TRUE(kind >= 0 && kind <= 3);
    ++cells[static_cast<size_t>(kind)];
    const float pixel = set.images.data<float>()[i];
    EXPECT_TRUE(kind == 0 ? pixel < .2F : pixel > .35F) << i;
  }
  EXPECT_GT(*std::min_element(cells.begin(), cells.end()), 1000);
  EXPECT_TRUE(test::same_bits(set.images, make_shapes(40, 32, 1).images));
  EXPECT_THROW(make_shapes(1, 4, 1), Error);
}

TEST_F(ImageSets, FoldersAreClasses) {
  std::filesystem::create_directories(folder_ / "dog");
  std::filesystem::create_directories(folder_ / "cat");
  const Tensor grey = arange({1, 2, 3}, DType::u8);
  write_png("dog/b.png", grey);
  io::AtomicFile npy(path("dog/a.npy"));
  io::write_npy(npy, full({2, 3}, 9, DType::u8));
  npy.commit();
  Tensor with_alpha = full({2, 2, 3}, 200, DType::u8);
  std::copy_n(grey.data<uint8_t>(), 6, with_alpha.data<uint8_t>());
  write_png("cat/c.png", with_alpha);
  test::spill(path("cat/notes.txt"), "no picture");
  const ImageSet set = read_image_folder(folder_.string());
  EXPECT_EQ(set.classes, (std::vector<std::string>{"cat", "dog"}));
  EXPECT_TRUE(test::same_bits(Tensor::from<int64_t>({3}, {0, 1, 1}), set.labels));
  EXPECT_EQ(set.images.shape(), (Dims{3, 1, 2, 3}));
  EXPECT_TRUE(test::same_bits(grey, set.images.slice(0, 0, 1).reshape({1, 2, 3}))) << "alpha is left out";
  EXPECT_EQ(set.images.item({1, 0, 1, 1}), 9);
  EXPECT_EQ(set.images.item({2, 0, 1, 2}), 5);
}

TEST_F(ImageSets, FoldersRefuseWhatDoesNotFit) {
  EXPECT_THROW(read_image_folder(path("none")), io::IoError);
  EXPECT_THROW(read_image_folder(folder_.string()), Error);
  std::filesystem::create_directories(folder_ / "a");
  write_png("a/1.png", zeros({1, 2, 3}, DType::u8));
  write_png("a/2.png", zeros({1, 3, 3}, DType::u8));
  EXPECT_THROW(read_image_folder(folder_.string()), Error);
  test::spill(path("a/2.png"), "no picture");
  EXPECT_THROW(read_image_folder(folder_.string()), Error);
}

}  // namespace
}  // namespace tidepool::data
