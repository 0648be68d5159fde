#include <algorithm>

#include "nn/onednn_primitives.h"

namespace tidepool::inline v0_1::nn::onednn {

void matmul(TensorSpan c, TensorView a, TensorView b, const TensorView* bias) {
  run("matmul", std::max({a.numel(), b.numel(), c.numel()}), [&] {
    Key key = key_of({c, a, b});
    key.push_back(bias != nullptr ? 1 : 0);
    memory::desc row;
    if (bias != nullptr) row = {{1, bias->numel()}, memory::data_type::f32, memory::dims{bias->numel(), 1}};
    const auto ready = cached<dnnl::matmul>(key, [&] {
      if (bias != nullptr) return describe<dnnl::matmul>(desc_of(a), desc_of(b), row, desc_of(c));
      return describe<dnnl::matmul>(desc_of(a), desc_of(b), desc_of(c));
    });
    std::unordered_map<int, memory> arguments{{DNNL_ARG_SRC, borrow(desc_of(a), a.data)},
                                              {DNNL_ARG_WEIGHTS, borrow(desc_of(b), b.data)},
                                              {DNNL_ARG_DST, borrow(desc_of(c), c.data)}};
    if (bias != nullptr) arguments.emplace(DNNL_ARG_BIAS, borrow(row, bias->data));
    execute(ready.primitive, arguments);
  });
}

}  // namespace tidepool::inline v0_1::nn::onednn
