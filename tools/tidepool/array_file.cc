#include "array_file.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "open_input.h"
#include "tidepool/io/npy.h"
#include "tidepool/io/npz.h"
#include "tidepool/io/safetensors.h"
#include "words.h"

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

// The only name, if there is one. Otherwise the user must say which array is meant.
std::string only_name(const FileName& name, const std::vector<std::string>& names) {
  if (names.size() == 1) return names[0];
  if (names.empty()) throw Error(ErrorCode::parse, name.text + ": the file holds no array");
  std::string list;
  constexpr size_t most = 20;
  for (size_t i = 0; i < names.size() && i < most; ++i) join(list, names[i]);
  if (names.size() > most) list += " and " + std::to_string(names.size() - most) + " more";
  throw Error(ErrorCode::invalid_argument, "pool: " + name.text + " holds " + std::to_string(names.size()) + " arrays, name one as in " +
                                               (name.is_stream() ? "/dev/stdin" : name.text) + ":" + names[0] + " (there are " + list +
                                               ")");
}

FileKind kind_of(const FileName& name, const io::InputFile& file) {
  if (const auto kind = kind_of_contents(file)) return *kind;
  // The reader that the extension asks for says what is wrong.
  if (const auto kind = kind_of_name(name)) return *kind;
  throw Error(ErrorCode::parse, file.path() + ": not an " + kind_list + " file");
}

}  // namespace

ArrayFile read_array(const FileName& name, int rank, bool channels_last) {
  const auto input = open_input(name);
  ArrayFile file;
  file.kind = kind_of(name, *input);
  file.channels_last = channels_last;
  if (!name.member.empty() && !holds_several(file.kind))
    throw Error(ErrorCode::invalid_argument, "pool: " + name.text + " names an array, but the file holds one without a name");
  switch (file.kind) {
    case FileKind::png:
      if (rank != 2) throw Error(ErrorCode::invalid_argument, "pool: a picture has 2 spatial dims, got --rank " + std::to_string(rank));
      file.picture = io::read_png(*input);
      file.array = file.picture.pixels;
      return file;
    case FileKind::npy:
      file.array = io::read_npy(*input);
      break;
    case FileKind::npz:
      file.array = io::read_npz(*input, name.member.empty() ? only_name(name, io::npz_names(*input)) : name.member);
      break;
    case FileKind::safetensors:
      file.array = io::read_safetensors(*input, name.member.empty() ? only_name(name, io::safetensors_names(*input)) : name.member);
      break;
  }
  const int dims = file.array.rank();
  if (dims < rank || dims > rank + 2)
    throw Error(ErrorCode::shape_mismatch, "pool: --rank " + std::to_string(rank) + " takes arrays of " + std::to_string(rank) + " to " +
                                               std::to_string(rank + 2) + " dims, got " + std::to_string(dims) + " (" + name.text + ")");
  if (dims == rank) {
    file.spatial_only = true;
    file.array = add_channel(file.array);
    return file;
  }
  file.channel_dim = dims - rank - 1;
  if (channels_last) file.array = move_dim(file.array, dims - 1, file.channel_dim);
  return file;
}

Tensor in_file_order(const Tensor& array, const ArrayFile& like) {
  if (like.spatial_only) return drop_channel(array);
  return like.channels_last ? move_dim(array, like.channel_dim, array.rank() - 1) : array;
}

}  // namespace tidepool::cli
