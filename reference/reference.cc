#include "reference/reference.h"

#include "reference/ops.h"

namespace tidepool::reference {

Expected compute(const Problem& problem, const RunArrays& arrays, std::atomic<int64_t>* done) {
  switch (problem.op) {
    case Op::avg:
    case Op::sum:
      return avg_pool(problem, arrays.input, done);
    case Op::lp:
      return lp_pool(problem, arrays, done);
    default:
      return problem.op == Op::unpool || problem.pass != Pass::forward ? indexed(problem, arrays, done) : max_pool(problem, arrays, done);
  }
}

}  // namespace tidepool::reference
