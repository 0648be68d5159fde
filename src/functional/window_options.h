// The window part of an op's options.
#pragma once

#include "tidepool/geometry.h"

namespace tidepool::inline v0_1::detail {

template <class Options>
WindowOptions window_options(const Options& o) {
  return {.kernel_size = o.kernel_size,
          .stride = o.stride,
          .padding = o.padding,
          .dilation = o.dilation,
          .ceil_mode = o.ceil_mode,
          .preset = o.preset};
}

}  // namespace tidepool::inline v0_1::detail
