// The arguments of `tidepool pool`.
#pragma once

#include <optional>
#include <string>

#include "option_flags.h"
#include "pool_ops.h"

namespace tidepool::cli {

struct PoolArgs {
  std::string in, out, indices, format, dtype, layout = "channels_first";
  std::optional<std::string> compare;
  int rank = 2, threads = 0;
  bool json = false;
  OptionFlags flags;
};

// Checks that need only the arguments, before any file is read. Throws Error.
void check_args(const PoolOp& op, const PoolArgs& args);

}  // namespace tidepool::cli
