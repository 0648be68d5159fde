#include "nn/check.h"
#include "tidepool/nn/functional.h"
#include "tidepool/random.h"
#include "tidepool/trace.h"

namespace tidepool::inline v0_1::nn {

namespace {

Tensor dropped_out(const Tensor& x, double p, bool training) {
  if (!training || p == 0) return x;
  Tensor mask = rand(x.shape(), next_seed());
  const float keep = p < 1 ? static_cast<float>(1 / (1 - p)) : 0.0F;
  for (int64_t i = 0; i < mask.numel(); ++i) mask.data<float>()[i] = mask.data<float>()[i] < static_cast<float>(p) ? 0.0F : keep;
  return mul(x, mask.to(x.dtype()));
}

}  // namespace

Tensor dropout(const Tensor& x, double p, Flag training) {
  if (!(p >= 0 && p <= 1)) throw Error(ErrorCode::invalid_argument, "dropout: p must be in [0, 1], got " + std::to_string(p));
  return tidepool::detail::traced("dropout", {&x}, [] { return std::vector<CallOption>(); }, [&] { return dropped_out(x, p, training); });
}

}  // namespace tidepool::inline v0_1::nn
