#include "plan/cost_terms.h"

#include <algorithm>
#include <cmath>

#include "runtime/target_id.h"
#include "tidepool/plan.h"

namespace tidepool::inline v0_1::detail {
namespace {

constexpr double cached_bytes = 1 << 22;  // arrays that are larger together come from memory

double number(int64_t n) noexcept { return static_cast<double>(n); }

// One axis: its sizes, the elements of a window, and how many windows cover an input element. Bins differ in size; these are averages.
struct AxisCounts {
  double input, output, kernel, covering, border;

  explicit AxisCounts(const Axis& x) noexcept
      : input(number(std::max<int64_t>(x.input(), 1))),
        output(number(x.output())),
        kernel(x.is_adaptive() && !x.is_even() ? input / std::max(output, 1.0) + 1 : number(x.kernel())),
        covering(output * kernel / input),
        border(output - number(x.interior().size())) {}
};

// Bytes of a vector.
double vector_bytes(int64_t target) {
  const std::string name = target_name(target);
  return name.starts_with("AVX3") ? 64 : name == "AVX2" || name == "SVE_256" ? 32 : 16;
}

// The instruction set whose coefficients a target uses.
std::string_view cost_target(int64_t target) {
  const double bytes = vector_bytes(target);
  return bytes == 64 ? "AVX3" : bytes == 32 ? "AVX2" : "SSE4";
}

// Integers of more than a byte are divided one by one.
std::string_view dtype_class(Op op, DType dtype) {
  if (dtype == DType::f16 || dtype == DType::bf16) return "half";
  if (dtype_size(dtype) == 1) return "byte";
  return !is_floating(dtype) && (op == Op::avg || op == Op::sum) ? "int" : "wide";
}

std::string_view op_class(Op op) {
  switch (op) {
    case Op::min:
      return op_name(Op::max);
    case Op::sum:
      return op_name(Op::avg);
    default:
      return op_name(op);
  }
}

}  // namespace

CostTerms cost_terms(const Problem& p, const KernelEntry& kernel) {
  const Geometry& g = p.geometry;
  const AxisCounts d(g.depth()), h(g.height()), w(g.width());
  const double lanes = kernel.target == 0 ? 1 : vector_bytes(kernel.target) / number(dtype_size(p.dtype));
  const bool last = p.layout == Layout::channels_last;
  const double channels = number(g.channels()), groups = number(g.batch()) * (last ? 1 : channels);
  const double adjacent = last ? channels : 1;
  // Vectors of a row. Channels of neighbouring windows that are one column apart follow each other.
  const auto vectors = [&](double width, bool merged) {
    if (!last) return std::ceil(width / lanes);
    return merged ? std::ceil(width * channels / lanes) : width * std::ceil(channels / lanes);
  };
  const double out_rows = groups * d.output * h.output, in_rows = groups * d.input * h.input;
  const double out_vectors = out_rows * vectors(w.output, g.width().stride() == 1), in_vectors = in_rows * vectors(w.input, false);
  const double rows = d.kernel * h.kernel, taps = rows * w.kernel;
  const double outputs = out_rows * w.output * adjacent, inputs = in_rows * w.input * adjacent;
  // Outputs, and elements of the input, that vectors do not reach: clipped windows of a row, or all of a row that is shorter than the
  // smallest vector, or whose windows are too far apart for shuffles.
  const double shortest = 16 / number(dtype_size(p.dtype));
  const bool far_apart = g.width().stride() > 4 || (g.width().stride() > 2 && g.width().dilation() != 1) || !g.width().is_even();
  const bool scalar_outputs = last ? channels < shortest : w.output - w.border < shortest || far_apart;
  // Averages list the windows over the cells of a row where these change from cell to cell, once for rows that the same windows cover.
  const bool adds = p.op == Op::avg || p.op == Op::sum;
  const bool lists = !g.width().is_even() || (g.width().dilation() != 1 && g.width().stride() != 1);
  const double scalar_inputs = adds                                                             ? lists ? out_rows * w.input * adjacent : 0
                               : (last ? channels < shortest : w.input < shortest || far_apart) ? inputs
                                                                                                : 0;
  const double unreached = scalar_outputs ? outputs : last ? 0 : out_rows * w.border;
  // Planes that share vectors, a lane each: lanes without a plane take as long.
  const double blocks = std::ceil(number(g.batch()) * channels / lanes), plane_inputs = d.input * h.input * w.input,
               plane_outputs = d.output * h.output * w.output;
  const double bytes = (inputs + outputs) * number(dtype_size(p.dtype)) + (p.indices ? outputs : 0);
  return {1,
          groups,
          out_rows,
          in_rows,
          out_rows * rows,
          out_vectors,
          in_vectors,
          out_vectors * rows,
          out_vectors * taps,
          unreached * taps,
          in_vectors * (std::log2(w.kernel) + std::log2(h.kernel) + std::log2(d.kernel)),
          outputs,
          inputs,
          outputs * taps,
          in_vectors * d.covering * h.covering,
          in_vectors * d.covering * h.covering * w.covering,
          scalar_inputs,
          scalar_inputs * (adds ? w.covering : d.covering * h.covering * w.covering),
          std::max(0.0, bytes - cached_bytes),
          std::max(0.0, bytes - 8 * cached_bytes),
          out_vectors * w.kernel,
          blocks * plane_inputs,
          blocks * plane_outputs * taps};
}

std::string cost_key(const Problem& p, const KernelEntry& kernel, int64_t target) {
  std::string key(cost_target(target));
  // Averages of gradients are averages.
  const bool averages = p.pass == Pass::double_backward && op_class(p.op) == op_name(Op::avg);
  for (std::string_view word : {op_class(p.op), pass_name(averages ? Pass::forward : p.pass), kernel.name, dtype_class(p.op, p.dtype)})
    key.append(" ").append(word);
  // Kernels for any layout take longer where columns are not adjacent.
  if (p.layout != Layout::channels_first) key.append(" ").append(layout_name(p.layout, 2));
  if (p.indices) key += *p.indices == IndexBase::window ? " idx" : " idx=plane";
  return key;
}

CostInputs cost_inputs(const Problem& problem, std::string_view kernel) {
  const int64_t target = current_target_id();
  for (const KernelEntry* e : kernels_for(problem, target)) {
    if (e->name != kernel || !e->fits(problem).ok()) continue;
    const CostTerms terms = cost_terms(problem, *e);
    return {cost_key(problem, *e, target), {terms.begin(), terms.end()}};
  }
  return {};
}

}  // namespace tidepool::inline v0_1::detail
