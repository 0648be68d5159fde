#include "array_file.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>

#include "tidepool/io/npy.h"

namespace tidepool::cli {

namespace {

// A tensor that shares the memory but has another shape and other strides.
Tensor reshaped(const Tensor& tensor, const Dims& shape, const Dims& strides) {
  auto owner = std::make_shared<Tensor>(tensor);
  TensorSpan span = owner->span();
  span.shape = shape;
  span.strides = strides;
  return Tensor(std::move(owner), span);
}

Tensor add_channel(const Tensor& tensor) {
  Dims shape{1}, strides{std::max<int64_t>(tensor.numel(), 1)};
  for (int i = 0; i < tensor.rank(); ++i) {
    shape.push_back(tensor.size(i));
    strides.push_back(tensor.strides()[i]);
  }
  return reshaped(tensor, shape, strides);
}

Tensor drop_channel(const Tensor& tensor) {
  return reshaped(tensor, Dims(tensor.shape().span().subspan(1)), Dims(tensor.strides().span().subspan(1)));
}

// Moves a dimension to another position and keeps the order of the others.
Tensor move_dim(Tensor tensor, int from, int to) {
  for (; from < to; ++from) tensor = tensor.transpose(from, from + 1);
  for (; from > to; --from) tensor = tensor.transpose(from, from - 1);
  return tensor;
}

}  // namespace

FileKind file_kind(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (extension == ".npy") return FileKind::npy;
  if (extension == ".png") return FileKind::png;
  throw Error(ErrorCode::parse, "pool: file names must end in .npy or .png, got '" + path + "'");
}

ArrayFile read_array(const std::string& path, int rank, bool channels_last) {
  ArrayFile file;
  file.channels_last = channels_last;
  if (file_kind(path) == FileKind::png) {
    if (rank != 2) throw Error(ErrorCode::invalid_argument, "pool: a picture has 2 spatial dims, got --rank " + std::to_string(rank));
    file.picture = io::read_png(path);
    file.array = file.picture.pixels;
    return file;
  }
  file.array = io::read_npy(path);
  const int dims = file.array.rank();
  if (dims < rank || dims > rank + 2)
    throw Error(ErrorCode::shape_mismatch, "pool: --rank " + std::to_string(rank) + " takes arrays of " + std::to_string(rank) + " to " +
                                               std::to_string(rank + 2) + " dims, got " + std::to_string(dims) + " (" + path + ")");
  if (dims == rank) {
    file.spatial_only = true;
    file.array = add_channel(file.array);
    return file;
  }
  file.channel_dim = dims - rank - 1;
  if (channels_last) file.array = move_dim(file.array, dims - 1, file.channel_dim);
  return file;
}

void write_array(AtomicFile& file, FileKind kind, const Tensor& array, const ArrayFile& like) {
  if (kind == FileKind::png) {
    PngImage picture = like.picture;
    picture.pixels = array;
    io::write_png(file, picture);
    return;
  }
  if (like.spatial_only) {
    io::write_npy(file, drop_channel(array));
  } else if (like.channels_last) {
    io::write_npy(file, move_dim(array, like.channel_dim, array.rank() - 1));
  } else {
    io::write_npy(file, array);
  }
}

}  // namespace tidepool::cli
