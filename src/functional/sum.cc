#include <numeric>
#include <utility>
#include <vector>

#include "elementwise/elementwise.h"
#include "functional/dim.h"
#include "functional/linear.h"
#include "functional/sum_to.h"
#include "tidepool/functional.h"

namespace tidepool {
namespace {

// f32 is added up in f64: a mean of a million cells keeps all its digits.
template <class T>
double sum_row(const T* row, int64_t step, int64_t length) {
  double lanes[4] = {};
  int64_t i = 0;
  for (; i + 4 <= length; i += 4)
    for (int64_t k = 0; k < 4; ++k) lanes[k] += static_cast<double>(static_cast<detail::Wide<T>>(row[(i + k) * step]));
  double total = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
  for (; i < length; ++i) total += static_cast<double>(static_cast<detail::Wide<T>>(row[i * step]));
  return total;
}

// x added up into `shape`, which has x's rank or less and broadcasts to x's shape.
Tensor sum_cells(const TensorView& x, const Dims& shape) {
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
        *sum += sum_row(row, from, length);
      } else {
        for (int64_t i = 0; i < length; ++i) sum[i * to] += static_cast<double>(static_cast<detail::Wide<T>>(row[i * from]));
      }
    });
    for (int64_t i = 0; i < out.numel(); ++i) out.data<T>()[i] = detail::convert<T>(sums[static_cast<size_t>(i)]);
  });
  return out;
}

// x's shape with 1 at the dims that are added up, and the same without them.
struct SumShape {
  Dims kept, dropped;
  int64_t count = 1;
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
    const bool gone = summed[static_cast<size_t>(d)];
    result.kept.push_back(gone ? 1 : shape[d]);
    if (gone) result.count *= shape[d];
    if (!gone) result.dropped.push_back(shape[d]);
  }
  return result;
}

Tensor finish(const Tensor& x, const SumShape& s, bool keepdim, double factor) {
  Tensor total = detail::sum_to(x, s.kept);
  if (factor != 1) total = mul(total, factor);
  return keepdim ? total : reshape(total, s.dropped);
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
  const auto add_up = [shape](const Tensor& t) { return sum_cells(t, shape); };
  const auto repeat = [shape = x.shape()](const Tensor& t) { return tidepool::broadcast_to(t, shape); };
  return linear("sum", x, add_up, repeat);
}

}  // namespace detail

Tensor sum(const Tensor& x) { return sum(x, all_dims(x)); }
Tensor mean(const Tensor& x) { return mean(x, all_dims(x)); }

Tensor sum(const Tensor& x, const std::vector<int>& dims, Flag keepdim) { return finish(x, sum_shape("sum", x.shape(), dims), keepdim, 1); }

Tensor mean(const Tensor& x, const std::vector<int>& dims, Flag keepdim) {
  const SumShape s = sum_shape("mean", x.shape(), dims);
  return finish(x, s, keepdim, 1.0 / static_cast<double>(s.count));
}

}  // namespace tidepool
