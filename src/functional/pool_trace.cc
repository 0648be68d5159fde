#include "functional/pool_trace.h"

namespace tidepool::inline v0_1::detail {

std::vector<CallOption> window_trace(const Geometry& geometry) {
  CallOption kernel{"kernel_size", {}}, stride{"stride", {}}, padding{"padding", {}}, dilation{"dilation", {}}, input{"input_size", {}},
      output{"output_size", {}};
  for (int i = 3 - geometry.rank(); i < 3; ++i) {
    const Axis& axis = geometry.axis(i);
    kernel.values.push_back(axis.kernel());
    stride.values.push_back(axis.stride());
    padding.values.push_back(axis.pad_before());
    padding.values.push_back(axis.pad_after());
    dilation.values.push_back(axis.dilation());
    input.values.push_back(axis.input());
    output.values.push_back(axis.output());
  }
  return {kernel, stride, padding, dilation, input, output, {"rounding", {static_cast<int64_t>(geometry.width().rounding())}}};
}

}  // namespace tidepool::inline v0_1::detail
