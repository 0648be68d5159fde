// Small arrays that are typed on the command line or read from a file, as f64.
#pragma once

#include <string>
#include <string_view>

#include "tidepool/tensor.h"

namespace tidepool::cli {

// As many cells as a drawing can show.
inline constexpr int64_t most_small_cells = 256;

// "1 2 3; 4 5 6": numbers separated by spaces or commas, rows by ; or line ends, slices by |. One row has 1 dim, several rows 2, several
// slices 3. `what` begins the messages of errors.
Tensor parse_small_array(const std::string& what, std::string_view text);

// From a .npy file or a text file, or from standard input (-). Leading dims of size 1 are left out until 2 dims are left.
Tensor read_small_array(const std::string& what, const std::string& name);

// `array` with `rank` dims: dims of size 1 are added or left out in front. Throws Error if other dims would have to go.
Tensor with_rank(const std::string& what, const Tensor& array, int rank);

}  // namespace tidepool::cli
