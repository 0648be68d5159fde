#include <filesystem>

#include "tidepool/data/image_set.h"
#include "tidepool/error.h"
#include "tidepool/io/idx.h"

namespace tidepool::inline v0_1::data {

namespace {

std::string stem(Split split, const char* what) { return std::string(split == Split::train ? "train" : "t10k") + "-" + what + "-ubyte"; }

// The path of the plain or of the compressed file. If neither exists, the plain path, for the error message.
std::string found(const std::string& folder, const std::string& name) {
  const std::filesystem::path plain = std::filesystem::path(folder) / name, packed = plain.string() + ".gz";
  return (std::filesystem::exists(plain) || !std::filesystem::exists(packed) ? plain : packed).string();
}

}  // namespace

bool has_mnist(const std::string& folder) {
  for (const Split split : {Split::train, Split::test})
    for (const char* what : {"images-idx3", "labels-idx1"})
      if (!std::filesystem::exists(found(folder, stem(split, what)))) return false;
  return true;
}

ImageSet read_mnist(const std::string& folder, Split split) {
  const std::string path = found(folder, stem(split, "images-idx3"));
  const Tensor images = io::read_idx(path);
  if (images.rank() != 3 || images.dtype() != DType::u8)
    throw Error(ErrorCode::parse, path + ": pictures must be N,H,W of u8, got " + to_string(images.shape()) + " of " +
                                      std::string(dtype_name(images.dtype())));
  ImageSet set;
  set.images = images.reshape({images.size(0), 1, images.size(1), images.size(2)});
  set.labels = io::read_idx(found(folder, stem(split, "labels-idx1"))).to(DType::i64);
  for (char digit = '0'; digit <= '9'; ++digit) set.classes.emplace_back(1, digit);
  set.name = "MNIST, " + std::to_string(set.size()) + (split == Split::train ? " training digits" : " test digits");
  check(set);
  return set;
}

}  // namespace tidepool::inline v0_1::data
