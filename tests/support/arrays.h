// The arrays of one run of a problem, in the layouts and alignments that callers use.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "reference/reference.h"
#include "support/fill.h"
#include "support/rng.h"
#include "tidepool/plan.h"

namespace tidepool::test {

// How an array lies in memory.
struct Placement {
  enum class Guard : uint8_t { none, after, before };  // an unreadable page directly after the last byte, or before the first
  Guard guard = Guard::none;
  int64_t shift = 0;      // elements between an aligned address and the first cell
  bool dense = true;      // otherwise with gaps between rows, planes or pixels
  bool reversed = false;  // strided layouts only: strides may be negative
};

Placement random_placement(Rng& rng);

// Strides of that layout class, with `gap` extra elements per row or pixel.
Dims strides_for(Layout layout, const Dims& shape, int spatial_rank, int64_t gap);

// An array with bytes around and between its cells that must not change.
class Array {
 public:
  Array() = default;
  Array(const Dims& shape, DType dtype, Layout layout, int spatial_rank, const Placement& placement = {});

  TensorSpan span() const { return span_; }
  TensorView view() const { return span_; }
  // Remembers all bytes, cells included, for the functions below.
  void remember();
  // Puts the remembered bytes back.
  void restore() const;
  // Whether the bytes that are not part of a cell are as remembered.
  bool gaps_intact() const;
  // Whether all bytes are as remembered.
  bool intact() const;

 private:
  std::shared_ptr<std::byte> memory_;
  int64_t bytes_ = 0;
  TensorSpan span_;
  std::vector<std::byte> before_;
};

// The filled arrays of one problem, and the expected results.
struct Job {
  Problem problem;
  Array input, output, indices;
  Array saved, grad;  // lp's backward passes
  Tensor starts;      // fractional windows
  reference::Expected expected;

  RunArrays arrays() const;
};

// Indices that the problem reads come from a forward pass of the reference implementation over data with ties.
Job make_job(const Problem& problem, Rng& rng, const Placement& placement = {});
Job make_job(const Problem& problem, Contents contents, Rng& rng, const Placement& placement = {});

}  // namespace tidepool::test
