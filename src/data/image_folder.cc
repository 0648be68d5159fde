#include <algorithm>
#include <filesystem>
#include <system_error>

#include "tidepool/data/image_set.h"
#include "tidepool/error.h"
#include "tidepool/io/io_error.h"
#include "tidepool/io/npy.h"
#include "tidepool/io/png.h"

namespace tidepool::inline v0_1::data {

namespace fs = std::filesystem;

namespace {

struct Picture {
  fs::path path;
  int64_t label;
};

// Sorted by name, because file systems list entries in any order and the labels and batches depend on it. Skips hidden files.
std::vector<fs::path> sorted_entries(const fs::path& folder) {
  std::error_code failure;
  std::vector<fs::path> entries;
  for (fs::directory_iterator at(folder, failure), end; !failure && at != end; at.increment(failure))
    if (!at->path().filename().string().starts_with(".")) entries.push_back(at->path());
  if (failure) throw io::IoError("cannot read " + folder.string() + ": " + failure.message());
  std::sort(entries.begin(), entries.end());
  return entries;
}

// A contiguous C, H, W array of u8, without an alpha channel.
Tensor pixels_of(const fs::path& path) {
  const bool png = path.extension() == ".png";
  Tensor pixels = png ? io::read_png(path.string()).pixels : io::read_npy(path.string());
  if (pixels.rank() == 2) pixels = pixels.clone().reshape({1, pixels.size(0), pixels.size(1)});
  if (pixels.rank() != 3 || pixels.dtype() != DType::u8)
    throw Error(ErrorCode::parse, path.string() + ": pictures must be H,W or C,H,W of u8, got " + to_string(pixels.shape()) + " of " +
                                      std::string(dtype_name(pixels.dtype())));
  if (png && (pixels.size(0) == 2 || pixels.size(0) == 4)) pixels = pixels.slice(0, 0, pixels.size(0) - 1);
  return pixels.clone();
}

}  // namespace

ImageSet read_image_folder(const std::string& folder) {
  ImageSet set;
  std::vector<Picture> pictures;
  for (const fs::path& entry : sorted_entries(folder)) {
    if (!fs::is_directory(entry)) continue;
    const auto label = static_cast<int64_t>(set.classes.size());
    set.classes.push_back(entry.filename().string());
    for (const fs::path& file : sorted_entries(entry))
      if (file.extension() == ".png" || file.extension() == ".npy") pictures.push_back({file, label});
  }
  if (pictures.empty())
    throw Error(ErrorCode::parse, folder + ": no pictures: there must be a folder for each class with .png or .npy files in it");
  set.labels = Tensor({static_cast<int64_t>(pictures.size())}, DType::i64);
  Dims shape;
  for (size_t i = 0; i < pictures.size(); ++i) {
    const Tensor pixels = pixels_of(pictures[i].path);
    if (i == 0) {
      shape = pixels.shape();
      set.images = Tensor({set.labels.size(0), shape[0], shape[1], shape[2]}, DType::u8);
    }
    if (pixels.shape() != shape)
      throw Error(ErrorCode::shape_mismatch, pictures[i].path.string() + ": all pictures must be as large as the first, " +
                                                 to_string(shape) + ", got " + to_string(pixels.shape()));
    std::copy_n(pixels.data<uint8_t>(), pixels.numel(), set.images.data<uint8_t>() + static_cast<int64_t>(i) * pixels.numel());
    set.labels.data<int64_t>()[i] = pictures[i].label;
  }
  set.name = folder + ", " + std::to_string(set.size()) + " pictures of " + std::to_string(set.classes.size()) + " classes";
  return set;
}

}  // namespace tidepool::inline v0_1::data
