#include <numeric>
#include <utility>
#include <vector>

#include "core/dim.h"
#include "elementwise/elementwise.h"
#include "functional/linear.h"
#include "functional/sum_to.h"
#include "tidepool/functional.h"
#include "tidepool/trace.h"

namespace tidepool::inline v0_1 {
namespace {

// Sums in f64, so that rounding errors do not add up over many elements. Four independent accumulators hide the latency of the additions.
template <class T>
double sum_strided(const T* row, int64_t step, int64_t length) {
  double partial[4] = {};
  int64_t i = 0;
  for (; i + 4 <= length; i += 4)
    for (int64_t k = 0; k < 4; ++k) partial[k] += static_cast<double>(static_cast<detail::Wide<T>>(row[(i + k) * step]));
  double total = (partial[0] + partial[1]) + (partial[2] + partial[3]);
  for (; i < length; ++i) total += static_cast<double>(static_cast<detail::Wide<T>>(row[i * step]));
  return total;
}

// The adjoint of broadcasting from `shape` to the shape of x: sums x over the repeated dims.
Tensor sum_repeated(const TensorView& x, const Dims& shape) {
  Tensor out(shape, x.dtype);
  std::vector<double> sums(static_cast<size_t>(out.numel()), 0.0);
  detail::dispatch_floating("sum", x.dtype, [&]<class T>(TypeTag<T>) {
    const T* in = x.data_as<T>();
    Dims sorted = x.shape;
    std::array<Dims, 2> strides{x.strides, detail::broadcast_strides(shape, contiguous_strides(shape), x.shape)};
    detail::sort_by_stride(sorted, strides, 0);
    const int64_t length = detail::row_length(sorted), from = detail::row_stride(strides[0]), to = detail::row_stride(strides[1]);
    detail::walk_rows<2>(sorted, strides, [&](const std::array<int64_t, 2>& at) {
      const T* row = in + at[0];
      double* sum = sums.data() + at[1];
      if (to == 0) {
        *sum += sum_strided(row, from, length);
      } else {
        for (int64_t i = 0; i < length; ++i) sum[i * to] += static_cast<double>(static_cast<detail::Wide<T>>(row[i * from]));
      }
    });
    for (int64_t i = 0; i < out.numel(); ++i) out.data<T>()[i] = detail::convert<T>(sums[static_cast<size_t>(i)]);
  });
  return out;
}

// The shapes of a sum over some dims.
struct SumShape {
  Dims kept, dropped;  // the summed dims have size 1, or are removed
  int64_t count = 1;   // elements per sum
};

SumShape sum_shape(const char* op, const Dims& shape, const std::vector<int>& dims) {
  std::array<bool, max_rank> summed{};
  for (int dim : dims) {
    const int d = detail::checked_dim(op, dim, shape.rank);
    if (std::exchange(summed[static_cast<size_t>(d)], true))
      throw Error(ErrorCode::invalid_argument, std::string(op) + ": dims must differ, got " + std::to_string(d) + " twice");
  }
  SumShape result;
  for (int d = 0; d < shape.rank; ++d) {
    const bool is_summed = summed[static_cast<size_t>(d)];
    result.kept.push_back(is_summed ? 1 : shape[d]);
    if (is_summed) result.count *= shape[d];
    if (!is_summed) result.dropped.push_back(shape[d]);
  }
  return result;
}

Tensor scaled_sum(const char* op, const Tensor& x, const SumShape& s, const std::vector<int>& dims, bool keepdim, double factor) {
  const auto options = [&] {
    return std::vector<CallOption>{{"dims", std::vector<int64_t>(dims.begin(), dims.end())}, {"keepdim", {keepdim ? 1 : 0}}};
  };
  return detail::traced(op, {&x}, options, [&] {
    Tensor total = detail::sum_to(x, s.kept);
    if (factor != 1) total = mul(total, factor);
    return keepdim ? total : reshape(total, s.dropped);
  });
}

std::vector<int> all_dims(const Tensor& x) {
  std::vector<int> dims(static_cast<size_t>(x.rank()));
  std::iota(dims.begin(), dims.end(), 0);
  return dims;
}

}  // namespace

namespace detail {

Tensor sum_to(const Tensor& x, const Dims& shape) {
  if (x.shape() == shape) return x;
  const auto add_up = [shape](const Tensor& t) { return sum_repeated(t, shape); };
  const auto repeat = [shape = x.shape()](const Tensor& t) { return tidepool::broadcast_to(t, shape); };
  return linear("sum", x, add_up, repeat);
}

}  // namespace detail

Tensor sum(const Tensor& x) { return sum(x, all_dims(x)); }
Tensor mean(const Tensor& x) { return mean(x, all_dims(x)); }

Tensor sum(const Tensor& x, const std::vector<int>& dims, Flag keepdim) {
  detail::check_defined("sum", "tensor", x);
  return scaled_sum("sum", x, sum_shape("sum", x.shape(), dims), dims, keepdim, 1);
}

Tensor mean(const Tensor& x, const std::vector<int>& dims, Flag keepdim) {
  detail::check_defined("mean", "tensor", x);
  const SumShape s = sum_shape("mean", x.shape(), dims);
  detail::check_floating("mean", x.dtype());
  return scaled_sum("mean", x, s, dims, keepdim, 1.0 / static_cast<double>(s.count));
}

}  // namespace tidepool::inline v0_1
