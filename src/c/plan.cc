#include <cstring>

#include "c/guard.h"
#include "c/options.h"
#include "c/plan_handle.h"
#include "plan/plan_impl.h"
#include "tidepool/executor.h"
#include "tidepool/runtime.h"

using namespace tidepool;

namespace {

tp_plan* handle_of(const Problem& problem) {
  const Plan plan = make_plan(problem);
  std::string kernel(plan.kernel()), target(plan.target()), text = to_string(plan.problem());
  return new tp_plan{plan, std::move(kernel), std::move(target), std::move(text)};
}

Dims starts_shape(const Geometry& g) {
  Dims shape;
  if (g.batched()) shape.push_back(g.batch());
  shape.push_back(g.channels());
  int64_t row = 0;
  for (int i = 3 - g.rank(); i < 3; ++i) row += g.axis(i).output();
  shape.push_back(row);
  return shape;
}

// Returns false when runs of this problem have no such array. The role is a number, because a C caller may pass any value.
bool describe(const Problem& p, int32_t role, Dims* shape, DType* dtype) {
  const Geometry& g = p.geometry;
  *dtype = p.dtype;
  switch (role) {
    case TP_ROLE_INPUT:
      return *shape = source_shape(p), true;
    case TP_ROLE_OUTPUT:
      return *shape = result_shape(p), true;
    case TP_ROLE_INDICES_OUT:
    case TP_ROLE_INDICES_IN:
      if (!p.indices || reads_indices(p) != (role == TP_ROLE_INDICES_IN)) return false;
      *dtype = index_dtype(*p.indices, g, p.nan);
      return *shape = g.output_shape(), true;
    case TP_ROLE_SAVED:
      return *shape = g.input_shape(), reads_saved(p);
    case TP_ROLE_GRAD:
      return *shape = g.output_shape(), p.pass == Pass::double_backward_input;
    case TP_ROLE_STARTS:
      *dtype = DType::i64;
      return *shape = starts_shape(g), detail::needs_starts(p);
    default:
      throw Error(ErrorCode::invalid_argument, "tp_plan_describe: role must be one of its named values, got " + std::to_string(role));
  }
}

}  // namespace

tp_status tp_plan_create(const tp_options* options, tp_plan** plan) {
  if (plan != nullptr) *plan = nullptr;
  return c::guarded([&] {
    if (options == nullptr) throw c::null_argument("tp_plan_create", "options");
    if (plan == nullptr) throw c::null_argument("tp_plan_create", "plan");
    *plan = handle_of(c::problem_of(*options));
  });
}

tp_status tp_plan_parse(const char* problem, tp_plan** plan) {
  if (plan != nullptr) *plan = nullptr;
  return c::guarded([&] {
    if (problem == nullptr) throw c::null_argument("tp_plan_parse", "problem");
    if (plan == nullptr) throw c::null_argument("tp_plan_parse", "plan");
    *plan = handle_of(parse(problem));
  });
}

void tp_plan_free(tp_plan* plan) { delete plan; }

tp_status tp_plan_describe(const tp_plan* plan, tp_role role, tp_array* array) {
  return c::guarded([&] {
    if (plan == nullptr) throw c::null_argument("tp_plan_describe", "plan");
    if (array == nullptr) throw c::null_argument("tp_plan_describe", "array");
    *array = tp_array{};
    Dims shape;
    DType dtype{};
    int32_t number;  // reading an unknown value as the enumeration would be undefined in C++
    static_assert(sizeof number == sizeof role);
    std::memcpy(&number, &role, sizeof number);
    if (!describe(plan->plan.problem(), number, &shape, &dtype)) {
      array->rank = -1;
      return;
    }
    *array = tp_dense(nullptr, static_cast<tp_dtype>(dtype), shape.rank, shape.values.data());
  });
}

const char* tp_plan_kernel(const tp_plan* plan) { return plan == nullptr ? "" : plan->kernel.c_str(); }
const char* tp_plan_target(const tp_plan* plan) { return plan == nullptr ? "" : plan->target.c_str(); }
const char* tp_plan_problem(const tp_plan* plan) { return plan == nullptr ? "" : plan->problem.c_str(); }

void tp_version(int32_t* major, int32_t* minor, int32_t* patch) {
  const Version v = version();
  if (major != nullptr) *major = v.major;
  if (minor != nullptr) *minor = v.minor;
  if (patch != nullptr) *patch = v.patch;
}

tp_status tp_set_num_threads(int32_t threads) {
  return c::guarded([&] { set_num_threads(threads); });
}

int32_t tp_num_threads(void) {
  int32_t threads = 1;
  return c::guarded([&] { threads = num_threads(); }) == TP_OK ? threads : 1;
}
