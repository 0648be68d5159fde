// The arrays of one run of a problem, in the layouts and alignments that callers use.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "reference/reference.h"
#include "support/fill.h"
#include "support/rng.h"
#include "tidepool/plan.h"

namespace tidepool::test {

// How an array lies in memory.
struct Placement {
  std::optional<Layout> layout = {};                   // otherwise that of the problem
  enum class Guard : uint8_t { none, after, before };  // an unreadable page directly after the last byte, or before the first
  Guard guard = Guard::none;
  int64_t shift = 0;       // elements between an aligned address and the first cell
  Dims gaps = {};          // extra elements behind each row, plane, image or pixel: one number per dimension, or none at all
  bool reversed = false;   // strided layouts only: strides may be negative
  bool odd_units = false;  // dimensions of size 1 have strides that fit nothing, which must not matter
  int repeated = -1;  // of arrays that are only read, a dimension of stride 0: broadcast. Not the one whose cells the layout wants adjacent
};

// How the arrays of a problem lie in memory: the first array asks for a placement, then the next.
using Placements = std::function<Placement()>;

// All arrays dense and aligned.
inline Placement dense_placement() { return {}; }
// A placement of its own for every array, so that no stride of one array equals that of another. One problem in three is dense, as most
// callers' arrays are. `rng` must live as long as the result.
Placements random_placements(Rng& rng, Placement::Guard guard = Placement::Guard::none);

// Strides of that layout class, with extra elements after each dimension, see Placement::gaps.
Dims strides_for(Layout layout, const Dims& shape, int spatial_rank, const Dims& gaps);

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

// Which arrays Placement::layout applies to: those of which the plan accepts any strides, or also those that it then refuses.
enum class AnyLayout : uint8_t { where_accepted, every_array };

// Indices that the problem reads come from a forward pass of the reference implementation over data with ties.
Job make_job(const Problem& problem, Rng& rng, const Placements& place = dense_placement, AnyLayout any_layout = AnyLayout::where_accepted);
Job make_job(const Problem& problem, Contents contents, Rng& rng, const Placements& place = dense_placement,
             AnyLayout any_layout = AnyLayout::where_accepted);

}  // namespace tidepool::test
