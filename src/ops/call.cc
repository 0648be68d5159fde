#include "ops/call.h"

#include <memory>

#include "core/layout.h"
#include "plan/run.h"

namespace tidepool::inline v0_1::detail {
namespace {

Layout common_layout(const TensorView& x, const TensorView& out, const Geometry& g) {
  const Layout a = layout_of(x.shape, x.strides, g.rank(), g.batched());
  return a == layout_of(out.shape, out.strides, g.rank(), g.batched()) ? a : Layout::strided;
}

}  // namespace

void fail(const char* function, ErrorCode code, const std::string& text) { throw Error(code, std::string(function) + ": " + text); }

void check_view(const char* function, const char* name, const TensorView& t) {
  check_defined(function, name, t);
  if (dtype_size(t.dtype) == 0)
    fail(function, ErrorCode::dtype_mismatch,
         std::string(name) + " must have a known dtype, got code " + std::to_string(static_cast<int>(t.dtype)));
  if (t.strides.rank != t.shape.rank)
    fail(function, ErrorCode::shape_mismatch,
         std::string(name) + " must have " + std::to_string(t.shape.rank) + " strides, got " + std::to_string(t.strides.rank));
}

void check_gradient_dtype(const char* function, const TensorView& grad) {
  if (!is_floating(grad.dtype))
    fail(function, ErrorCode::dtype_mismatch, "gradients need a floating dtype, got " + std::string(dtype_name(grad.dtype)));
}

void check_shape(const char* function, const char* name, const TensorView& t, const Dims& shape) {
  if (t.shape != shape)
    fail(function, ErrorCode::shape_mismatch, std::string(name) + " must have shape " + to_string(shape) + ", got " + to_string(t.shape));
}

Tensor allocate_like(const TensorView& like, const Dims& shape, DType dtype, const Geometry& g) {
  const bool last = layout_of(like.shape, like.strides, g.rank(), g.batched()) == Layout::channels_last;
  if (!last) return Tensor(shape, dtype);
  if (g.batched()) return Tensor(shape, dtype, MemoryFormat::channels_last);
  // MemoryFormat::channels_last takes dim 1 as the channels, which are dim 0 of an unbatched tensor. So a batch dim is added and removed.
  Dims with_batch{1};
  for (int64_t s : shape) with_batch.push_back(s);
  Tensor t(with_batch, dtype, MemoryFormat::channels_last);
  TensorSpan span = t.span();
  span.shape = shape;
  span.strides = Dims(t.strides().span().subspan(1));
  return {std::make_shared<Tensor>(t), span};
}

void run(const char* function, Problem&& problem, const RunArrays& arrays) {
  const Geometry& g = problem.geometry;
  // layout_of needs arrays of the right rank. The plan reports other ranks.
  const int rank = g.rank() + (g.batched() ? 2 : 1);
  if (arrays.input.rank() == rank && arrays.output.rank() == rank) problem.layout = common_layout(arrays.input, arrays.output, g);
  // The plan is made before the default executor, which starts threads, so that an invalid call does not start any.
  const Plan plan = cached_plan_for(function, problem);
  run_as(function, plan, arrays);
}

}  // namespace tidepool::inline v0_1::detail
