/* The C interface of tidepool (C99): make a plan once, then run it any number of times on your own memory. See docs/c-abi.md.
 *
 *   tp_plan* plan;
 *   if (tp_plan_parse("max2d fwd f32 nchw 1x1x4x4 k2", &plan) != TP_OK) puts(tp_last_error());
 *   tp_arrays arrays = {0};
 *   arrays.input = tp_dense(x, TP_F32, 4, in_shape);
 *   arrays.output = tp_dense(y, TP_F32, 4, out_shape);
 *   tp_plan_run(plan, &arrays, NULL);
 *   tp_plan_free(plan);
 *
 * The ABI is stable: functions are never removed or changed, and enumerators keep their values. Structs with a member struct_size only grow
 * at their end: members that an older program does not have take their defaults, and members that an older library does not have must be 0,
 * or the call fails with TP_UNSUPPORTED. Other structs do not change. No function throws, aborts or prints. Several threads may run one
 * plan at the same time. */
#ifndef TIDEPOOL_C_H
#define TIDEPOOL_C_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define TP_API
#else
#define TP_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define TP_MAX_RANK 8
#define TP_KEEP_SIZE INT64_MIN /* in an adaptive output_size: the input size of that axis */

typedef enum tp_status {
  TP_OK = 0,
  TP_INVALID_ARGUMENT = 1,
  TP_SHAPE_MISMATCH = 2,
  TP_DTYPE_MISMATCH = 3,
  TP_OUT_OF_RANGE = 4, /* an index outside its plane or window */
  TP_OVERFLOW = 5,
  TP_ALIASING = 6, /* an output that overlaps an input, or itself */
  TP_UNSUPPORTED = 7,
  TP_PARSE = 8,
  TP_OUT_OF_MEMORY = 9,
  TP_INTERNAL = 10
} tp_status;

typedef enum tp_dtype {
  TP_F32 = 0,
  TP_F64 = 1,
  TP_F16 = 2,
  TP_BF16 = 3,
  TP_I8 = 4,
  TP_U8 = 5,
  TP_I16 = 6,
  TP_I32 = 7,
  TP_I64 = 8,
  TP_BOOL = 9 /* one byte, 0 or 1 */
} tp_dtype;

typedef enum tp_op { TP_MAX = 0, TP_MIN = 1, TP_AVG = 2, TP_SUM = 3, TP_LP = 4, TP_UNPOOL = 5 } tp_op;
typedef enum tp_pass { TP_FORWARD = 0, TP_BACKWARD = 1, TP_DOUBLE_BACKWARD = 2, TP_DOUBLE_BACKWARD_INPUT = 3 } tp_pass;
typedef enum tp_layout { TP_CHANNELS_FIRST = 0, TP_CHANNELS_LAST = 1, TP_STRIDED = 2 } tp_layout;
typedef enum tp_windows { TP_REGULAR = 0, TP_ADAPTIVE = 1, TP_FRACTIONAL = 2 } tp_windows;
typedef enum tp_padding { TP_EXPLICIT = 0, TP_VALID = 1, TP_SAME_UPPER = 2, TP_SAME_LOWER = 3 } tp_padding;
typedef enum tp_rounding { TP_FLOOR = 0, TP_CEIL = 1, TP_CEIL_FULL = 2 } tp_rounding;
typedef enum tp_divisor { TP_WINDOW_IN_PADDED = 0, TP_FULL_KERNEL = 1, TP_VALID_ONLY = 2, TP_FIXED = 3 } tp_divisor;
typedef enum tp_integer_rounding { TP_TRUNCATE = 0, TP_ROUND_FLOOR = 1, TP_NEAREST_EVEN = 2 } tp_integer_rounding;
typedef enum tp_nan { TP_NAN_PROPAGATE = 0, TP_NAN_IGNORE = 1 } tp_nan;
typedef enum tp_indices { TP_NO_INDICES = 0, TP_INDEX_PLANE = 1, TP_INDEX_TENSOR = 2, TP_INDEX_WINDOW = 3 } tp_indices;

