// The validated shape of a pooling call: batch, channels and up to three axes. No dtype, no pointers.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "tidepool/axis.h"
#include "tidepool/error.h"
#include "tidepool/extent.h"
#include "tidepool/tensor.h"

namespace tidepool {

// Whose conventions fill in what the user leaves open. Rows of one table, see preset_rules().
enum class Preset : uint8_t { torch, onnx, tensorflow, caffe };

// Where an index counts from.
enum class IndexBase : uint8_t {
  plane,   // offset inside the input plane, int64, as PyTorch
  tensor,  // offset inside the whole input tensor N, C, spatial, int64, as ONNX
  window,  // number of the tap inside its window: the smallest type that holds it, one byte up to 256 taps
};

// What an average is divided by.
enum class Divisor : uint8_t {
  window_in_padded,  // cells of the window inside input and padding: count_include_pad = true in PyTorch and ONNX
  full_kernel,       // all taps, also those hanging over the edge
  valid_only,        // real cells: count_include_pad = false
  fixed,             // a given number: divisor_override
};

struct PresetRules {
  std::string_view name;
  bool limit_padding;  // padding <= dilated kernel / 2
  Rounding rounding;   // when ceil_mode is left open
  IndexBase index_base;
  Divisor divisor;        // when count_include_pad is left open
  bool scale_overhang;    // Lp: a window that hangs over the edge is scaled up to a whole one
  bool unpool_in_fewest;  // unpooling counts indices inside the default size, whatever size is asked for
};

const PresetRules& preset_rules(Preset preset) noexcept;

// The window options shared by all windowed ops, rank erased. Any number may be wrong.
struct WindowOptions {
  Sizes kernel_size;
  Sizes stride;  // unset: kernel_size
  Pads padding;
  Sizes dilation{{1}, 1};
  CeilMode ceil_mode = {};
  Preset preset = Preset::torch;
};

// In an adaptive output size: as many outputs as inputs (PyTorch's None).
inline constexpr int64_t keep_size = INT64_MIN;

// The three axes are always D, H, W; a 1-D problem uses W, a 2-D one H and W, and the others are one cell wide.
class Geometry {
 public:
  Geometry() = default;

  // `op` is the name in messages. `shape` is N, C, spatial… or C, spatial… (unbatched).
  static Result<Geometry> windowed(std::string_view op, int rank, const Dims& shape, const WindowOptions& options);
  // Bins that cover the input. `output` has one or rank sizes; keep_size leaves an axis as it is.
  static Result<Geometry> adaptive(std::string_view op, int rank, const Dims& shape, const Sizes& output);
  // Windows of one size at starts that each plane brings along.
  static Result<Geometry> fractional(std::string_view op, int rank, const Dims& shape, const Sizes& kernel, const Sizes& output);
  // The pooling that gave `pooled`, from an input of that many cells along each axis; unset: the fewest.
  static Result<Geometry> unpooled(std::string_view op, int rank, const Dims& pooled, const WindowOptions& options, const Sizes& size);

  int rank() const noexcept { return rank_; }  // 1, 2 or 3 spatial dims
  bool batched() const noexcept { return batched_; }
  int64_t batch() const noexcept { return batch_; }
  int64_t channels() const noexcept { return channels_; }
  // 0, 1, 2 = D, H, W whatever the rank.
  const Axis& axis(int dhw) const noexcept { return axes_[static_cast<size_t>(dhw)]; }
  const Axis& depth() const noexcept { return axes_[0]; }
  const Axis& height() const noexcept { return axes_[1]; }
  const Axis& width() const noexcept { return axes_[2]; }

  // As the user sees them: with the batch dim only if there was one.
  Dims input_shape() const noexcept;
  Dims output_shape() const noexcept;

  int64_t input_plane() const noexcept { return axes_[0].input() * axes_[1].input() * axes_[2].input(); }
  int64_t output_plane() const noexcept { return axes_[0].output() * axes_[1].output() * axes_[2].output(); }
  int64_t input_numel() const noexcept { return batch_ * channels_ * input_plane(); }
  int64_t output_numel() const noexcept { return batch_ * channels_ * output_plane(); }
  // Taps of the largest window.
  int64_t window_taps() const noexcept { return axes_[0].kernel() * axes_[1].kernel() * axes_[2].kernel(); }

  friend bool operator==(const Geometry&, const Geometry&) = default;

 private:
  static Result<Geometry> start(std::string_view op, int rank, const Dims& shape);
  template <class AxisOf>
  static Result<Geometry> build(std::string_view op, int rank, const Dims& shape, AxisOf axis_of);
  Status finish(std::string_view op) const;

  int rank_ = 2;
  bool batched_ = true;
  int64_t batch_ = 1;
  int64_t channels_ = 1;
  std::array<Axis, 3> axes_{};
};

// "l", or "h" and "w", or "d", "h" and "w".
std::string_view axis_name(int rank, int spatial_dim) noexcept;

}  // namespace tidepool
