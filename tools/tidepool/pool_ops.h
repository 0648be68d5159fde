// The ops that `tidepool pool` offers. A new op is a row of this table.
#pragma once

#include <span>
#include <string>

#include "option_flags.h"
#include "tidepool/ops/max_pool.h"
#include "tidepool/tensor.h"

namespace tidepool::cli {

struct PoolOutcome {
  Pooled pooled;     // indices are empty unless asked for
  std::string note;  // cells that no window read
};

struct PoolOp {
  Op op;
  const char* help;
  void (*add_flags)(OptionFlags& flags, CLI::App& app);
  PoolOutcome (*run)(int rank, const OptionFlags& flags, TensorView x, bool with_indices);
};

std::span<const PoolOp> pool_ops() noexcept;

}  // namespace tidepool::cli
