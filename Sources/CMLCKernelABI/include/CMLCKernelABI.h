/// The contract between generated code and the runtime. Specs/Kernels.md explains it.
///
/// Generated code is pure: it allocates nothing, keeps no state and calls nothing but the functions in the frame
/// and in the table that it was given as it was loaded. It needs no library, of the system or of the compiler.
#ifndef CMLC_KERNEL_ABI_H
#define CMLC_KERNEL_ABI_H

#include <stdint.h>

#define MLC_ABI_VERSION 5

typedef struct mlc_frame mlc_frame;

/// UTF-8, which may hold zeros.
typedef struct mlc_text {
  const char *bytes;
  int64_t count;
} mlc_text;

/// Runs tasks `begin ..< end` of one kernel. `buffers` are the kernel's parameters in order; `scratch` belongs to
/// the calling worker alone, is 64-byte aligned and holds `mlc_module.scratch_bytes`. A kernel calls neither
/// `frame.parallel` nor `frame.in_phases`.
typedef void (*mlc_kernel)(
  const mlc_frame *frame, void *const *buffers, char *scratch, int64_t begin, int64_t end);

/// Tasks in turns: each of `groups` independent groups has `phases`, each of these `tasks`. Task t of phase p of
/// group g is the kernel's task (g * phases + p) * tasks + t. A phase begins when the one before it in its group is
/// done and its writes are visible.
typedef struct mlc_phases {
  int64_t groups, phases, tasks;
} mlc_phases;

/// Everything one run needs. Sizes in bytes, pointers 64-byte aligned, but the caller's inputs and outputs are
/// aligned to their elements only. No pointer to data is null, not even to an empty tensor's.
struct mlc_frame {
  /// Divides `tasks` among workers and returns when all are done and their writes are visible; none for 0 tasks.
  void (*parallel)(
    void *pool, mlc_kernel kernel, const mlc_frame *frame, void *const *buffers, int64_t tasks);
  /// The same for tasks in phases. A call of the kernel has tasks of one phase, or all those of groups, in order.
  void (*in_phases)(
    void *pool, mlc_kernel kernel, const mlc_frame *frame, void *const *buffers, mlc_phases work);
  void *pool;
  char *arena;
  const char *weights;
  const void *const *inputs;
  void *const *outputs;
  /// Sizes by symbol number. Those of the inputs are set before `bind`. The late ones hold their bounds then; `run`
  /// sets each before its first use, to no more than its bound, and lays out what depends on it densely for that
  /// value.
  int64_t *symbols;
  /// Buffer offsets into the arena that `bind` computed; behind them, what it worked with.
  const int64_t *offsets;
  /// One scratch area per worker, `scratch_stride` apart.
  char *scratch;
  int64_t scratch_stride;
  /// When not null, `run` adds the nanoseconds of step i to `profile[i]`, as `clock` tells them.
  uint64_t *profile;
  uint64_t (*clock)(void);
  /// 0, or a `mlc_fault` that a kernel met, with its step, counted from 1, in the upper half. Several workers may
  /// meet one at once: access is atomic, and any of them stays.
  int64_t *fault;
  /// Does with texts what `words`, of which there are `count`, say, and answers a `mlc_fault`. Specs/Kernels.md
  /// lists the operations, their buffers and their extents. Not null where the module has texts.
  int32_t (*text)(
    void *texts, const uint32_t *words, int64_t count, void *const *buffers, const int64_t *extents);
  void *texts;
};

/// What a kernel can find wrong in the data it was given. The run continues with a clamped value and reports it.
typedef enum mlc_fault {
  MLC_FAULT_NONE = 0,
  MLC_FAULT_INDEX = 1,
  MLC_FAULT_DIVISION = 2,
  MLC_FAULT_SIZE = 3,
  MLC_FAULT_TEXT = 4,
} mlc_fault;

/// What kernels need of the C library, called as it is there.
typedef struct mlc_math {
  float (*sinf)(float), (*cosf)(float), (*tanf)(float), (*asinf)(float), (*acosf)(float), (*atanf)(float);
  float (*sinhf)(float), (*coshf)(float), (*asinhf)(float), (*acoshf)(float), (*atanhf)(float);
  float (*powf)(float, float), (*fmodf)(float, float);
  double (*sin)(double), (*cos)(double), (*tan)(double), (*asin)(double), (*acos)(double), (*atan)(double);
  double (*sinh)(double), (*cosh)(double), (*tanh)(double), (*asinh)(double), (*acosh)(double), (*atanh)(double);
  double (*exp)(double), (*exp2)(double), (*expm1)(double), (*log)(double), (*log1p)(double), (*erf)(double);
  double (*pow)(double, double), (*fmod)(double, double);
} mlc_math;

