// One golden case: what was asked of PyTorch, and what it answered. scripts/golden writes them.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "tidepool/extent.h"
#include "tidepool/geometry.h"
#include "tidepool/tensor.h"

namespace tidepool::golden {

// The enumerators of the next four have the order of the lists in scripts/golden.
enum class Contents : uint8_t { eighths, full, ties, specials, minus_inf, zeros, positive, sparse, unit };
enum class Arrangement : uint8_t { contiguous, channels_last, sliced, transposed };
enum Pass : uint8_t { has_indices = 1, has_backward = 2, has_double_backward = 4, has_double_backward_input = 8 };
// Where we differ on purpose. The generator's table INTENDED says why, and what it stored; here is what that means for a comparison.
enum Mark : uint8_t {
  empty_window = 1,     // as stored: index -1, no gradients
  rounded_once = 2,     // as stored
  bin_division = 4,     // within ulps instead of bit for bit
  negative_zero = 8,    // +0 equals -0
  start_index = 16,     // as stored
  lp_signed = 32,       // with signed_power only
  lp_zero_window = 64,  // nothing where PyTorch has NaN
};

struct Case {
  std::string family;
  uint32_t number = 0;  // in its file
  uint64_t seed = 0;    // of its arrays
  int rank = 0;         // spatial dims
  DType dtype = DType::f32;
  Arrangement arrangement = Arrangement::contiguous;
  Contents contents = Contents::eighths;
  bool batched = true;
  bool ceil_mode = false;
  bool count_include_pad = true;
  bool size_given = true;  // max_unpool: the output size is passed; adaptive: no axis says keep_size
  uint8_t passes = 0;
  uint8_t marks = 0;
  uint32_t hard = 0;  // kinds of hardness, a bit each
  int64_t divisor = 0;
  double norm = 0;
  Dims shape;                              // of the input, without N when unbatched
  Dims output;                             // spatial
  Dims kernel, stride, padding, dilation;  // stride 0: unset

  Tensor values, indices, grad_input, double_backward, double_backward_input;  // those that `passes` promises

  std::string op() const { return family + std::to_string(rank) + "d"; }
  bool has(Pass pass) const { return (passes & pass) != 0; }
  bool marked(Mark mark) const { return (marks & mark) != 0; }
  Dims spatial() const;                              // of the input
  Dims shape_with(const Dims& spatial_sizes) const;  // N and C of the input, other spatial sizes
  Dims output_shape() const { return shape_with(output); }
};

// Everything that is needed to see it again.
std::string to_string(const Case& c);

struct File {
  std::string torch_version;
  std::string family;
  std::vector<Case> cases;
};

// Throws std::runtime_error when the file is missing, cut short, too long or not ours.
File read_file(const std::filesystem::path& path);
File parse_file(const std::string& bytes);
std::string read_bytes(const std::filesystem::path& path);

template <int N>
Extent<N> extent(const Dims& sizes) {
  return Extent<N>(sizes.span());
}

template <int N>
Extent<N> stride_of(const Case& c) {
  Dims steps = c.stride;
  bool unset = true;
  for (int i = 0; i < N; ++i) {
    unset = unset && steps[i] == 0;
    if (steps[i] == 0) steps[i] = c.kernel[i];
  }
  return unset ? Extent<N>() : extent<N>(steps);
}

// The output size of adaptive pooling.
template <int N>
Extent<N> bins_of(const Case& c) {
  Dims sizes = c.output;
  const Dims input = c.spatial();
  for (int i = 0; i < N; ++i)
    if (!c.size_given && sizes[i] == input[i]) sizes[i] = keep_size;
  return extent<N>(sizes);
}

template <int N>
Padding<N> padding_of(const Case& c) {
  std::array<Sides, N> sides;
  for (int i = 0; i < N; ++i) sides[static_cast<size_t>(i)] = Sides(c.padding[i]);
  return Padding<N>(std::span<const Sides>(sides));
}

}  // namespace tidepool::golden
