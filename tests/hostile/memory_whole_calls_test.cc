// Every allocation of whole uses of pooling, autograd and the C functions fails in turn.
#include <gtest/gtest.h>

#include <functional>
#include <new>

#include "hostile/whole_uses.h"
#include "tidepool/c.h"
#include "tidepool/tidepool.h"

namespace tidepool::test {
namespace {

// The windows of this size need scratch memory.
const MaxPoolOptions<2> large_windows{.kernel_size = 15, .stride = 1, .padding = 7};

void second_derivative(const std::function<Tensor(const Tensor&)>& f) {
  Tensor x = rand({1, 2, 8, 8}, 1).set_requires_grad();
  const Tensor y = f(x);
  const Tensor first = grad(sum(y * y), {x}, {.create_graph = true})[0];
  sum(first * first).backward();
}

void require(tp_status status) {
  if (status == TP_OUT_OF_MEMORY) throw std::bad_alloc();
  if (status != TP_OK) throw std::runtime_error(tp_last_error());
}

void run_c_plan() {
  struct Handle {
    tp_plan* plan = nullptr;
    ~Handle() { tp_plan_free(plan); }
  } handle;
  require(tp_plan_parse("max2d fwd f32 nchw 1x2x48x48 k15 s1 p7", &handle.plan));
  const int64_t shape[4] = {1, 2, 48, 48};
  static float x[2 * 48 * 48], y[2 * 48 * 48];
  tp_arrays arrays{};
  arrays.input = tp_dense(x, TP_F32, 4, shape);
  arrays.output = tp_dense(y, TP_F32, 4, shape);
  require(tp_plan_run(handle.plan, &arrays, nullptr));
}

const std::vector<Use> uses = {
    {"max_pool2d", [] { max_pool2d(rand({1, 2, 48, 48}, 1), large_windows); }},
    {"max_pool2d backward", [] { second_derivative([](const Tensor& x) { return max_pool2d(x, 2); }); }},
    {"min_pool2d backward", [] { second_derivative([](const Tensor& x) { return min_pool2d(x, 3); }); }},
    {"avg_pool2d backward", [] { second_derivative([](const Tensor& x) { return avg_pool2d(x * x, 3); }); }},
    {"sum_pool2d backward", [] { second_derivative([](const Tensor& x) { return sum_pool2d(x * x, 3); }); }},
    {"lp_pool2d backward", [] { second_derivative([](const Tensor& x) { return lp_pool2d(x, {.norm_type = 3, .kernel_size = 2}); }); }},
    {"adaptive backward", [] { second_derivative([](const Tensor& x) { return adaptive_avg_pool2d(adaptive_max_pool2d(x, 5), 2); }); }},
    {"global backward", [] { second_derivative([](const Tensor& x) { return global_avg_pool2d(x * x) + global_max_pool2d(x); }); }},
    {"fractional backward",
     [] { second_derivative([](const Tensor& x) { return fractional_max_pool2d(x, {.kernel_size = 2, .output_size = 3, .seed = 1}); }); }},
    {"unpool backward",
     [] {
       second_derivative([](const Tensor& x) {
         const Pooled pooled = max_pool2d_with_indices(x, 2);
         return max_unpool2d(pooled.values, pooled.indices, 2);
       });
     }},
    {"functions", [] { second_derivative([](const Tensor& x) { return concat({softmax(x, 1), gelu(x) / (exp(x) + 1.0)}, 1); }); }},
    {"views", [] { second_derivative([](const Tensor& x) { return x.transpose(2, 3).slice(2, 1, 5)[0] * reshape(x, {2, 64})[0][3]; }); }},
    {"losses", [] { second_derivative([](const Tensor& x) { return cross_entropy(flatten(x), Tensor::from<int64_t>({1}, {3})); }); }},
    {"a plan",
     [] {
       const Plan plan = make_plan(parse("max2d fwd f32 nchw 1x2x48x48 k15 s1 p7"));
       const Tensor x = rand({1, 2, 48, 48}, 1);
       Tensor y({1, 2, 48, 48});
       plan.run(x, y.span(), serial_executor());
       (void)plan.explain();
     }},
    {"a problem", [] { (void)to_string(parse("avg3d bwd f16 ndhwc 1x2x4x5x6 k2x3x2 s1x2x1 p1x1x0")); }},
    {"printing", [] { (void)to_string(rand({2, 3, 4}, 1)); }},
    {"a target", [] { const ScopedTarget scope(current_target()); }},
    {"the C functions", run_c_plan},
};

TEST(HostileMemoryOfWholeUses, EveryAllocationMayFail) {
  set_num_threads(1);
  EXPECT_GT(fail_every_allocation(uses), 1000);
}

}  // namespace
}  // namespace tidepool::test
