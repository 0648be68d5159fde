/* What a C program does with tidepool. Compiled as C99, so that the header stays one. The tests in C++ beside it try everything else. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tidepool/c.h>

static int failures = 0;
#define CHECK(condition)                                                                               \
  do {                                                                                                 \
    if (!(condition)) {                                                                                \
      ++failures;                                                                                      \
      fprintf(stderr, "%s:%d: %s; last error: %s\n", __FILE__, __LINE__, #condition, tp_last_error()); \
    }                                                                                                  \
  } while (0)

static const int64_t in_shape[4] = {1, 1, 4, 4};
static const int64_t out_shape[4] = {1, 1, 2, 2};
static const float numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

static int is(const float* got, float a, float b, float c, float d) { return got[0] == a && got[1] == b && got[2] == c && got[3] == d; }

static void pools_from_text(void) {
  tp_plan* plan;
  tp_arrays arrays;
  tp_array described;
  float y[4] = {0};
  memset(&arrays, 0, sizeof arrays);
  CHECK(tp_plan_parse("max2d fwd f32 nchw 1x1x4x4 k2", &plan) == TP_OK);
  CHECK(strlen(tp_plan_kernel(plan)) > 0 && strlen(tp_plan_target(plan)) > 0);
  CHECK(strncmp(tp_plan_problem(plan), "max2d fwd f32 nchw 1x1x4x4 k2", 29) == 0);
  CHECK(tp_plan_describe(plan, TP_ROLE_OUTPUT, &described) == TP_OK);
  CHECK(described.rank == 4 && described.shape[2] == 2 && described.shape[3] == 2 && described.dtype == TP_F32);
  CHECK(tp_plan_describe(plan, TP_ROLE_INDICES_OUT, &described) == TP_OK && described.rank == -1);
  arrays.input = tp_dense_const(numbers, TP_F32, 4, in_shape);
  arrays.output = tp_dense(y, TP_F32, 4, out_shape);
  CHECK(tp_plan_run(plan, &arrays, NULL) == TP_OK);
  CHECK(is(y, 5, 7, 13, 15));
  tp_plan_free(plan);
}

static void pools_forth_and_back_from_options(void) {
  tp_options o;
  tp_plan *forward, *backward;
  tp_arrays arrays;
  float y[4] = {0}, grad[4] = {1, 2, 3, 4}, grad_input[16];
  uint8_t taps[4] = {9, 9, 9, 9};
  tp_options_init(&o);
  o.op = TP_MAX;
  o.dtype = TP_F32;
  o.shape_rank = 4;
  memcpy(o.shape, in_shape, sizeof in_shape);
  o.kernel_size[0] = o.kernel_size[1] = 2;
  o.indices = TP_INDEX_WINDOW;
  CHECK(tp_plan_create(&o, &forward) == TP_OK);
  o.pass = TP_BACKWARD;
  CHECK(tp_plan_create(&o, &backward) == TP_OK);
  memset(&arrays, 0, sizeof arrays);
  arrays.input = tp_dense_const(numbers, TP_F32, 4, in_shape);
  arrays.output = tp_dense(y, TP_F32, 4, out_shape);
  arrays.indices_out = tp_dense(taps, TP_U8, 4, out_shape);
  CHECK(tp_plan_run(forward, &arrays, NULL) == TP_OK);
  CHECK(taps[0] == 3 && taps[3] == 3);
  memset(&arrays, 0, sizeof arrays);
  arrays.input = tp_dense(grad, TP_F32, 4, out_shape);
  arrays.output = tp_dense(grad_input, TP_F32, 4, in_shape);
  arrays.indices_in = tp_dense(taps, TP_U8, 4, out_shape);
  CHECK(tp_plan_run(backward, &arrays, NULL) == TP_OK);
  CHECK(grad_input[5] == 1 && grad_input[7] == 2 && grad_input[13] == 3 && grad_input[15] == 4 && grad_input[0] == 0);
  tp_plan_free(forward);
  tp_plan_free(backward);
}

static void refuses_with_a_code_and_a_text(void) {
  tp_plan* plan = (tp_plan*)1;
  tp_arrays arrays;
  tp_options o;
  char text[8];
  CHECK(tp_plan_parse("max2d fwd f32 nchw 1x1x4x4 k0", &plan) == TP_INVALID_ARGUMENT && plan == NULL);
  CHECK(strstr(tp_last_error(), "max_pool2d: ") == tp_last_error());
  CHECK(tp_last_error_copy(text, sizeof text) > sizeof text && strcmp(text, "max_poo") == 0);
  CHECK(tp_plan_parse("nonsense", &plan) == TP_PARSE);
  CHECK(tp_plan_parse(NULL, &plan) == TP_INVALID_ARGUMENT && tp_plan_parse("max2d", NULL) == TP_INVALID_ARGUMENT);
  CHECK(tp_plan_run(NULL, &arrays, NULL) == TP_INVALID_ARGUMENT);
  CHECK(tp_plan_parse("max2d fwd f32 nchw 1x1x4x4 k2", &plan) == TP_OK);
  memset(&arrays, 0, sizeof arrays);
  CHECK(tp_plan_run(plan, &arrays, NULL) == TP_SHAPE_MISMATCH);
  arrays.input = tp_dense_const(numbers, TP_F32, 4, in_shape);
  arrays.output = tp_dense_const(numbers, TP_F32, 4, out_shape);
  CHECK(tp_plan_run(plan, &arrays, NULL) == TP_ALIASING);
  arrays.input.rank = 99;
  CHECK(tp_plan_run(plan, &arrays, NULL) == TP_INVALID_ARGUMENT);
  tp_plan_free(plan);
  tp_plan_free(NULL);
  tp_options_init(&o);
  o.op = 77;
  CHECK(tp_plan_create(&o, &plan) == TP_INVALID_ARGUMENT);
  o.struct_size = 3;
  CHECK(tp_plan_create(&o, &plan) == TP_INVALID_ARGUMENT);
  CHECK(strcmp(tp_status_name(TP_ALIASING), "aliasing") == 0 && strcmp(tp_status_name((tp_status)99), "internal") == 0);
}

typedef struct Host {
  int pieces, allocations, releases;
  void* block;
} Host;

static void host_parallel_for(void* user, int64_t n, int64_t grain, tp_work_fn fn, void* work) {
  int64_t i;
  (void)grain;
  for (i = 0; i < n; ++i) fn(work, i, i + 1);
  ((Host*)user)->pieces += (int)n;
}

static void* host_allocate(void* user, size_t bytes) {
  Host* host = (Host*)user;
  char* block = (char*)malloc(bytes + 64);
  ++host->allocations;
  host->block = block;
  return block + (64 - (size_t)block % 64);
}

static void host_release(void* user, void* memory, size_t bytes) {
  (void)memory;
  (void)bytes;
  ++((Host*)user)->releases;
  free(((Host*)user)->block);
}

static void runs_on_the_callers_threads_and_memory(void) {
  static const int64_t shape[4] = {2, 16, 96, 96}; /* of input and output */
  const size_t cells = 2 * 16 * 96 * 96;
  float* x = (float*)malloc(cells * sizeof(float));
  float* serial = (float*)malloc(cells * sizeof(float));
  float* hosted = (float*)malloc(cells * sizeof(float));
  Host host = {0, 0, 0, NULL};
  tp_run_options run;
  tp_arrays arrays;
  tp_plan* plan;
  size_t i;
  for (i = 0; i < cells; ++i) x[i] = (float)((i * 7919) % 10007);
  memset(&run, 0, sizeof run);
  memset(&arrays, 0, sizeof arrays);
  run.struct_size = sizeof run;
  run.serial = 1;
  CHECK(tp_plan_parse("max2d fwd f32 nchw 2x16x96x96 k15 s1 p7", &plan) == TP_OK);
  arrays.input = tp_dense(x, TP_F32, 4, shape);
  arrays.output = tp_dense(serial, TP_F32, 4, shape);
  CHECK(tp_plan_run(plan, &arrays, &run) == TP_OK);
  run.serial = 0;
  run.parallel_for = host_parallel_for;
  run.concurrency = 3;
  run.allocate = host_allocate;
  run.release = host_release;
  run.user = &host;
  arrays.output = tp_dense(hosted, TP_F32, 4, shape);
  CHECK(tp_plan_run(plan, &arrays, &run) == TP_OK);
  CHECK(memcmp(serial, hosted, cells * sizeof(float)) == 0);
  CHECK(host.pieces > 1 && host.allocations == 1 && host.releases == 1);
  tp_plan_free(plan);
  free(x);
  free(serial);
  free(hosted);
}

