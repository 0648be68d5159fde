// The fast check of a run's arrays. Most arrays are contiguous, have the right shape and do not overlap; a few comparisons show that, while
// the complete check takes longer than pooling a small array.
#include <algorithm>

#include "core/checked.h"
#include "plan/plan_impl.h"

namespace tidepool::inline v0_1::detail {
namespace {

using FastPathArray = Plan::Impl::FastPathArray;

FastPathArray expected_array(const Problem& p, const Dims& shape, DType dtype) {
  const auto element_size = static_cast<uintptr_t>(dtype_size(dtype));
  FastPathArray expected{
      .shape = shape, .strides = contiguous_strides(shape), .dtype = dtype, .element_size = element_size, .bytes = element_size};
  for (int64_t size : shape.span()) expected.bytes *= static_cast<uintptr_t>(size);  // fits: prepare_fast_path refuses larger ones
  if (p.layout != Layout::channels_last) return expected;
  if (p.geometry.batched()) {
    expected.strides = channels_last_strides(shape);
  } else {
    // channels_last_strides takes dimension 1 as the channels, so a batch dimension is added and removed again.
    Dims batched{1};
    for (int64_t size : shape.span()) batched.push_back(size);
    expected.strides = Dims(channels_last_strides(batched).span().subspan(1));
  }
  return expected;
}

struct Bytes {
  uintptr_t begin, end;
  bool disjoint(const Bytes& other) const noexcept { return end <= other.begin || other.end <= begin; }
};

template <class View>
Bytes bytes_of(const View& t, const FastPathArray& expected) noexcept {
  const auto begin = reinterpret_cast<uintptr_t>(t.data);
  return {begin, begin + expected.bytes};
}

template <class View>
bool matches(const View& t, const FastPathArray& expected) noexcept {
  return t.dtype == expected.dtype && t.shape == expected.shape && t.strides == expected.strides && t.data != nullptr &&
         (reinterpret_cast<uintptr_t>(t.data) & (expected.element_size - 1)) == 0;  // sizes are powers of two
}

}  // namespace

void prepare_fast_path(Plan::Impl* plan) {
  const Problem& p = plan->problem;
  // The values of indices and starts have to be checked too; other arrays than input, output and indices are rare.
  if (reads_indices(p) || needs_starts(p)) return;
  if (reads_saved(p) || p.pass == Pass::double_backward_input) return;
  if (p.layout == Layout::strided || p.geometry.input_numel() == 0 || p.geometry.output_numel() == 0) return;
  // Arrays larger than the address space, of which a wrong view can tell, are refused by the complete check.
  const int64_t largest_numel = std::max(p.geometry.input_numel(), p.geometry.output_numel());
  if (largest_numel > max_bytes / static_cast<int64_t>(sizeof(int64_t))) return;
  plan->fast_path_input = expected_array(p, source_shape(p), p.dtype);
  plan->fast_path_output = expected_array(p, result_shape(p), p.dtype);
  plan->args.input_strides = to_ncdhw_strides(plan->fast_path_input.strides, p.geometry);
  plan->args.output_strides = to_ncdhw_strides(plan->fast_path_output.strides, p.geometry);
  if (p.indices) {
    plan->fast_path_indices = expected_array(p, p.geometry.output_shape(), plan->args.index_dtype);
    plan->args.index_strides = to_ncdhw_strides(plan->fast_path_indices.strides, p.geometry);
  }
  plan->has_fast_path = true;
}

bool matches_fast_path(const Plan::Impl& plan, const TensorView& input, const TensorSpan& output, const TensorSpan* indices_out) noexcept {
  if (!plan.has_fast_path || !matches(input, plan.fast_path_input) || !matches(output, plan.fast_path_output)) return false;
  const Bytes in = bytes_of(input, plan.fast_path_input), out = bytes_of(output, plan.fast_path_output);
  if (!out.disjoint(in)) return false;
  if (!plan.problem.indices) return true;
  if (indices_out == nullptr || !matches(*indices_out, plan.fast_path_indices)) return false;
  const Bytes indices = bytes_of(*indices_out, plan.fast_path_indices);
  return indices.disjoint(in) && indices.disjoint(out);
}

}  // namespace tidepool::inline v0_1::detail