/* What to compute. tp_options_init sets PyTorch's defaults; then set op, dtype, spatial_rank, the shape and the window. Enums are stored
 * as int32_t, so that the struct's layout does not depend on the compiler. */
typedef struct tp_options {
  size_t struct_size; /* sizeof(tp_options) */
  int32_t op;
  int32_t pass;
  int32_t dtype;
  int32_t layout;
  int32_t spatial_rank; /* 1, 2 or 3 */
  int32_t shape_rank;   /* spatial_rank + 2, or + 1 without a batch dimension */
  int64_t shape[5];     /* N, C, spatial: the shape before pooling; TP_UNPOOL: the pooled shape */
  int32_t windows;
  int64_t kernel_size[3]; /* one number per axis; TP_ADAPTIVE ignores it */
  int64_t stride[3];      /* 0: the kernel size */
  int64_t dilation[3];
  int64_t pad_before[3];
  int64_t pad_after[3];
  int32_t padding;
  int32_t rounding;
  int32_t limit_padding;  /* fail when padding exceeds half of the dilated kernel, as PyTorch does */
  int64_t output_size[3]; /* TP_ADAPTIVE, TP_FRACTIONAL; TP_UNPOOL: 0 for the default */
  int32_t indices;        /* TP_MAX, TP_MIN forward: which indices to write; other passes: which indices are read */
  int32_t nan;
  int32_t divisor;
  int64_t fixed_divisor; /* with TP_FIXED */
  int32_t integer_rounding;
  double norm;            /* TP_LP: the exponent p */
  int32_t signed_power;   /* TP_LP: x^p without the absolute value */
  int32_t scale_overhang; /* TP_LP: scale a window clipped at the edge up as if it were complete */
} tp_options;

/* An array in your memory. Strides count elements and may be negative; those of an array that is only read may also be zero. */
typedef struct tp_array {
  void* data; /* not written to when the array is an input */
  int32_t dtype;
  int32_t rank;
  int64_t shape[TP_MAX_RANK];
  int64_t strides[TP_MAX_RANK];
} tp_array;

/* The arrays that a run reads and writes. tp_plan_describe tells which ones a plan needs; leave the others zero. */
typedef struct tp_arrays {
  tp_array input; /* forward: x; backward: the output's gradient; double backward: the gradient of the input's gradient */
  tp_array output;
  tp_array indices_out;
  tp_array indices_in;
  tp_array saved;  /* TP_LP's backward passes: x */
  tp_array grad;   /* TP_DOUBLE_BACKWARD_INPUT: the output's gradient */
  tp_array starts; /* TP_FRACTIONAL: see tp_fractional_starts */
} tp_arrays;

typedef enum tp_role {
  TP_ROLE_INPUT = 0,
  TP_ROLE_OUTPUT = 1,
  TP_ROLE_INDICES_OUT = 2,
  TP_ROLE_INDICES_IN = 3,
  TP_ROLE_SAVED = 4,
  TP_ROLE_GRAD = 5,
  TP_ROLE_STARTS = 6
} tp_role;

/* Does the part [begin, end) of the work. `work` is the pointer that was passed to parallel_for. */
typedef void (*tp_work_fn)(void* work, int64_t begin, int64_t end);

/* The threads and the scratch memory of a run. Zero members, or NULL instead of the struct: tidepool's own threads and memory. When one of
 * the functions throws a C++ exception, the run fails with TP_INTERNAL (std::bad_alloc: TP_OUT_OF_MEMORY) and the exception's message, and
 * its output may be incomplete. parallel_for must not throw before all calls of fn have returned. */
typedef struct tp_run_options {
  size_t struct_size; /* sizeof(tp_run_options) */
  int32_t serial;     /* not 0: run on the calling thread only */
  /* Your thread pool: must call fn(work, begin, end) on disjoint ranges that cover [0, n), none but the last shorter than `grain`, and
   * return when all calls have returned. */
  void (*parallel_for)(void* user, int64_t n, int64_t grain, tp_work_fn fn, void* work);
  int32_t concurrency; /* with parallel_for: the number of threads to split the work for */
  /* Your scratch memory, aligned to 64 bytes. Called at most once per run; when it returns NULL the run fails with TP_OUT_OF_MEMORY. */
  void* (*allocate)(void* user, size_t bytes);
  void (*release)(void* user, void* memory, size_t bytes);
  void* user;
} tp_run_options;

