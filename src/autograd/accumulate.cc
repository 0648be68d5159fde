#include "autograd/accumulate.h"

#include "elementwise/elementwise.h"
#include "tidepool/autograd.h"

namespace tidepool::inline v0_1::detail {

void accumulate(Tensor& sum, const Tensor& more) {
  if (!sum.defined()) {
    sum = more;
    return;
  }
  Tensor value = zip("add", sum.view(), more.view(), [](auto u, auto v) { return u + v; });
  if (!recording(sum) && !recording(more)) {
    sum = value;
    return;
  }
  sum = record("add", {sum, more}, std::move(value), [](const Tensor& g) { return Gradients{g, g}; });
}

}  // namespace tidepool::inline v0_1::detail
