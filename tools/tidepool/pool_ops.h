// The ops that `tidepool pool` offers and `tidepool list` lists. A new op is a row of this table.
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
  TensorView indices;          // of ops that read them
  bool wants_indices = false;  // of ops that can write them
};

struct PoolOutcome {
  Pooled pooled;     // indices are empty unless asked for
  std::string note;  // cells that no window read
};

// How the list of windows is made.
enum class Windows : uint8_t { regular, adaptive, global, fractional };

enum class IndexUse : uint8_t { none, written, read };

struct PoolOp {
  Op op;
  Windows windows;
  IndexUse indices;
  int lowest_rank;
  const char* help;
  const char* examples;  // one a line, without the "tidepool pool NAME" before it
  void (*add_flags)(OptionFlags& flags, CLI::App& app);
  // `rank` is lowest_rank or more.
  PoolOutcome (*run)(int rank, const OptionFlags& flags, const PoolInputs& inputs);

  std::string name() const;                    // "adaptive_max"
  std::string function(int rank) const;        // "adaptive_max_pool2d"
  std::vector<std::string> functions() const;  // at every rank that it has
};

std::span<const PoolOp> pool_ops() noexcept;

std::string_view windows_name(Windows windows) noexcept;  // "adaptive"

}  // namespace tidepool::cli