typedef struct tp_plan tp_plan;

TP_API void tp_version(int32_t* major, int32_t* minor, int32_t* patch);
TP_API const char* tp_status_name(tp_status status); /* "shape_mismatch" */

/* The message of this thread's last failure, at most 1,023 bytes of it; "" if there was none. Valid until the thread's next call. */
TP_API const char* tp_last_error(void);
/* Copies the message, truncated to capacity - 1 characters and terminated with 0. Returns the length of tp_last_error(). */
TP_API size_t tp_last_error_copy(char* buffer, size_t capacity);

/* Sets PyTorch's defaults. struct_size is the size of the caller's tp_options, and is stored in it. C and C++ programs call tp_options_init
 * below; this one is for languages that do not read this header. */
TP_API void tp_options_init_sized(tp_options* options, size_t struct_size);
/* On failure *plan is NULL. */
TP_API tp_status tp_plan_create(const tp_options* options, tp_plan** plan);
/* From a line such as "max2d fwd f32 nchw 2x64x112x112 k3 s2 p1". */
TP_API tp_status tp_plan_parse(const char* problem, tp_plan** plan);
TP_API void tp_plan_free(tp_plan* plan); /* NULL is fine */

/* Shape, dtype and row-major strides of one array of a run, with data = NULL; rank is -1 when the plan does not use that array. */
TP_API tp_status tp_plan_describe(const tp_plan* plan, tp_role role, tp_array* array);
/* Valid until the plan is freed; "" when plan is NULL. */
TP_API const char* tp_plan_kernel(const tp_plan* plan);  /* "columns" */
TP_API const char* tp_plan_target(const tp_plan* plan);  /* "AVX3" */
TP_API const char* tp_plan_problem(const tp_plan* plan); /* the line that tp_plan_parse takes */

/* Checks all arrays and indices before anything is written. run may be NULL. */
TP_API tp_status tp_plan_run(const tp_plan* plan, const tp_arrays* arrays, const tp_run_options* run);

/* Computes the `starts` array of a TP_FRACTIONAL plan from samples in [0, 1) with shape N, C, spatial_rank and the plan's dtype (f32 for
 * integers), or from a seed when samples is NULL. tp_plan_describe gives the shape and dtype of starts. */
TP_API tp_status tp_fractional_starts(const tp_plan* plan, const tp_array* samples, uint64_t seed, const tp_array* starts);

/* The number of threads of runs without their own parallel_for. */
TP_API tp_status tp_set_num_threads(int32_t threads);
TP_API int32_t tp_num_threads(void);

static inline void tp_options_init(tp_options* options) { tp_options_init_sized(options, sizeof(tp_options)); }

/* A contiguous array in row-major order. */
static inline tp_array tp_dense(void* data, tp_dtype dtype, int32_t rank, const int64_t* shape) {
  tp_array a;
  int64_t step = 1;
  int32_t i;
  a.data = data;
  a.dtype = (int32_t)dtype;
  a.rank = rank;
  for (i = 0; i < TP_MAX_RANK; ++i) a.shape[i] = a.strides[i] = 0;
  for (i = rank < TP_MAX_RANK ? rank : TP_MAX_RANK; i-- > 0;) {
    a.shape[i] = shape[i];
    a.strides[i] = step;
    step = (int64_t)((uint64_t)step * (uint64_t)shape[i]); /* may wrap: tp_plan_run fails for sizes that large */
  }
  return a;
}

/* The same for data that is only read. tp_array has no const member, because it also describes outputs. */
static inline tp_array tp_dense_const(const void* data, tp_dtype dtype, int32_t rank, const int64_t* shape) {
  union {
    const void* read;
    void* write;
  } address;
  address.read = data;
  return tp_dense(address.write, dtype, rank, shape);
}

#ifdef __cplusplus
}
#endif

#endif /* TIDEPOOL_C_H */