/// The table of a host that includes <math.h>.
#define MLC_MATH_OF_LIBRARY { \
  sinf, cosf, tanf, asinf, acosf, atanf, sinhf, coshf, asinhf, acoshf, atanhf, powf, fmodf, sin, cos, tan, asin, \
  acos, atan, sinh, cosh, tanh, asinh, acosh, atanh, exp, exp2, expm1, log, log1p, erf, pow, fmod }

/// What a compiled shared object exports, under the name `mlc_module_v5`.
typedef struct mlc_module {
  uint32_t abi_version;
  /// Numbers of entries in `frame.symbols`, `frame.offsets` and `frame.profile`.
  uint32_t symbol_count, offset_count, step_count;
  /// What each worker needs, and how many bytes of weights the code addresses.
  int64_t scratch_bytes, weight_bytes;
  /// One kernel name a step, then the user's nodes inside it, `conv_relu\tConv_0, Relu_1`.
  const char *const *step_names;
  /// From sizes to arena offsets; 0, or -1 when a size is impossible. Writes the arena's bytes to `arena_bytes`.
  int32_t (*bind)(const int64_t *symbols, int64_t *offsets, int64_t *arena_bytes);
  void (*run)(const mlc_frame *frame);
  /// Where the module keeps the table of functions that it calls. Set before anything is run, to what outlives it.
  const mlc_math **math;
  /// 32 bytes that stand for the interface, the processor, the weights and the plan that the code was made for.
  const uint8_t *identity;
  /// The texts that the code knows by number: no two are equal, the first is empty. None where it works on none.
  const mlc_text *texts;
  int64_t text_count;
} mlc_module;

// The thread pool.

typedef struct mlc_pool mlc_pool;

enum { MLC_POOL_MOST_WORKERS = 1024 };

/// A pool of `workers` threads, the caller of `mlc_pool_parallel` counted; null when threads cannot be made or
/// `workers` is not in 1 ... MLC_POOL_MOST_WORKERS.
mlc_pool *mlc_pool_create(int32_t workers);
/// Ends the threads. No region may be running.
void mlc_pool_destroy(mlc_pool *pool);
int32_t mlc_pool_workers(const mlc_pool *pool);
/// A run begins or ends. While there are so many that each has fewer than two threads, callers do all tasks
/// themselves: cores serve runs, and no thread waits for another.
void mlc_pool_enter(mlc_pool *pool);
void mlc_pool_leave(mlc_pool *pool);
/// `mlc_frame.parallel` for an `mlc_pool`. A pool already busy with another run lets the caller do all tasks
/// itself. Worker w uses the scratch at `frame.scratch + w * frame.scratch_stride`; the caller is worker 0.
void mlc_pool_parallel(void *pool, mlc_kernel kernel, const mlc_frame *frame, void *const *buffers, int64_t tasks);
/// `mlc_frame.in_phases` for an `mlc_pool`, under the same rules. No more threads take part than there are cores,
/// and none is waited for that did not begin a task: others do what a late one leaves. Who waits for a phase spins
/// at first, then sleeps. Once there are further runs, as `mlc_pool_enter` counts them, the caller goes on alone.
void mlc_pool_in_phases(
  void *pool, mlc_kernel kernel, const mlc_frame *frame, void *const *buffers, mlc_phases work);
/// `mlc_frame.parallel` on the calling thread alone; `pool` is ignored.
void mlc_serial_parallel(
  void *pool, mlc_kernel kernel, const mlc_frame *frame, void *const *buffers, int64_t tasks);

// Locks that are made of something else than pthread's.

/// Tells ThreadSanitizer, where code is built for it, that this thread has taken `lock` or is about to give it
/// back.
void mlc_lock_taken(void *lock);
void mlc_lock_given_back(void *lock);

// The machine.

/// The C library's functions.
const mlc_math *mlc_library_math(void);
/// Nanoseconds since some moment, for `mlc_frame.clock`.
uint64_t mlc_clock(void);

/// How many cores this process may use.
int32_t mlc_cpu_count(void);
/// `x86-64`, `aarch64` or `unknown`.
const char *mlc_cpu_architecture(void);
/// 1 when the CPU has the feature that Linux calls `name` and the operating system saves its registers, 0 when not,
/// -1 when this architecture has no feature of that name. LLVM's spellings (`sse4.1`, `avx512vnni`) are taken too.
/// Asking for `amx_…` asks the system too: where it agrees, this process may use tiles from then on.
int32_t mlc_cpu_feature(const char *name);

#endif
