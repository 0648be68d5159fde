// Which kernel does what, as `tidepool list` shows it.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "tidepool/problem.h"

namespace tidepool::cli {

struct KernelRow {
  Op op;
  Pass pass;
  Layout layout;
  bool indices;
  DType dtype;
  std::string problem;               // an example, as text
  std::string chosen;                // what it gets
  std::vector<std::string> kernels;  // all that there are for it
};

// What a middling layer would get: 64 channels of 56x56, k3 s2 p1. Combinations that the library refuses are left out.
std::vector<KernelRow> kernel_rows(const std::vector<Op>& ops);

// Dtypes with the same kernel share a word, ops with the same answer a line.
void print_kernels(const std::vector<KernelRow>& rows, std::ostream& out);

}  // namespace tidepool::cli
