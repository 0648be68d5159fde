// Checks the arrays of a run against its plan, before anything is written.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "core/layout.h"
#include "plan/check_indices.h"
#include "plan/overlap.h"
#include "plan/plan_impl.h"

namespace tidepool::inline v0_1::detail {
namespace {

// The names of the two arrays in messages: the parameters of the functions that compute this pass.
struct ArrayNames {
  const char* input;
  const char* output;
};

ArrayNames array_names(Pass pass) noexcept {
  switch (pass) {
    case Pass::forward:
      return {"input", "out"};
    case Pass::backward:
      return {"grad", "grad_input"};
    case Pass::double_backward:
    case Pass::double_backward_input:
      return {"gg", "out"};
  }
  return {"", ""};
}

Status check_array(const CallerName& caller, const std::string& name, const TensorView& t, const Dims& shape, DType dtype) {
  if (!(t.shape == shape))
    return caller.error(ErrorCode::shape_mismatch, name + " must have shape " + to_string(shape) + ", got " + to_string(t.shape));
  if (t.dtype != dtype)
    return caller.error(ErrorCode::dtype_mismatch,
                        name + " must have dtype " + std::string(dtype_name(dtype)) + ", got " + std::string(dtype_name(t.dtype)));
  if (t.numel() == 0) return Ok{};
  if (t.data == nullptr) return caller.error(ErrorCode::invalid_argument, name + " has no data");
  if (reinterpret_cast<uintptr_t>(t.data) % static_cast<uintptr_t>(dtype_size(dtype)) != 0)
    return caller.error(ErrorCode::invalid_argument,
                        name + " must be aligned to its element of " + std::to_string(dtype_size(dtype)) + " bytes");
  // Checked again with the name for the message: without an error no text is built.
  if (!check_layout("", t)) return check_layout(caller.text() + ": " + name, t).error();
  return Ok{};
}

Status check_adjacent(const CallerName& caller, const std::string& name, const TensorView& t, const Problem& p) {
  const int c = p.geometry.batched() ? 1 : 0;
  const int dim = p.layout == Layout::channels_last ? c : t.rank() - 1;
  if (p.layout == Layout::strided || t.size(dim) <= 1 || t.stride(dim) == 1) return Ok{};
  return caller.error(ErrorCode::shape_mismatch, name + " does not have the plan's layout " +
                                                     std::string(layout_name(p.layout, p.geometry.rank())) + ": stride " +
                                                     std::to_string(t.stride(dim)) + " where 1 is needed");
}

Status check_disjoint(const CallerName& caller, const std::string& name, const TensorView& out, const std::string& other_name,
                      const TensorView& other) {
  if (!may_overlap(out, other)) return Ok{};
  return caller.error(ErrorCode::aliasing, name + " overlaps " + other_name);
}

// Starts must be contiguous, one row per plane, and every window must lie inside its axis.
Status check_starts(const CallerName& caller, const Plan::Impl& plan, const TensorView& starts) {
  const Geometry& g = plan.problem.geometry;
  Dims shape;
  if (g.batched()) shape.push_back(g.batch());
  shape.push_back(g.channels());
  shape.push_back(plan.args.starts_per_plane);
  if (Status s = check_array(caller, "starts", starts, shape, DType::i64); !s) return s;
  if (!is_row_major(starts.shape, starts.strides)) return caller.error(ErrorCode::invalid_argument, "starts must be contiguous");
  const int64_t* row = starts.data_as<int64_t>();
  for (int64_t plane = 0; plane < g.batch() * g.channels(); ++plane)
    for (int i = 3 - g.rank(); i < 3; ++i)
      for (int64_t o = 0; o < g.axis(i).output(); ++o, ++row)
        if (*row < 0 || *row > g.axis(i).input() - g.axis(i).kernel())
          return caller.error(ErrorCode::out_of_range, "a window that starts at " + std::to_string(*row) + " leaves the input of " +
                                                           std::to_string(g.axis(i).input()) + " cells (axis " +
                                                           std::string(axis_name(g.rank(), i - (3 - g.rank()))) + ")");
  return Ok{};
}

// Checks an array other than input and output that is read.
Status check_read(const CallerName& caller, const ArrayNames& names, const char* name, const TensorView& t, const Dims& shape, DType dtype,
                  const TensorView& output) {
  if (Status s = check_array(caller, name, t, shape, dtype); !s) return s;
  return check_disjoint(caller, names.output, output, name, t);
}

}  // namespace

// Poolings rely on adjacent columns or channels. The double backward pass of averages and sums is the same pooling, by the same kernels;
// the kernels of other passes look at the strides themselves.
bool relies_on_layout(const Problem& p) noexcept {
  if (p.pass == Pass::double_backward) return p.op == Op::avg || p.op == Op::sum;
  return p.pass == Pass::forward && p.op != Op::unpool;
}

bool needs_any_columns(const Plan::Impl& plan, const RunArrays& arrays) noexcept {
  if (!plan.any_columns || !relies_on_layout(plan.problem)) return false;
  const auto adjacent = [](const auto& t) { return t.size(t.rank() - 1) <= 1 || t.stride(t.rank() - 1) == 1; };
  return !adjacent(arrays.input) || !adjacent(arrays.output);
}

bool needs_starts(const Problem& p) noexcept {
  return p.geometry.width().is_fractional() && (!reads_indices(p) || p.indices == IndexBase::window);
}

Status check_arrays(const CallerName& caller, const Plan::Impl& plan, const RunArrays& arrays, Executor& executor) {
  if (matches_fast_path(plan, arrays.input, arrays.output, &arrays.indices_out)) return Ok{};
  const Problem& p = plan.problem;
  const Geometry& g = p.geometry;
  const ArrayNames names = array_names(p.pass);
  const TensorView output = arrays.output;
  if (Status s = check_array(caller, names.input, arrays.input, source_shape(p), p.dtype); !s) return s;
  if (Status s = check_array(caller, names.output, output, result_shape(p), p.dtype); !s) return s;
  if (relies_on_layout(p)) {
    if (Status s = check_adjacent(caller, names.input, arrays.input, p); !s) return s;
    if (Status s = check_adjacent(caller, names.output, output, p); !s) return s;
  }
  if (overlaps_itself(output)) return caller.error(ErrorCode::aliasing, std::string(names.output) + " overlaps itself");
  if (Status s = check_disjoint(caller, names.output, output, names.input, arrays.input); !s) return s;
  if (reads_saved(p))
    if (Status s = check_read(caller, names, "x", arrays.saved, g.input_shape(), p.dtype, output); !s) return s;
  if (p.pass == Pass::double_backward_input)
    if (Status s = check_read(caller, names, "grad", arrays.grad, g.output_shape(), p.dtype, output); !s) return s;
  if (needs_starts(p)) {  // kernels read them while they write
    if (Status s = check_starts(caller, plan, arrays.starts); !s) return s;
    if (Status s = check_disjoint(caller, names.output, output, "starts", arrays.starts); !s) return s;
  }
  if (!p.indices) return Ok{};

  const TensorView indices = reads_indices(p) ? arrays.indices_in : TensorView(arrays.indices_out);
  if (Status s = check_read(caller, names, "indices", indices, g.output_shape(), plan.args.index_dtype, output); !s) return s;
  if (reads_indices(p)) return check_indices(caller, p, plan.args, indices, executor);
  if (overlaps_itself(indices)) return caller.error(ErrorCode::aliasing, "indices overlaps itself");
  if (needs_starts(p))
    if (Status s = check_disjoint(caller, "indices", indices, "starts", arrays.starts); !s) return s;
  return check_disjoint(caller, "indices", indices, names.input, arrays.input);
}

}  // namespace tidepool::inline v0_1::detail
