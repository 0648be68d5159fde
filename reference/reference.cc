#include "reference/reference.h"

#include "reference/ops.h"

namespace tidepool::reference {

Expected compute(const Problem& problem, const RunArrays& arrays) {
  switch (problem.op) {
    case Op::avg:
    case Op::sum:
      return avg_pool(problem, arrays.input);
    case Op::lp:
      return lp_pool(problem, arrays);
    default:
      return problem.op == Op::unpool || problem.pass != Pass::forward ? indexed(problem, arrays) : max_pool(problem, arrays);
  }
}

}  // namespace tidepool::reference
