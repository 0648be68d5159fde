// Pools before main, in main, after it and while threads end, through functions, gradients, plans and the C functions.
#include <cstdio>

#include "every_moment.h"
#include "tidepool/c.h"
#include "tidepool/tidepool.h"

namespace tp = tidepool;

namespace {

void check_functions(const char* when) {
  // The kernel of these windows needs scratch memory.
  tp::Tensor x = tp::arange({1, 2, 48, 48});
  check(tp::max_pool2d(x, {.kernel_size = 15, .stride = 1, .padding = 7}).item({0, 1, 47, 47}) == 2 * 48 * 48 - 1, "max_pool2d", when);
  check(tp::global_avg_pool2d(tp::ones({1, 3, 5, 5})).item({0, 2, 0, 0}) == 1, "global_avg_pool2d", when);
  // Large enough for several threads.
  check(tp::avg_pool2d(tp::ones({4, 16, 128, 128}), 2).item({3, 15, 63, 63}) == 1, "avg_pool2d", when);
  bool refused = false;
  try {
    tp::max_pool2d(x, 0);
  } catch (const tp::Error&) {
    refused = true;
  }
  check(refused, "an error", when);
}

void check_gradients(const char* when) {
  tp::Tensor x = tp::arange({1, 1, 4, 4}).set_requires_grad();
  tp::sum(tp::max_pool2d(x, 2) * 3.0).backward();
  check(x.grad().item({0, 0, 3, 3}) == 3 && x.grad().item({0, 0, 0, 0}) == 0, "backward", when);
  const tp::Saved kept(x);
  x.mark_changed();
  std::string message;
  try {
    (void)kept.get();
  } catch (const tp::Error& e) {
    message = e.what();
  }
  check(message.find("autograd backward:") == 0, "a message of autograd", when);
}

void check_plans(const char* when) {
  const tp::Plan plan = tp::make_plan(tp::parse("max2d fwd f32 nchw 1x2x48x48 k15 s1 p7"));
  const tp::Tensor x = tp::arange({1, 2, 48, 48});
  tp::Tensor y({1, 2, 48, 48});
  plan.run(x, y.span(), tp::serial_executor());
  check(y.item({0, 1, 47, 47}) == 2 * 48 * 48 - 1, "a plan", when);
  const tp::ScopedTarget scope(tp::targets().back().name);
  check(tp::make_plan(plan.problem()).target() == tp::targets().back().name, "a target", when);
}

void check_c(const char* when) {
  tp_plan* plan = nullptr;
  check(tp_plan_parse("max2d fwd f32 nchw 1x1x4x4 k2", &plan) == TP_OK, "tp_plan_parse", when);
  float in[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, out[4] = {};
  const int64_t in_shape[4] = {1, 1, 4, 4}, out_shape[4] = {1, 1, 2, 2};
  tp_arrays arrays = {};
  arrays.input = tp_dense(in, TP_F32, 4, in_shape);
  arrays.output = tp_dense(out, TP_F32, 4, out_shape);
  check(tp_plan_run(plan, &arrays, nullptr) == TP_OK && out[3] == 15, "tp_plan_run", when);
  tp_plan_free(plan);
  check(tp_plan_parse("nonsense", &plan) != TP_OK && tp_last_error()[0] != '\0', "tp_last_error", when);
}

void check_all(const char* when) {
  check_functions(when);
  check_gradients(when);
  check_plans(when);
  check_c(when);
  std::fprintf(stderr, "right %s\n", when);
}

}  // namespace

int main() { return run_at_every_moment(); }
