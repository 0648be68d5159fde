#include "plan/plan_impl.h"

namespace tidepool::inline v0_1 {
namespace {

std::string split_text(detail::Split split) {
  switch (split) {
    case detail::Split::rows:
      return "rows of one channel";
    case detail::Split::channel_rows:
      return "rows of all channels";
    case detail::Split::planes:
      return "planes";
    case detail::Split::channel_blocks:
      return "blocks of channels";
    case detail::Split::grouped_rows:
      return "rows of some channels";
  }
  return "";
}

}  // namespace

std::string Plan::explain() const {
  const Impl& p = *impl_;
  const Geometry& g = p.problem.geometry;
  std::string text = to_string(p.problem) + "\n";
  text += "  output   " + to_string(result_shape(p.problem)) + "\n";
  text += "  kernel   " + std::string(kernel()) + " on " + p.target + "\n";
  text += "  scratch  " + std::to_string(p.scratch_per_piece) + " bytes a piece\n";
  text +=
      "  split    " + std::to_string(p.units) + " " + split_text(p.kernel->split) + ", at least " + std::to_string(p.grain) + " a piece\n";
  // Input elements that no window reads. Of interest in the forward pass only.
  const bool reads_windows = p.problem.pass == Pass::forward && p.problem.op != Op::unpool;
  for (int i = 3 - g.rank(); i < 3 && reads_windows; ++i)
    if (const int64_t lost = g.axis(i).dropped(); lost > 0)
      text += "  dropped  the last " + std::to_string(lost) + " of " + std::to_string(g.axis(i).input()) + " along " +
              std::string(axis_name(g.rank(), i - (3 - g.rank()))) + ": no window reaches them\n";
  for (const Refusal& r : p.refusals) text += "  not      " + std::string(r.kernel) + ": " + r.reason + "\n";
  return text;
}

}  // namespace tidepool::inline v0_1
