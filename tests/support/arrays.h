// The arrays of one run of a problem, laid out in the ways callers lay them out.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "reference/reference.h"
#include "support/fill.h"
#include "support/rng.h"
#include "tidepool/plan.h"

namespace tidepool::test {

// How an array sits in memory.
struct Placement {
  enum class Guard : uint8_t { none, after, before };  // an unreadable page flush against the last, or the first byte
  Guard guard = Guard::none;
  int64_t shift = 0;      // elements between an aligned address and the first cell
  bool dense = true;      // otherwise with gaps between rows, planes or pixels
  bool reversed = false;  // strided layouts only: strides may be negative
};

Placement random_placement(Rng& rng);

// Strides of that layout class; `gap` extra elements per row or pixel.
Dims strides_for(Layout layout, const Dims& shape, int spatial_rank, int64_t gap);

// Memory with its cells and, around and between them, bytes that must not change.
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

// Everything a plan for `problem` needs, filled, and what must come out.
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
