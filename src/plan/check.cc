// Do the arrays of a run match its plan? Everything is looked at before anything is written.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "core/layout.h"
#include "plan/check_indices.h"
#include "plan/overlap.h"
#include "plan/plan_impl.h"

namespace tidepool::detail {
namespace {

struct Names {
  std::string op;
  const char* input;
  const char* output;
};

Names names_of(const Problem& p) {
  const std::string op = function_name(p.op, p.geometry.rank());
  switch (p.pass) {
    case Pass::forward:
      return {op, "input", "out"};
    case Pass::backward:
      return {op + "_backward", "grad", "grad_input"};
    case Pass::double_backward:
      return {op + "_double_backward", "gg", "out"};
    case Pass::double_backward_input:
      return {op + "_double_backward_input", "gg", "out"};
  }
  return {op, "", ""};
}

Status check_array(const std::string& op, const std::string& name, const TensorView& t, const Dims& shape, DType dtype) {
  if (!(t.shape == shape))
    return Error(ErrorCode::shape_mismatch, op + ": " + name + " must have shape " + to_string(shape) + ", got " + to_string(t.shape));
  if (t.dtype != dtype)
    return Error(ErrorCode::dtype_mismatch,
                 op + ": " + name + " must have dtype " + std::string(dtype_name(dtype)) + ", got " + std::string(dtype_name(t.dtype)));
  if (t.numel() == 0) return Ok{};
  if (t.data == nullptr) return Error(ErrorCode::invalid_argument, op + ": " + name + " has no data");
  if (reinterpret_cast<uintptr_t>(t.data) % static_cast<uintptr_t>(dtype_size(dtype)) != 0)
    return Error(ErrorCode::invalid_argument,
                 op + ": " + name + " must be aligned to its element of " + std::to_string(dtype_size(dtype)) + " bytes");
  if (Result<Footprint> footprint = check_layout(op + ": " + name, t); !footprint) return footprint.error();
  return Ok{};
}

// The adjacency a forward kernel relies on.
Status check_adjacent(const std::string& op, const std::string& name, const TensorView& t, const Problem& p) {
  const int c = p.geometry.batched() ? 1 : 0;
  const int dim = p.layout == Layout::channels_last ? c : t.rank() - 1;
  if (p.layout == Layout::strided || t.size(dim) <= 1 || t.stride(dim) == 1) return Ok{};
  return Error(ErrorCode::shape_mismatch, op + ": " + name + " does not have the plan's layout " +
                                              std::string(layout_name(p.layout, p.geometry.rank())) + ": stride " +
                                              std::to_string(t.stride(dim)) + " where 1 is needed");
}

Status check_disjoint(const std::string& op, const std::string& name, const TensorView& out, const std::string& other_name,
                      const TensorView& other) {
  if (!may_overlap(out, other)) return Ok{};
  return Error(ErrorCode::aliasing, op + ": " + name + " overlaps " + other_name);
}

// Rows of starts: dense, as many as there are planes, every window inside its axis.
Status check_starts(const std::string& op, const Plan::Impl& plan, const TensorView& starts) {
  const Geometry& g = plan.problem.geometry;
  Dims shape;
  if (g.batched()) shape.push_back(g.batch());
  shape.push_back(g.channels());
  shape.push_back(plan.args.starts_per_plane);
  if (Status s = check_array(op, "starts", starts, shape, DType::i64); !s) return s;
  if (!is_row_major(starts.shape, starts.strides)) return Error(ErrorCode::invalid_argument, op + ": starts must be contiguous");
  const int64_t* row = starts.data_as<int64_t>();
  for (int64_t plane = 0; plane < g.batch() * g.channels(); ++plane)
    for (int i = 3 - g.rank(); i < 3; ++i)
      for (int64_t o = 0; o < g.axis(i).output(); ++o, ++row)
        if (*row < 0 || *row > g.axis(i).input() - g.axis(i).kernel())
          return Error(ErrorCode::out_of_range, op + ": a window that starts at " + std::to_string(*row) + " leaves the input of " +
                                                    std::to_string(g.axis(i).input()) + " cells (axis " +
                                                    std::string(axis_name(g.rank(), i - (3 - g.rank()))) + ")");
  return Ok{};
}

// One array beside input and output that is read.
Status check_read(const Names& names, const char* name, const TensorView& t, const Dims& shape, DType dtype, const TensorView& output) {
  if (Status s = check_array(names.op, name, t, shape, dtype); !s) return s;
  return check_disjoint(names.op, names.output, output, name, t);
}

}  // namespace

bool needs_starts(const Problem& p) noexcept {
  return p.geometry.width().is_fractional() && (!reads_indices(p) || p.indices == IndexBase::window);
}

Status check_arrays(const Plan::Impl& plan, const RunArrays& arrays, Executor& executor) {
  if (is_plain_run(plan, arrays)) return Ok{};
  const Problem& p = plan.problem;
  const Geometry& g = p.geometry;
  const Names names = names_of(p);
  const TensorView output = arrays.output;
  if (Status s = check_array(names.op, names.input, arrays.input, source_shape(p), p.dtype); !s) return s;
  if (Status s = check_array(names.op, names.output, output, result_shape(p), p.dtype); !s) return s;
  if (p.pass == Pass::forward && p.op != Op::unpool) {
    if (Status s = check_adjacent(names.op, names.input, arrays.input, p); !s) return s;
    if (Status s = check_adjacent(names.op, names.output, output, p); !s) return s;
  }
  if (overlaps_itself(output)) return Error(ErrorCode::aliasing, names.op + ": " + names.output + " overlaps itself");
  if (Status s = check_disjoint(names.op, names.output, output, names.input, arrays.input); !s) return s;
  if (reads_saved(p))
    if (Status s = check_read(names, "x", arrays.saved, g.input_shape(), p.dtype, output); !s) return s;
  if (p.pass == Pass::double_backward_input)
    if (Status s = check_read(names, "grad", arrays.grad, g.output_shape(), p.dtype, output); !s) return s;
  if (needs_starts(p))
    if (Status s = check_starts(names.op, plan, arrays.starts); !s) return s;
  if (!p.indices) return Ok{};

  const TensorView indices = reads_indices(p) ? arrays.indices_in : TensorView(arrays.indices_out);
  if (Status s = check_read(names, "indices", indices, g.output_shape(), plan.args.index_dtype, output); !s) return s;
  if (reads_indices(p)) return check_indices(names.op, p, plan.args, indices, executor);
  if (overlaps_itself(indices)) return Error(ErrorCode::aliasing, names.op + ": indices overlaps itself");
  return check_disjoint(names.op, "indices", indices, names.input, arrays.input);
}

}  // namespace tidepool::detail
