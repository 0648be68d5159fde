#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <vector>

#include "app.h"
#include "shape_notes.h"
#include "tidepool/plan.h"
#include "tidepool/runtime.h"
#include "words.h"

namespace tidepool::cli {

namespace {

struct PlanArgs {
  std::string problem, target, kernel;
  bool json = false;
};

nlohmann::json json_of(const Plan& plan) {
  const Problem& problem = plan.problem();
  const Geometry& g = problem.geometry;
  // The geometry of unpooling is that of the pooling that it reverses: input and output are swapped. Elements that the pooling did not read
  // are zeros in the result, so there is nothing to note.
  const bool unpools = problem.op == Op::unpool;
  nlohmann::json refusals = nlohmann::json::array();
  for (const Refusal& refusal : plan.refusals()) refusals.push_back({{"kernel", refusal.kernel}, {"reason", refusal.reason}});
  return {{"problem", to_string(problem)},
          {"function", function_name(problem.op, g.rank())},
          {"input_shape", sizes_of(unpools ? g.output_shape() : g.input_shape())},
          {"output_shape", sizes_of(unpools ? g.input_shape() : g.output_shape())},
          {"dropped", unpools ? "" : dropped_note(g)},
          {"kernel", plan.kernel()},
          {"target", plan.target()},
          {"kernels", kernel_names(problem)},
          {"refusals", refusals},
          {"scratch_bytes", plan.scratch_bytes(default_executor().concurrency())},
          {"explanation", plan.explain()}};
}

int explain(const PlanArgs& args, Console& console) {
  const ScopedTarget scope(args.target);
  const Plan plan = make_plan(parse(args.problem), args.kernel);
  if (args.json) {
    console.out << json_of(plan).dump(2) << "\n";
    return exit_ok;
  }
  console.out << plan.explain();
  return exit_ok;
}

}  // namespace

void add_plan(CLI::App& app, Action& chosen) {
  auto args = std::make_shared<PlanArgs>();
  CLI::App* verb = app.add_subcommand("plan", "show which kernel runs a problem, and why not the others");
  verb->add_option("problem", args->problem, "the problem as one line of text, see below")->required();
  verb->add_option("--kernel", args->kernel, "force a kernel by name")->type_name("NAME");
  verb->add_option("--target", args->target, "instruction set, as `tidepool list` names it [best]")->type_name("NAME");
  verb->add_flag("--json", args->json, "answer in JSON");
  verb->footer(
      "A problem is: op and rank, pass (fwd, bwd, bwd2, for lp also bwd2x), dtype, layout, shape,\n"
      "then options: k kernel size, s stride, p padding, d dilation, ceil, same, idx=plane, …\n"
      "Adaptive pooling is out=7, global pooling is out=1, fractional pooling is k2 out=7.\n\n"
      "Examples:\n"
      "  tidepool plan \"max2d fwd f32 nchw 2x64x112x112 k3 s2 p1\"\n"
      "  tidepool plan \"min1d fwd i16 ncl 3x8x100 k5 s2 p0:1 ceil idx=window\"\n"
      "  tidepool plan \"max2d fwd f32 nhwc 1x64x56x56 k3x2 same\" --target SCALAR\n"
      "  tidepool plan \"avg2d fwd f32 nchw 1x512x14x14 out=7\"\n"
      "  tidepool plan \"unpool2d fwd f32 nchw 1x64x28x28 k2 idx=plane\"");
  verb->callback([args, &chosen] { chosen = [args](Console& console) { return explain(*args, console); }; });
}

}  // namespace tidepool::cli
