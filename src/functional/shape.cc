#include "core/dim.h"
#include "elementwise/elementwise.h"
#include "functional/linear.h"
#include "functional/sum_to.h"
#include "tidepool/creation.h"
#include "tidepool/functional.h"
#include "tidepool/trace.h"

namespace tidepool::inline v0_1 {
Tensor contiguous(const Tensor& x) {
  detail::check_defined("contiguous", "tensor", x);
  return x.is_contiguous() ? x : x.clone();
}

Tensor reshape(const Tensor& x, const Dims& shape) {
  detail::check_defined("reshape", "tensor", x);
  return detail::traced("reshape", {&x}, [] { return std::vector<CallOption>(); }, [&] { return contiguous(x).reshape(shape); });
}

Tensor flatten(const Tensor& x, int first, int last) {
  detail::check_defined("flatten", "tensor", x);
  if (x.rank() == 0) return reshape(x, {1});
  const int from = detail::checked_dim("flatten", first, x.rank());
  const int to = detail::checked_dim("flatten", last, x.rank());
  if (from > to)
    throw Error(ErrorCode::invalid_argument,
                "flatten: first dim must not come after the last, got " + std::to_string(from) + " and " + std::to_string(to));
  Dims shape;
  for (int d = 0; d < from; ++d) shape.push_back(x.size(d));
  int64_t size = 1;
  for (int d = from; d <= to; ++d) size *= x.size(d);
  shape.push_back(size);
  for (int d = to + 1; d < x.rank(); ++d) shape.push_back(x.size(d));
  const auto options = [&] { return std::vector<CallOption>{{"dims", {from, to}}}; };
  return detail::traced("flatten", {&x}, options, [&] { return reshape(x, shape); });
}

Tensor broadcast_to(const Tensor& x, const Dims& shape) {
  detail::check_defined("broadcast_to", "tensor", x);
  if (x.shape() == shape) return x;
  if (detail::broadcast_shape("broadcast_to", x.shape(), shape) != shape)
    throw Error(ErrorCode::shape_mismatch,
                "broadcast_to: shape must be one that " + to_string(x.shape()) + " broadcasts to, got " + to_string(shape));
  const auto repeat = [shape](const Tensor& t) { return t.as_strided(shape, detail::broadcast_strides(t.shape(), t.strides(), shape)); };
  const auto add_up = [small = x.shape()](const Tensor& t) { return detail::sum_to(t, small); };
  return detail::linear("broadcast_to", x, repeat, add_up);
}

Tensor slice_backward(const Tensor& g, const Dims& shape, int dim, int64_t start, int64_t stop, int64_t step) {
  const auto scatter = [=](const Tensor& t) {
    Tensor out = zeros(shape, t.dtype());
    Tensor part = out.slice(dim, start, stop, step);
    copy(t, part.span());
    return out;
  };
  return detail::linear("slice", g, scatter, [=](const Tensor& t) { return t.slice(dim, start, stop, step); });
}

Tensor concat(const std::vector<Tensor>& parts, int dim) {
  if (parts.empty()) throw Error(ErrorCode::invalid_argument, "concat: parts must be at least 1, got 0");
  for (const Tensor& part : parts) detail::check_defined("concat", "tensor", part);
  const Dims& first = parts[0].shape();
  const int d = detail::checked_dim("concat", dim, first.rank);
  Dims shape = first;
  shape[d] = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    detail::check_same_dtype("concat", parts[0].dtype(), parts[i].dtype());
    Dims like = parts[i].shape();
    if (like.rank == first.rank) {
      shape[d] += like[d];
      like[d] = first[d];
    }
    if (like != first)
      throw Error(ErrorCode::shape_mismatch, "concat: parts must agree outside dim " + std::to_string(d) + ", got " +
                                                 to_string(parts[0].shape()) + " and " + to_string(parts[i].shape()) + " (part " +
                                                 std::to_string(i) + ")");
  }
  const bool last = detail::is_channels_last(parts[0].view()) && !parts[0].is_contiguous();
  Tensor value(shape, parts[0].dtype(), last ? MemoryFormat::channels_last : MemoryFormat::contiguous);
  std::vector<int64_t> ends;
  int64_t at = 0;
  for (const Tensor& part : parts) {
    Tensor target = value.slice(d, at, at + part.size(d));
    copy(part.detach(), target.span());
    ends.push_back(at += part.size(d));
  }
  return record("concat", parts, value, [d, ends](const Tensor& g) {
    Gradients result;
    int64_t begin = 0;
    for (int64_t end : ends) {
      result.push_back(g.slice(d, begin, end));
      begin = end;
    }
    return result;
  });
}

}  // namespace tidepool::inline v0_1
