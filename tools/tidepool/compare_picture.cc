#include "compare_picture.h"

#include <algorithm>
#include <string>

#include "tidepool/error.h"

namespace tidepool::cli {

namespace {

constexpr int64_t most_columns = 65'535, most_pixels = int64_t{1} << 28;

int64_t width_at(const Tensor& picture, int64_t height) {
  // Sizes of pictures fit 31 bits.
  return std::max<int64_t>(1, (picture.size(2) * height + picture.size(1) / 2) / picture.size(1));
}

// Copies `from`, scaled to height and width, into the columns of `to` from `left` on.
template <class T>
void place(const Tensor& from, Tensor& to, int64_t left, int64_t width) {
  const int64_t height = to.size(1), total = to.size(2);
  const T* pixels = from.data<T>();
  T* result = to.data<T>();
  for (int64_t c = 0; c < to.size(0); ++c)
    for (int64_t y = 0; y < height; ++y) {
      const T* row = pixels + c * from.strides()[0] + y * from.size(1) / height * from.strides()[1];
      for (int64_t x = 0; x < width; ++x) result[(c * height + y) * total + left + x] = row[x * from.size(2) / width * from.strides()[2]];
    }
}

template <class T>
Tensor joined(const Tensor& before, const Tensor& after, const Dims& shape, int64_t left, int64_t right, T white) {
  Tensor result(shape, before.dtype());
  std::ranges::fill(result.flat<T>(), white);
  place<T>(before, result, 0, left);
  place<T>(after, result, shape[2] - right, right);
  return result;
}

}  // namespace

Tensor side_by_side(const Tensor& before, const Tensor& after) {
  const DType dtype = before.dtype();
  if (before.rank() != 3 || after.rank() != 3 || before.size(0) != after.size(0) || after.dtype() != dtype ||
      (dtype != DType::u8 && dtype != DType::i32))
    throw Error(ErrorCode::unsupported, "pool: --compare takes pictures of u8 or i32, got " + std::string(dtype_name(dtype)) + " " +
                                            to_string(before.shape()) + " and " + std::string(dtype_name(after.dtype())) + " " +
                                            to_string(after.shape()));
  const int64_t height = std::max(before.size(1), after.size(1)), gap = std::max<int64_t>(2, height / 32);
  const int64_t left = width_at(before, height), right = width_at(after, height), width = left + gap + right;
  if (width > most_columns || width * height > most_pixels)
    throw Error(ErrorCode::unsupported, "pool: --compare makes pictures of at most " + std::to_string(most_columns) + " columns and " +
                                            std::to_string(most_pixels) + " pixels, this one would have " + std::to_string(width) + "x" +
                                            std::to_string(height));
  const Dims shape{before.size(0), height, width};
  if (dtype == DType::u8) return joined<uint8_t>(before, after, shape, left, right, 255);
  return joined<int32_t>(before, after, shape, left, right, 65'535);
}

}  // namespace tidepool::cli
