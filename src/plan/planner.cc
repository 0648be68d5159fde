// Makes a plan: chooses the cheapest kernel that fits the problem, and records why the others were not chosen.
#include <algorithm>
#include <cstdio>

#include "kernels/reduce/mirror.h"
#include "plan/costs.h"
#include "plan/plan_impl.h"
#include "runtime/target_id.h"

namespace tidepool::inline v0_1 {
namespace {

using detail::AxisTable;
using detail::CallerName;
using detail::KernelEntry;

// The least memory that a piece reads and writes. For less, another thread costs more time than it saves: waking it takes 2 us when calls
// follow each other, and channels-last maxima of 2x2 took 3.6 us with one thread and 3.8 with two where both arrays have 330 KB together,
// but 8.3 and 6.8 where they have 740 KB.
constexpr int64_t bytes_per_piece = 192 * 1024;

std::string microseconds(double nanoseconds) {
  char text[48];
  std::snprintf(text, sizeof text, "%.1f us", nanoseconds / 1000);
  return text;
}

Error no_kernel(const CallerName& caller, const Problem& p, std::string_view kernel, const std::vector<Refusal>& refusals) {
  const bool gradient = p.pass != Pass::forward && !is_floating(p.dtype);
  if (gradient) return caller.error(ErrorCode::dtype_mismatch, "gradients need a floating dtype, got " + std::string(dtype_name(p.dtype)));
  std::string text = "no kernel";
  if (!kernel.empty()) text += " \"" + std::string(kernel) + "\"";
  text += " for " + to_string(p);
  for (const Refusal& r : refusals)
    if (kernel.empty() || r.kernel == kernel) text += "; " + std::string(r.kernel) + ": " + r.reason;
  return caller.error(ErrorCode::unsupported, text);
}

// An array of one channel is in both layouts, if its columns are adjacent. Then kernels for adjacent columns serve better than those for
// adjacent channels.
Problem as_columns(Problem p) noexcept {
  if (p.layout == Layout::channels_last && p.geometry.channels() == 1) p.layout = Layout::channels_first;
  return p;
}

// Returns the cheapest kernel that fits, or null, and adds the reason against every other one to *refusals. Changes *problem to the layout
// for which the kernel fits.
const KernelEntry* choose(Problem* problem, std::string_view forced, int64_t target, std::vector<Refusal>* refusals) {
  const Problem p = *problem, columns = as_columns(p);
  const KernelEntry* best = nullptr;
  double best_cost = 0;
  std::vector<std::pair<const KernelEntry*, double>> fitting;
  for (const KernelEntry* e : detail::kernels_for(p, target)) {
    const bool fits_columns = e->fits(columns).ok();
    if (const detail::Fit fit = fits_columns ? detail::Fit() : e->fits(p); !fit.ok()) {
      refusals->push_back({e->name, fit.refusal});
    } else if (!forced.empty() && e->name != forced) {
      refusals->push_back({e->name, "another was forced"});
    } else if (forced.empty() && !fits_columns) {
      refusals->push_back({e->name, "fits, but one channel is pooled as columns"});
    } else {
      const double cost = detail::estimated_time(fits_columns ? columns : p, *e, target);
      fitting.emplace_back(e, cost);
      if (best == nullptr || cost < best_cost) best = e, best_cost = cost, problem->layout = fits_columns ? columns.layout : p.layout;
    }
  }
  for (const auto& [e, cost] : fitting)
    if (e != best)
      refusals->push_back({e->name, "fits, but takes " + microseconds(cost) + " by estimate, against " + microseconds(best_cost)});
  return best;
}

AxisTable table_of(const Axis& axis) noexcept {
  return {.axis = &axis,
          .input = axis.input(),
          .output = axis.output(),
          .kernel = axis.kernel(),
          .stride = axis.stride(),
          .dilation = axis.dilation(),
          .pad_before = axis.pad_before(),
          .regular = axis.is_even(),
          .interior = axis.interior()};
}

void fill_args(Plan::Impl* plan) {
  const Geometry& g = plan->problem.geometry;
  plan->args.depth = table_of(g.depth());
  plan->args.height = table_of(g.height());
  plan->args.width = table_of(g.width());
  for (AxisTable* table : {&plan->args.depth, &plan->args.height, &plan->args.width}) {
    if (!table->axis->is_fractional()) continue;
    table->starts_at = plan->args.starts_per_plane;
    plan->args.starts_per_plane += table->output;
  }
  plan->args.op = plan->problem.op;
  plan->args.dtype = plan->problem.dtype;
  plan->args.mirror = detail::mirror_bits(plan->problem.op, plan->problem.dtype);
  plan->args.batch = g.batch();
  plan->args.channels = g.channels();
  plan->args.layout = plan->problem.layout;
  plan->args.small_steps = detail::has_small_steps(g);
  plan->args.nan = plan->problem.nan;
  plan->args.reduction = plan->problem.reduction;
  if (!plan->problem.indices) return;
  plan->args.index_base = *plan->problem.indices;
  plan->args.index_dtype = index_dtype(*plan->problem.indices, g, plan->problem.nan);
  // 255 means "no index", unless windows have 256 taps: then 255 is a tap, and empty windows are known from the geometry alone.
  if (plan->args.index_dtype == DType::u8) plan->args.no_index = g.window_taps() > 255 ? INT64_MIN : 255;
  // Only kernels that keep tap numbers in vector lanes use this table, and they do not fit larger windows.
  if (reads_indices(plan->problem) || g.window_taps() > 4096 || !plan->args.small_steps) return;
  for (int64_t td = 0; td < g.depth().kernel(); ++td)
    for (int64_t th = 0; th < g.height().kernel(); ++th)
      for (int64_t tw = 0; tw < g.width().kernel(); ++tw)
        // Unsigned arithmetic, because this may overflow for shapes that are too large to exist; no array can match such a plan.
        plan->tap_offsets.push_back(
            static_cast<int64_t>((static_cast<uint64_t>(td * g.depth().dilation()) * static_cast<uint64_t>(g.height().input()) +
                                  static_cast<uint64_t>(th * g.height().dilation())) *
                                     static_cast<uint64_t>(g.width().input()) +
                                 static_cast<uint64_t>(tw * g.width().dilation())));
  plan->args.tap_offsets = plan->tap_offsets.data();
}

}  // namespace

Result<Plan> detail::try_make_plan_for(const CallerName& caller, const Problem& problem, std::string_view kernel, int64_t target) {
  auto plan = std::make_shared<Plan::Impl>();
  plan->problem = problem;
  if (reads_indices(problem) && !problem.indices) plan->problem.indices = IndexBase::plane;
  Problem p = plan->problem;
  plan->kernel = choose(&p, kernel, target, &plan->refusals);
  if (plan->kernel == nullptr) return no_kernel(caller, plan->problem, kernel, plan->refusals);
  if (p.layout != problem.layout && relies_on_layout(problem)) {
    Problem any = problem;
    any.layout = Layout::strided;
    plan->any_columns = try_make_plan_for(caller, any, {}, target).value();
  }
  plan->target = detail::target_name(plan->kernel->target == 0 ? target : plan->kernel->target);
  plan->scratch_per_piece = (plan->kernel->scratch_bytes(p) + 63) / 64 * 64;
  plan->units = detail::split_units(plan->kernel->split, p);
  const Geometry& g = p.geometry;
  // In elements: the bytes of both arrays together could overflow.
  const int64_t unit_elements = (g.input_numel() + g.output_numel()) / std::max<int64_t>(plan->units, 1) + 1;
  plan->grain = std::max({plan->kernel->grain(p), bytes_per_piece / dtype_size(p.dtype) / unit_elements, int64_t{1}});
  plan->may_group_channels = g.batch() == 1 && p.layout == Layout::channels_last && plan->kernel->split == detail::Split::channel_rows &&
                             plan->grain == 1 && unit_elements >= 2 * bytes_per_piece / dtype_size(p.dtype);
  fill_args(plan.get());
  plan->args.layout = p.layout;
  detail::prepare_fast_path(plan.get());
  return Plan(std::move(plan));
}

Result<Plan> try_make_plan(const Problem& problem, std::string_view kernel) {
  return detail::try_make_plan_for(CallerName(problem), problem, kernel, detail::current_target_id());
}

Result<Plan> try_make_plan(const Problem& problem, const PlanOptions& options) {
  try {
    const int64_t target = detail::target_id("make_plan", options.target);
    return detail::try_make_plan_for(CallerName(problem), problem, options.kernel, target != 0 ? target : detail::current_target_id());
  } catch (const Error& e) {
    return e;
  }
}

Plan make_plan(const Problem& problem, std::string_view kernel) { return try_make_plan(problem, kernel).value(); }
Plan make_plan(const Problem& problem, const PlanOptions& options) { return try_make_plan(problem, options).value(); }

std::vector<std::string_view> kernel_names(const Problem& problem) {
  std::vector<std::string_view> names;
  for (const KernelEntry* e : detail::kernels_for(problem, detail::current_target_id())) names.push_back(e->name);
  return names;
}

}  // namespace tidepool::inline v0_1
