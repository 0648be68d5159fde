#include <algorithm>
#include <cmath>

#include "core/dim.h"
#include "elementwise/elementwise.h"
#include "tidepool/functional.h"
#include "tidepool/trace.h"

namespace tidepool::inline v0_1 {
namespace {

// x - log(sum(exp(x))) along dim d, or exp of it. The largest element is subtracted first, so that exp cannot overflow.
Tensor log_softmax_values(const char* op, const Tensor& in, int d, bool exponentiate) {
  const Tensor x = contiguous(in);
  Tensor out(x.shape(), x.dtype());
  int64_t inner = 1;
  for (int k = d + 1; k < x.rank(); ++k) inner *= x.size(k);
  const int64_t n = x.size(d);
  const int64_t outer = x.numel() > 0 ? x.numel() / (n * inner) : 0;  // any size may be 0
  detail::dispatch_floating(op, x.dtype(), [&]<class T>(TypeTag<T>) {
    using W = detail::Wide<T>;
    for (int64_t o = 0; o < outer; ++o) {
      for (int64_t i = 0; i < inner; ++i) {
        const T* from = x.data<T>() + o * n * inner + i;
        T* to = out.data<T>() + o * n * inner + i;
        W largest = static_cast<W>(from[0]);
        for (int64_t k = 1; k < n; ++k) largest = std::max(largest, static_cast<W>(from[k * inner]));
        double total = 0;
        for (int64_t k = 0; k < n; ++k) total += std::exp(static_cast<double>(static_cast<W>(from[k * inner]) - largest));
        const W shift = static_cast<W>(std::log(total));
        for (int64_t k = 0; k < n; ++k) {
          const W y = static_cast<W>(from[k * inner]) - largest - shift;
          to[k * inner] = detail::convert<T>(exponentiate ? std::exp(y) : y);
        }
      }
    }
  });
  return out;
}

// Calls compute(d) with the dimension counted from the front.
template <class Compute>
Tensor along_dim(const char* op, const Tensor& x, int dim, const Compute& compute) {
  detail::check_defined(op, "tensor", x);
  const int d = detail::checked_dim(op, dim, x.rank());
  return detail::traced(op, {&x}, [&] { return std::vector<CallOption>{{"dim", {d}}}; }, [&] { return compute(d); });
}

Tensor softmax_along(const Tensor& x, int d) {
  Tensor value = log_softmax_values("softmax", x.detach(), d, true);
  if (!recording(x)) return value;
  return record_output("softmax", {x}, value, [d](const Tensor& g, const Tensor& y) {
    const Tensor share = mul(g, y);
    return Gradients{sub(share, mul(y, sum(share, {d}, true)))};
  });
}

Tensor log_softmax_along(const Tensor& x, int d) {
  Tensor value = log_softmax_values("log_softmax", x.detach(), d, false);
  if (!recording(x)) return value;
  return record_output("log_softmax", {x}, value,
                       [d](const Tensor& g, const Tensor& y) { return Gradients{sub(g, mul(exp(y), sum(g, {d}, true)))}; });
}

}  // namespace

Tensor softmax(const Tensor& x, int dim) {
  return along_dim("softmax", x, dim, [&](int d) { return softmax_along(x, d); });
}

Tensor log_softmax(const Tensor& x, int dim) {
  return along_dim("log_softmax", x, dim, [&](int d) { return log_softmax_along(x, d); });
}

}  // namespace tidepool::inline v0_1
