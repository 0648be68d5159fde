#include <stdio.h>
#include <tidepool/c.h>

int main(void) {
  const int64_t in_shape[4] = {1, 1, 4, 4}, out_shape[4] = {1, 1, 2, 2};
  float x[16], y[4];
  tp_plan* plan;
  tp_arrays arrays = {.input = tp_dense(x, TP_F32, 4, in_shape), .output = tp_dense(y, TP_F32, 4, out_shape)};
  for (int i = 0; i < 16; ++i) x[i] = (float)i;

  if (tp_plan_parse("max2d fwd f32 nchw 1x1x4x4 k2", &plan) != TP_OK) return puts(tp_last_error()), 1;
  if (tp_plan_run(plan, &arrays, NULL) != TP_OK) puts(tp_last_error());
  printf("%g %g %g %g\n", y[0], y[1], y[2], y[3]);
  tp_plan_free(plan);

  if (tp_plan_parse("max2d fwd f32 nchw 1x1x4x4 k2 s-1", &plan) != TP_OK) puts(tp_last_error());
  return 0;
}
