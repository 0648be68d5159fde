#include "tidepool/data/image_set.h"

#include "tidepool/error.h"

namespace tidepool::inline v0_1::data {

void check(const ImageSet& set) {
  if (set.images.rank() != 4 || set.images.dtype() != DType::u8)
    throw Error(ErrorCode::shape_mismatch, set.name + ": images must be N,C,H,W of u8, got " + to_string(set.images.shape()) + " of " +
                                               std::string(dtype_name(set.images.dtype())));
  if (set.labels.rank() != 1 || set.labels.dtype() != DType::i64 || set.labels.size(0) != set.images.size(0))
    throw Error(ErrorCode::shape_mismatch, set.name + ": labels must be " + std::to_string(set.images.size(0)) + " of i64, got " +
                                               to_string(set.labels.shape()) + " of " + std::string(dtype_name(set.labels.dtype())));
  const auto classes = static_cast<int64_t>(set.classes.size());
  for (int64_t i = 0; i < set.labels.size(0); ++i) {
    const int64_t label = set.labels.data<int64_t>()[i];
    if (label < 0 || label >= classes)
      throw Error(ErrorCode::out_of_range, set.name + ": labels must be from 0 to " + std::to_string(classes - 1) + ", got " +
                                               std::to_string(label) + " (picture " + std::to_string(i) + ")");
  }
}

}  // namespace tidepool::inline v0_1::data
