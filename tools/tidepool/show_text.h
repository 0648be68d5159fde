// The text of `tidepool show`: the array, every window with its computation, the result, and where the gradient goes.
#pragma once

#include <iosfwd>

#include "show_run.h"

namespace tidepool::cli {

struct ShowTextOptions {
  int width = 80;
  bool colour = false;
  bool all = false;
};

void print_show(const Shown& shown, const ShowTextOptions& options, std::ostream& out);

}  // namespace tidepool::cli
