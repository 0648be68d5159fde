// The table of kernels that `tidepool list` prints.
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
  std::string problem;               // the text of an example
  std::string chosen;                // the kernel that the planner chooses
  std::vector<std::string> kernels;  // all kernels in the registry for it
};

// One row per op, pass, dtype and layout, for a medium layer: 64 channels of 56x56, k3 s2 p1. Combinations that the library refuses are
// left out.
std::vector<KernelRow> kernel_rows(const std::vector<Op>& ops);

// Dtypes with the same kernel are listed together, and ops with the same kernels share a line.
void print_kernels(const std::vector<KernelRow>& rows, std::ostream& out);

}  // namespace tidepool::cli
