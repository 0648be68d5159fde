// Most runs bring arrays without gaps, of the right shape, apart from each other. A few comparisons tell, where looking at everything
// takes longer than pooling a small array.
#include "plan/plan_impl.h"

namespace tidepool::detail {
namespace {

using PlainArray = Plan::Impl::PlainArray;

PlainArray plain_array(const Problem& p, const Dims& shape, DType dtype) {
  PlainArray plain{.shape = shape, .strides = contiguous_strides(shape), .dtype = dtype, .bytes = dtype_size(dtype)};
  for (int64_t size : shape.span()) plain.bytes *= size;
  if (p.layout != Layout::channels_last) return plain;
  if (p.geometry.batched()) {
    plain.strides = channels_last_strides(shape);
  } else {
    // Channels are the second dim of those strides.
    Dims batched{1};
    for (int64_t size : shape.span()) batched.push_back(size);
    plain.strides = Dims(channels_last_strides(batched).span().subspan(1));
  }
  return plain;
}

struct Bytes {
  uintptr_t begin, end;
  bool apart_from(const Bytes& other) const noexcept { return end <= other.begin || other.end <= begin; }
};

Bytes bytes_of(const TensorView& t, const PlainArray& plain) noexcept {
  const auto begin = reinterpret_cast<uintptr_t>(t.data);
  return {begin, begin + static_cast<uintptr_t>(plain.bytes)};
}

bool is_plain(const TensorView& t, const PlainArray& plain) noexcept {
  return t.dtype == plain.dtype && t.shape == plain.shape && t.strides == plain.strides && t.data != nullptr &&
         reinterpret_cast<uintptr_t>(t.data) % static_cast<uintptr_t>(dtype_size(plain.dtype)) == 0;
}

}  // namespace

void expect_plain_run(Plan::Impl* plan) {
  const Problem& p = plan->problem;
  // Cells of these arrays are looked at too.
  if (reads_indices(p) || needs_starts(p)) return;
  if (reads_saved(p) || p.pass == Pass::double_backward_input) return;
  if (p.layout == Layout::strided || p.geometry.input_numel() == 0 || p.geometry.output_numel() == 0) return;
  plan->plain_input = plain_array(p, source_shape(p), p.dtype);
  plan->plain_output = plain_array(p, result_shape(p), p.dtype);
  if (p.indices) plan->plain_index = plain_array(p, p.geometry.output_shape(), plan->args.index_dtype);
  plan->has_plain_run = true;
}

bool is_plain_run(const Plan::Impl& plan, const RunArrays& arrays) noexcept {
  if (!plan.has_plain_run || !is_plain(arrays.input, plan.plain_input) || !is_plain(arrays.output, plan.plain_output)) return false;
  const Bytes in = bytes_of(arrays.input, plan.plain_input), out = bytes_of(arrays.output, plan.plain_output);
  if (!out.apart_from(in)) return false;
  if (!plan.problem.indices) return true;
  if (!is_plain(arrays.indices_out, plan.plain_index)) return false;
  const Bytes index = bytes_of(arrays.indices_out, plan.plain_index);
  return index.apart_from(in) && index.apart_from(out);
}

}  // namespace tidepool::detail