static void draws_fractional_windows(void) {
  tp_options o;
  tp_plan* plan;
  tp_arrays arrays;
  int64_t starts[4];
  float y[4];
  tp_options_init(&o);
  o.windows = TP_FRACTIONAL;
  o.shape_rank = 4;
  memcpy(o.shape, in_shape, sizeof in_shape);
  o.kernel_size[0] = o.kernel_size[1] = o.output_size[0] = o.output_size[1] = 2;
  CHECK(tp_plan_create(&o, &plan) == TP_OK);
  memset(&arrays, 0, sizeof arrays);
  CHECK(tp_plan_describe(plan, TP_ROLE_STARTS, &arrays.starts) == TP_OK && arrays.starts.rank == 3 && arrays.starts.shape[2] == 4);
  arrays.starts.data = starts;
  CHECK(tp_fractional_starts(plan, NULL, 7, &arrays.starts) == TP_OK);
  arrays.input = tp_dense_const(numbers, TP_F32, 4, in_shape);
  arrays.output = tp_dense(y, TP_F32, 4, out_shape);
  CHECK(tp_plan_run(plan, &arrays, NULL) == TP_OK);
  CHECK(y[3] == 15); /* the last window is always the last cells */
  starts[0] = 3;
  CHECK(tp_plan_run(plan, &arrays, NULL) == TP_OUT_OF_RANGE);
  tp_plan_free(plan);
}

int main(void) {
  int32_t major = -1, threads = tp_num_threads();
  tp_version(&major, NULL, NULL);
  CHECK(major >= 0 && threads >= 1);
  CHECK(tp_set_num_threads(0) == TP_INVALID_ARGUMENT && tp_num_threads() == threads);
  pools_from_text();
  pools_forth_and_back_from_options();
  refuses_with_a_code_and_a_text();
  runs_on_the_callers_threads_and_memory();
  draws_fractional_windows();
  return failures == 0 ? 0 : 1;
}
