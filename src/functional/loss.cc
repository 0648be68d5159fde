#include <cmath>

#include "elementwise/elementwise.h"
#include "functional/linear.h"
#include "tidepool/creation.h"
#include "tidepool/functional.h"

namespace tidepool::inline v0_1 {
namespace {

// For each target, the offset of its class in a contiguous N, classes, … array, or -1 if the target is ignore_index.
std::vector<int64_t> target_offsets(const char* op, const Dims& shape, const Tensor& targets, int64_t ignore_index) {
  Dims wanted;
  int64_t inner = 1;
  for (int d = 0; d < shape.rank; ++d) {
    if (d != 1) wanted.push_back(shape[d]);
    if (d > 1) inner *= shape[d];
  }
  if (shape.rank < 2)
    throw Error(ErrorCode::shape_mismatch, std::string(op) + ": input must have 2 dimensions or more, got " + std::to_string(shape.rank));
  if (targets.shape() != wanted)
    throw Error(ErrorCode::shape_mismatch,
                std::string(op) + ": targets must have shape " + to_string(wanted) + ", got " + to_string(targets.shape()));
  if (targets.dtype() != DType::i64)
    throw Error(ErrorCode::dtype_mismatch, std::string(op) + ": targets must be i64, got " + std::string(dtype_name(targets.dtype())));
  const Tensor flat = contiguous(targets);
  std::vector<int64_t> result(static_cast<size_t>(flat.numel()));
  for (int64_t i = 0; i < flat.numel(); ++i) {
    const int64_t target = flat.data<int64_t>()[i];
    if (target != ignore_index && (target < 0 || target >= shape[1]))
      throw Error(ErrorCode::out_of_range, std::string(op) + ": target must be in [0, " + std::to_string(shape[1]) + "), got " +
                                               std::to_string(target) + " (at " + std::to_string(i) + ")");
    result[static_cast<size_t>(i)] = target == ignore_index ? -1 : (i / inner * shape[1] + target) * inner + i % inner;
  }
  return result;
}

// -x at the offsets, or 0 where the offset is -1. This is a linear function; its adjoint scatters.
Tensor gather_negated(const Tensor& x, const std::vector<int64_t>& offsets, const Dims& shape) {
  const auto gather = [offsets, shape](const Tensor& t) {
    const Tensor from = contiguous(t);
    Tensor out(shape, t.dtype());
    detail::dispatch_floating("nll_loss", t.dtype(), [&]<class T>(TypeTag<T>) {
      for (size_t i = 0; i < offsets.size(); ++i) {
        const int64_t at = offsets[i];
        out.data<T>()[i] = at < 0 ? detail::convert<T>(0.0F) : detail::convert<T>(-static_cast<detail::Wide<T>>(from.data<T>()[at]));
      }
    });
    return out;
  };
  const auto scatter = [offsets, x_shape = x.shape()](const Tensor& t) {
    const Tensor from = contiguous(t);
    Tensor out = zeros(x_shape, t.dtype());
    detail::dispatch_floating("nll_loss", t.dtype(), [&]<class T>(TypeTag<T>) {
      for (size_t i = 0; i < offsets.size(); ++i)
        if (offsets[i] >= 0) out.data<T>()[offsets[i]] = detail::convert<T>(-static_cast<detail::Wide<T>>(from.data<T>()[i]));
    });
    return out;
  };
  return detail::linear("nll_loss", x, gather, scatter);
}

Tensor reduced(const Tensor& losses, LossReduction reduction, int64_t count) {
  if (reduction == LossReduction::none) return losses;
  const Tensor total = sum(losses);
  return reduction == LossReduction::sum ? total : mul(total, 1.0 / static_cast<double>(count));
}

Tensor nll(const char* op, const Tensor& x, const Tensor& targets, const CrossEntropyOptions& o) {
  detail::check_defined(op, "input", x);
  detail::check_defined(op, "targets", targets);
  const std::vector<int64_t> offsets = target_offsets(op, x.shape(), targets, o.ignore_index);
  int64_t counted = 0;
  for (int64_t offset : offsets) counted += offset >= 0 ? 1 : 0;
  return reduced(gather_negated(x, offsets, targets.shape()), o.reduction, counted);
}

}  // namespace

Tensor nll_loss(const Tensor& log_probabilities, const Tensor& targets, const CrossEntropyOptions& options) {
  return nll("nll_loss", log_probabilities, targets, options);
}

Tensor cross_entropy(const Tensor& x, const Tensor& targets, const CrossEntropyOptions& options) {
  detail::check_defined("cross_entropy", "input", x);
  if (x.rank() < 2)
    throw Error(ErrorCode::shape_mismatch, "cross_entropy: input must have 2 dimensions or more, got " + std::to_string(x.rank()));
  return nll("cross_entropy", log_softmax(x, 1), targets, options);
}

Tensor mse_loss(const Tensor& x, const Tensor& target, LossReduction reduction) {
  detail::check_defined("mse_loss", "input", x);
  detail::check_defined("mse_loss", "target", target);
  if (x.shape() != target.shape())
    throw Error(ErrorCode::shape_mismatch,
                "mse_loss: shapes must be equal, got " + to_string(x.shape()) + " and " + to_string(target.shape()));
  const Tensor difference = sub(x, target);
  return reduced(mul(difference, difference), reduction, x.numel());
}

Tensor argmax(const Tensor& x) {
  detail::check_defined("argmax", "input", x);
  if (x.rank() != 2) throw Error(ErrorCode::shape_mismatch, "argmax: input must have 2 dimensions, got " + std::to_string(x.rank()));
  if (x.size(1) == 0) throw Error(ErrorCode::shape_mismatch, "argmax: classes must be at least 1, got 0");
  const Tensor rows = contiguous(x.detach());
  Tensor out({x.size(0)}, DType::i64);
  detail::dispatch_floating("argmax", x.dtype(), [&]<class T>(TypeTag<T>) {
    for (int64_t i = 0; i < x.size(0); ++i) {
      const T* row = rows.data<T>() + i * x.size(1);
      int64_t best = 0;
      // As in PyTorch, the first NaN is the largest value.
      const auto at = [row](int64_t k) { return static_cast<detail::Wide<T>>(row[k]); };
      for (int64_t k = 1; k < x.size(1) && !std::isnan(at(best)); ++k)
        if (at(k) > at(best) || std::isnan(at(k))) best = k;
      out.data<int64_t>()[i] = best;
    }
  });
  return out;
}

}  // namespace tidepool::inline v0_1
