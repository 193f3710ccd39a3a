/// What the parts of the thread pool share.
#ifndef MLC_POOL_H
#define MLC_POOL_H

#include "CMLCKernelABI.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

enum { MLC_SPIN_MOST_NS = 50000 };

/// What a region does: tasks, a kernel's `unit` of them each; or, where there are slices, `work`.
struct mlc_job {
  mlc_kernel kernel;
  const mlc_frame *frame;
  void *const *buffers;
  int64_t tasks, unit;
  mlc_phases work;
  int64_t slices;
};

struct mlc_worker {
  mlc_pool *pool;
  pthread_t thread;
  int32_t index;
};

/// Of each phase so many tasks as one thread is meant to do: how many phases have had them begun.
struct mlc_slice {
  _Alignas(64) _Atomic int64_t begun;
};

struct mlc_pool {
  int32_t workers, most_slices;
  bool spins;
  struct mlc_job job;
  struct mlc_worker *threads;
  struct mlc_slice *slices;
  pthread_mutex_t mutex;
  pthread_cond_t wake, done, advanced;
  _Alignas(64) _Atomic uint64_t state;
  _Alignas(64) _Atomic int64_t next;
  /// Slices that are done, of all phases.
  _Alignas(64) _Atomic int64_t finished;
  _Alignas(64) atomic_bool busy;
  atomic_int sleepers, runs, waiting;
  atomic_bool owner_waits, stops;
};

static inline void mlc_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("isb" ::: "memory");
#endif
}

static inline int64_t mlc_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/// Whether runs are so few that each may have two threads.
static inline bool mlc_is_alone(mlc_pool *pool) {
  return 2 * atomic_load_explicit(&pool->runs, memory_order_relaxed) <= pool->workers;
}

/// Whether the caller may run a region, which it must then.
bool mlc_take_pool(mlc_pool *pool);
/// Runs a region of the taken pool and gives the pool back.
void mlc_run_region(mlc_pool *pool, struct mlc_job job);
/// Takes part in the phases of the region; `slice` is the one that this worker is meant to do.
void mlc_work_in_phases(mlc_pool *pool, int32_t worker, int64_t slice);

#endif
