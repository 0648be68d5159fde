// Numbers and computations of `tidepool show` as text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "show_run.h"

namespace tidepool::cli {

// Whole numbers as they are, others with 4 significant digits.
std::string value_text(double value);
// "max(1 3 4 2) = 4", "(1 + 3) / 4 = 1".
std::string computation(const Shown& shown, const ShownWindow& window);
// What else there is to say, to follow it: " from 0,1 (also at 1,0; the first wins)", "; 2 of 4 cells lie outside the input".
std::string remark(const Shown& shown, const ShownWindow& window);
// Whether a window reads each cell of the input.
std::vector<bool> read_cells(const Shown& shown);

// A slice of an array with 1 to 3 spatial dims, as rows of texts.
std::vector<std::vector<std::string>> slice_texts(const Tensor& array, int64_t slice);
int64_t slices_of(const Tensor& array);

}  // namespace tidepool::cli
