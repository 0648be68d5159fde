#include <bit>

#include "nn/onednn_primitives.h"

namespace tidepool::inline v0_1::nn::onednn {
namespace {

// A function, because static constructors may normalise before the variables of this file have their values.
auto scale_and_shift() { return dnnl::normalization_flags::use_scale | dnnl::normalization_flags::use_shift; }

auto describe_batch_norm(const memory::desc& x, dnnl::prop_kind kind, float eps, dnnl::normalization_flags flags) {
#if DNNL_VERSION_MAJOR >= 3
  return describe<dnnl::batch_normalization_forward>(kind, x, x, eps, flags);
#else
  return describe<dnnl::batch_normalization_forward>(kind, x, eps, flags);
#endif
}

void batch_norm_run(TensorSpan y, const BatchNormArrays& t, double eps, bool train) {
  run("batch_norm", y.numel(), [&] {
    Key key = key_of({y, t.x});
    key.push_back(train ? 1 : 0);
    key.push_back(std::bit_cast<int64_t>(eps));
    const auto kind = train ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
    const auto flags = train ? scale_and_shift() : scale_and_shift() | dnnl::normalization_flags::use_global_stats;
    const memory::desc x = desc_of(t.x);
    const auto ready =
        cached<dnnl::batch_normalization_forward>(key, [&] { return describe_batch_norm(x, kind, static_cast<float>(eps), flags); });
    execute(ready.primitive, {{DNNL_ARG_SRC, borrow(x, t.x.data)},
                              {DNNL_ARG_DST, borrow(x, y.data)},
                              {DNNL_ARG_MEAN, borrow(desc_of(t.mean), t.mean.data)},
                              {DNNL_ARG_VARIANCE, borrow(desc_of(t.variance), t.variance.data)},
                              {DNNL_ARG_SCALE, borrow(desc_of(t.weight), t.weight.data)},
                              {DNNL_ARG_SHIFT, borrow(desc_of(t.bias), t.bias.data)}});
  });
}

}  // namespace

void batch_norm_train(TensorSpan y, const BatchNormArrays& arrays, double eps) { batch_norm_run(y, arrays, eps, true); }
void batch_norm_infer(TensorSpan y, const BatchNormArrays& arrays, double eps) { batch_norm_run(y, arrays, eps, false); }

void batch_norm_backward(TensorSpan gx, TensorSpan gweight, TensorSpan gbias, TensorView gy, const BatchNormArrays& t, double eps) {
  run("batch_norm", gx.numel(), [&] {
    Key key = key_of({gx, t.x, gy});
    key.push_back(std::bit_cast<int64_t>(eps));
    const memory::desc x = desc_of(t.x);
    const auto ready = cached<dnnl::batch_normalization_backward>(key, [&] {
      const float e = static_cast<float>(eps);
      const auto forward = describe_batch_norm(x, dnnl::prop_kind::forward_training, e, scale_and_shift());
#if DNNL_VERSION_MAJOR >= 3
      return describe_with<dnnl::batch_normalization_backward>(forward, dnnl::prop_kind::backward, x, x, x, e, scale_and_shift());
#else
      return describe_with<dnnl::batch_normalization_backward>(forward, dnnl::prop_kind::backward, x, x, e, scale_and_shift());
#endif
    });
    execute(ready.primitive,
            {{DNNL_ARG_SRC, borrow(x, t.x.data)},
             {DNNL_ARG_DIFF_DST, borrow(x, gy.data)},
             {DNNL_ARG_DIFF_SRC, borrow(x, gx.data)},
             {DNNL_ARG_MEAN, borrow(desc_of(t.mean), t.mean.data)},
             {DNNL_ARG_VARIANCE, borrow(desc_of(t.variance), t.variance.data)},
             {DNNL_ARG_SCALE, borrow(desc_of(t.weight), t.weight.data)},
             {DNNL_ARG_SHIFT, borrow(desc_of(t.bias), t.bias.data)},  // version 2 requires the argument but does not read it
             {DNNL_ARG_DIFF_SCALE, borrow(desc_of(gweight), gweight.data)},
             {DNNL_ARG_DIFF_SHIFT, borrow(desc_of(gbias), gbias.data)}});
  });
}

}  // namespace tidepool::inline v0_1::nn::onednn
