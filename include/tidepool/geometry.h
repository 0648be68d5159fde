// The validated shape of a pooling call: batch, channels and one Axis per spatial dimension.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "tidepool/axis.h"
#include "tidepool/dims.h"
#include "tidepool/dtype.h"
#include "tidepool/error.h"
#include "tidepool/export.h"
#include "tidepool/extent.h"

namespace tidepool::inline v0_1 {

// The framework whose conventions apply to options that are not set. preset_rules() lists them.
enum class Preset : uint8_t { torch, onnx, tensorflow, caffe };

// What the indices of max pooling count.
enum class IndexBase : uint8_t {
  plane,   // elements from the start of the input plane, i64, as in PyTorch
  tensor,  // elements from the start of the row-major input tensor, i64, as in ONNX
  window,  // the position inside the window (the tap), in the smallest type that holds it: one byte up to 256 taps
};
inline constexpr std::array all_index_bases = {IndexBase::plane, IndexBase::tensor, IndexBase::window};

// What an average is divided by.
enum class Divisor : uint8_t {
  window_in_padded,  // the taps inside input and padding: count_include_pad = true in PyTorch and ONNX
  full_kernel,       // all taps, even those beyond the padding
  valid_only,        // the taps inside the input: count_include_pad = false
  fixed,             // a given number: divisor_override
};

struct PresetRules {
  std::string_view name;
  bool limit_padding;  // padding <= dilated kernel / 2
  Rounding rounding;   // when ceil_mode is not set
  IndexBase index_base;
  Divisor divisor;           // when count_include_pad is not set
  bool scale_overhang;       // lp: a window clipped at the edge is scaled up as if it were complete
  bool unpool_default_size;  // unpooling: indices count in an array of the default output size, even when output_size is larger
};

TIDEPOOL_API const PresetRules& preset_rules(Preset preset) noexcept;

// The window options of all ops with regular windows, for any rank. Not validated yet.
struct WindowOptions {
  Sizes kernel_size;
  Sizes stride;  // unset: kernel_size
  Pads padding;
  Sizes dilation{{1}, 1};
  CeilMode ceil_mode = {};
  Preset preset = Preset::torch;
};

// In an adaptive output size: the input size of that axis (None in PyTorch).
inline constexpr int64_t keep_size = INT64_MIN;

// There are always three axes D, H, W. A 1-D problem uses W and a 2-D problem H and W; the unused axes have size 1.
class TIDEPOOL_API Geometry {
 public:
  Geometry() = default;

  // `function` is the name that error messages begin with. `shape` is N, C, spatial… or C, spatial… (not batched).
  static Result<Geometry> windowed(std::string_view function, int rank, const Dims& shape, const WindowOptions& options);
  // Adaptive windows. `output` has one size, or one per axis; keep_size is the input size.
  static Result<Geometry> adaptive(std::string_view function, int rank, const Dims& shape, const Sizes& output);
  // Fractional windows: all of one size. Where they start is data, different for each plane (RunArrays::starts).
  static Result<Geometry> fractional(std::string_view function, int rank, const Dims& shape, const Sizes& kernel, const Sizes& output);
  // Unpooling: the geometry of a pooling with the output shape `pooled` and the spatial input size `size`. Unset: the smallest size.
  static Result<Geometry> unpooled(std::string_view function, int rank, const Dims& pooled, const WindowOptions& options,
                                   const Sizes& size);

  int rank() const noexcept { return rank_; }  // 1, 2 or 3 spatial dims
  bool batched() const noexcept { return batched_; }
  int64_t batch() const noexcept { return batch_; }
  int64_t channels() const noexcept { return channels_; }
  // 0, 1, 2 = D, H, W for every rank.
  const Axis& axis(int dhw) const noexcept { return axes_[static_cast<size_t>(dhw)]; }
  const Axis& depth() const noexcept { return axes_[0]; }
  const Axis& height() const noexcept { return axes_[1]; }
  const Axis& width() const noexcept { return axes_[2]; }

  // With the batch dimension only if batched().
  Dims input_shape() const noexcept;
  Dims output_shape() const noexcept;

  int64_t input_plane() const noexcept { return axes_[0].input() * axes_[1].input() * axes_[2].input(); }
  int64_t output_plane() const noexcept { return axes_[0].output() * axes_[1].output() * axes_[2].output(); }
  int64_t input_numel() const noexcept { return batch_ * channels_ * input_plane(); }
  int64_t output_numel() const noexcept { return batch_ * channels_ * output_plane(); }
  // Number of taps of the largest window.
  int64_t window_taps() const noexcept { return axes_[0].kernel() * axes_[1].kernel() * axes_[2].kernel(); }

  friend bool operator==(const Geometry&, const Geometry&) = default;

 private:
  static Result<Geometry> start(std::string_view function, int rank, const Dims& shape);
  template <class AxisOf>
  static Result<Geometry> build(std::string_view function, int rank, const Dims& shape, AxisOf axis_of);
  Status finish(std::string_view function) const;

  int rank_ = 2;
  bool batched_ = true;
  int64_t batch_ = 1;
  int64_t channels_ = 1;
  std::array<Axis, 3> axes_{};
};

// The name of a spatial dimension in messages: "l" for rank 1, "h", "w" for rank 2, "d", "h", "w" for rank 3.
TIDEPOOL_API std::string_view axis_name(int rank, int spatial_dim) noexcept;

}  // namespace tidepool::inline v0_1
