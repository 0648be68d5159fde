#include <algorithm>

#include "nn/onednn_primitives.h"

namespace tidepool::inline v0_1::nn::onednn {
namespace {

// oneDNN expects the groups as a separate first dimension of the weights.
memory::desc weights_desc(const TensorView& w, int64_t groups) {
  if (groups == 1) return desc_of(w);
  memory::dims dims = dims_of(w.shape), strides = dims_of(w.strides);
  dims[0] /= groups;
  dims.insert(dims.begin(), groups);
  strides.insert(strides.begin(), strides[0] * dims[1]);
  return {dims, memory::data_type::f32, strides};
}

// Channels-last arrays are used as they are. For the others oneDNN chooses a blocked layout: copying into it costs less than a convolution
// in a layout that it has no fast code for.
memory::desc activation_desc(const TensorView& x) {
  const memory::desc own = desc_of(x);
  return x.strides == channels_last_strides(x.shape) && x.size(1) > 1 ? own : any_layout(own);
}

Key conv_key(std::initializer_list<TensorView> arrays, const ConvParams& p, bool bias) {
  Key key = key_of(arrays);
  for (const Dims& dims : {p.stride, p.dilation, p.before, p.after}) append(key, dims);
  key.push_back(p.groups);
  key.push_back(bias ? 1 : 0);
  return key;
}

constexpr auto direct = dnnl::algorithm::convolution_direct;

// The forward primitive. oneDNN also needs it to describe the backward primitives.
auto describe_forward(const TensorView& y, const TensorView& x, const TensorView& w, const TensorView* bias, const ConvParams& p) {
  const memory::dims stride = dims_of(p.stride), dilation = dims_of(p.dilation, 1), before = dims_of(p.before), after = dims_of(p.after);
  const auto training = dnnl::prop_kind::forward_training;
  const memory::desc weights = any_layout(weights_desc(w, p.groups));
  if (bias != nullptr)
    return describe<dnnl::convolution_forward>(training, direct, activation_desc(x), weights, desc_of(*bias), activation_desc(y), stride,
                                               dilation, before, after);
  return describe<dnnl::convolution_forward>(training, direct, activation_desc(x), weights, activation_desc(y), stride, dilation, before,
                                             after);
}

}  // namespace

void conv_forward(TensorSpan y, TensorView x, TensorView w, const TensorView* bias, const ConvParams& p) {
  run("conv", std::max(x.numel(), y.numel()), [&] {
    const auto ready =
        cached<dnnl::convolution_forward>(conv_key({y, x, w}, p, bias != nullptr), [&] { return describe_forward(y, x, w, bias, p); });
    const auto& d = ready.description;
    Output out(d.dst_desc(), desc_of(y), y.data);
    std::unordered_map<int, memory> arguments{{DNNL_ARG_SRC, in_layout(d.src_desc(), desc_of(x), x.data)},
                                              {DNNL_ARG_WEIGHTS, in_layout(d.weights_desc(), weights_desc(w, p.groups), w.data)},
                                              {DNNL_ARG_DST, out.get()}};
    if (bias != nullptr) arguments.emplace(DNNL_ARG_BIAS, borrow(desc_of(*bias), bias->data));
    execute(ready.primitive, arguments);
    out.finish();
  });
}

void conv_backward_data(TensorSpan gx, TensorView gy, TensorView w, const ConvParams& p) {
  run("conv", std::max(gx.numel(), gy.numel()), [&] {
    const auto ready = cached<dnnl::convolution_backward_data>(conv_key({gx, gy, w}, p, false), [&] {
      return describe_with<dnnl::convolution_backward_data>(describe_forward(gy, gx, w, nullptr, p), direct, activation_desc(gx),
                                                            any_layout(weights_desc(w, p.groups)), activation_desc(gy), dims_of(p.stride),
                                                            dims_of(p.dilation, 1), dims_of(p.before), dims_of(p.after));
    });
    const auto& d = ready.description;
    Output out(d.diff_src_desc(), desc_of(gx), gx.data);
    execute(ready.primitive, {{DNNL_ARG_DIFF_DST, in_layout(d.diff_dst_desc(), desc_of(gy), gy.data)},
                              {DNNL_ARG_WEIGHTS, in_layout(d.weights_desc(), weights_desc(w, p.groups), w.data)},
                              {DNNL_ARG_DIFF_SRC, out.get()}});
    out.finish();
  });
}

void conv_backward_weights(TensorSpan gw, TensorView x, TensorView gy, const ConvParams& p) {
  run("conv", std::max(x.numel(), gy.numel()), [&] {
    const auto ready = cached<dnnl::convolution_backward_weights>(conv_key({gw, x, gy}, p, false), [&] {
      return describe_with<dnnl::convolution_backward_weights>(
          describe_forward(gy, x, gw, nullptr, p), direct, activation_desc(x), any_layout(weights_desc(gw, p.groups)), activation_desc(gy),
          dims_of(p.stride), dims_of(p.dilation, 1), dims_of(p.before), dims_of(p.after));
    });
    const auto& d = ready.description;
    Output out(d.diff_weights_desc(), weights_desc(gw, p.groups), gw.data);
    execute(ready.primitive, {{DNNL_ARG_SRC, in_layout(d.src_desc(), desc_of(x), x.data)},
                              {DNNL_ARG_DIFF_DST, in_layout(d.diff_dst_desc(), desc_of(gy), gy.data)},
                              {DNNL_ARG_DIFF_WEIGHTS, out.get()}});
    out.finish();
  });
}

}  // namespace tidepool::inline v0_1::nn::onednn
