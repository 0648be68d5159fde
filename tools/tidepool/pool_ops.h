// The table of ops for `tidepool pool` and `tidepool list`. To add an op, add a row.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "option_flags.h"
#include "tidepool/ops/max_pool.h"
#include "tidepool/tensor.h"

namespace tidepool::cli {

struct PoolInputs {
  TensorView x;
  TensorView indices;          // for ops that read indices
  bool wants_indices = false;  // for ops that can write indices
};

struct PoolOutcome {
  Pooled pooled;     // indices are empty unless wants_indices was set
  std::string note;  // input elements that no window reads, or empty
};

// How the windows are placed.
enum class Windows : uint8_t { regular, adaptive, global, fractional };

enum class IndexUse : uint8_t { none, written, read };

struct PoolOp {
  Op op;
  Windows windows;
  IndexUse indices;
  int lowest_rank;
  const char* help;
  const char* examples;  // one per line, without the leading "tidepool pool NAME"
  void (*add_flags)(OptionFlags& flags, CLI::App& app);
  // `rank` is lowest_rank or more.
  PoolOutcome (*run)(int rank, const OptionFlags& flags, const PoolInputs& inputs);

  std::string name() const;                    // "adaptive_max"
  std::string function(int rank) const;        // "adaptive_max_pool2d"
  std::vector<std::string> functions() const;  // for every rank from lowest_rank
};

std::span<const PoolOp> pool_ops() noexcept;

std::string_view windows_name(Windows windows) noexcept;  // "adaptive"

}  // namespace tidepool::cli
