#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "Pool.h"

#include <stdio.h>
#include <stdlib.h>

// One region runs at a time. `state` says which: its number in the upper half, then whether workers may still join,
// then how many have. A worker joins by compare-and-swap, so a region never waits for a worker that did not wake in
// time.
//
// What orders memory: the owner of `busy` writes `job` and `next` while nobody is inside, then publishes them by
// storing `state`; a worker reads them only after its compare-and-swap saw that store. It leaves by a decrement of
// `state`, which the owner reads before it returns, so a region's results are visible to the caller and the next
// region's `job` is not written under a reader. Parking follows Dekker: each side announces itself, then looks at the
// other's word, both in the single order of sequentially consistent operations.

#define MLC_STATE_OPEN (UINT64_C(1) << 31)
#define MLC_STATE_INSIDE (MLC_STATE_OPEN - 1)
#define MLC_STATE_REGION(state) ((uint32_t)((state) >> 32))

enum { MLC_SPIN_LEAST_NS = 2000 };

/// Takes shares of what is left, large ones first, until nothing is.
static void run_tasks(mlc_pool *pool, int32_t worker) {
  const struct mlc_job job = pool->job;
  char *scratch = job.frame->scratch + worker * job.frame->scratch_stride;
  int64_t begin = atomic_load_explicit(&pool->next, memory_order_relaxed);
  while (begin < job.tasks) {
    int64_t share = (job.tasks - begin) / (2 * pool->workers);
    int64_t end = begin + (share > 0 ? share : 1);
    if (!atomic_compare_exchange_weak_explicit(
          &pool->next, &begin, end, memory_order_relaxed, memory_order_relaxed))
      continue;
    job.kernel(job.frame, job.buffers, scratch, begin * job.unit, end * job.unit);
    begin = atomic_load_explicit(&pool->next, memory_order_relaxed);
  }
}

/// Whether there is a region that this worker may enter and has not.
static bool is_new(uint64_t state, uint32_t seen) {
  return (state & MLC_STATE_OPEN) && MLC_STATE_REGION(state) != seen;
}

/// Spins until a new region opens; false when `budget` nanoseconds went by without one.
static bool spin_for_region(mlc_pool *pool, uint32_t seen, int64_t budget) {
  int64_t deadline = 0;
  for (int round = 0;; round++) {
    if (is_new(atomic_load_explicit(&pool->state, memory_order_relaxed), seen)) return true;
    if (atomic_load_explicit(&pool->stops, memory_order_relaxed)) return true;
    mlc_pause();
    if (round % 32 == 0) {
      int64_t time = mlc_now();
      if (deadline == 0) deadline = time + budget;
      if (time >= deadline) return false;
    }
  }
}

static void park(mlc_pool *pool, uint32_t seen) {
  pthread_mutex_lock(&pool->mutex);
  atomic_fetch_add(&pool->sleepers, 1);
  while (!is_new(atomic_load(&pool->state), seen) && !atomic_load(&pool->stops))
    pthread_cond_wait(&pool->wake, &pool->mutex);
  atomic_fetch_sub(&pool->sleepers, 1);
  pthread_mutex_unlock(&pool->mutex);
}

/// Enters the open region if there is a new one, works in it and leaves.
static void join_region(mlc_pool *pool, int32_t worker, uint32_t *seen) {
  uint64_t state = atomic_load(&pool->state);
  do {
    if (!is_new(state, *seen)) return;
  } while (!atomic_compare_exchange_weak(&pool->state, &state, state + 1));
  *seen = MLC_STATE_REGION(state);
  if (pool->job.slices > 0) mlc_work_in_phases(pool, worker, (int64_t)(state & MLC_STATE_INSIDE) + 1);
  else run_tasks(pool, worker);
  uint64_t before = atomic_fetch_sub(&pool->state, 1);
  bool last = (before & MLC_STATE_INSIDE) == 1 && !(before & MLC_STATE_OPEN);
  if (last && atomic_load(&pool->owner_waits)) {
    pthread_mutex_lock(&pool->mutex);
    pthread_cond_signal(&pool->done);
    pthread_mutex_unlock(&pool->mutex);
  }
}

static void *work(void *argument) {
  struct mlc_worker *self = argument;
  mlc_pool *pool = self->pool;
  char name[16];
  snprintf(name, sizeof name, "mlc-worker-%d", (int)self->index % 1000);
#if defined(__APPLE__)
  pthread_setname_np(name);
#else
  pthread_setname_np(pthread_self(), name);
#endif
  uint32_t seen = 0;
  int64_t budget = MLC_SPIN_MOST_NS;
  while (!atomic_load(&pool->stops)) {
    // A spin that found work earns a longer one, a spin in vain a shorter one.
    if (pool->spins && spin_for_region(pool, seen, budget)) {
      budget = budget * 2 < MLC_SPIN_MOST_NS ? budget * 2 : MLC_SPIN_MOST_NS;
    } else {
      budget = budget / 2 > MLC_SPIN_LEAST_NS ? budget / 2 : MLC_SPIN_LEAST_NS;
      park(pool, seen);
    }
    join_region(pool, self->index, &seen);
  }
  return NULL;
}

/// Closes the region and waits for those inside.
static void close_region(mlc_pool *pool) {
  uint64_t state = atomic_fetch_and(&pool->state, ~MLC_STATE_OPEN);
  if (!(state & MLC_STATE_INSIDE)) return;
  int64_t deadline = pool->spins ? mlc_now() + MLC_SPIN_MOST_NS : 0;
  while (deadline && (atomic_load(&pool->state) & MLC_STATE_INSIDE)) {
    for (int round = 0; round < 8; round++) mlc_pause();
    if (mlc_now() >= deadline) break;
  }
  if (!(atomic_load(&pool->state) & MLC_STATE_INSIDE)) return;
  pthread_mutex_lock(&pool->mutex);
  atomic_store(&pool->owner_waits, true);
  while (atomic_load(&pool->state) & MLC_STATE_INSIDE) pthread_cond_wait(&pool->done, &pool->mutex);
  atomic_store(&pool->owner_waits, false);
  pthread_mutex_unlock(&pool->mutex);
}

void mlc_serial_parallel(void *pool, mlc_kernel kernel, const mlc_frame *frame, void *const *buffers, int64_t tasks) {
  (void)pool;
  if (tasks > 0) kernel(frame, buffers, frame->scratch, 0, tasks);
}

bool mlc_take_pool(mlc_pool *pool) {
  return pool->workers > 1 && mlc_is_alone(pool) && !atomic_exchange_explicit(&pool->busy, true, memory_order_acquire);
}

void mlc_run_region(mlc_pool *pool, struct mlc_job job) {
  pool->job = job;
  atomic_store_explicit(&pool->next, 0, memory_order_relaxed);
  // The number skips 0, which a new worker takes for seen.
  uint32_t region = MLC_STATE_REGION(atomic_load_explicit(&pool->state, memory_order_relaxed)) + 1;
  atomic_store(&pool->state, (uint64_t)(region ? region : 1) << 32 | MLC_STATE_OPEN);
  if (atomic_load(&pool->sleepers) > 0) {
    pthread_mutex_lock(&pool->mutex);
    if ((job.slices > 0 ? job.slices : job.tasks) > 2) pthread_cond_broadcast(&pool->wake);
    else pthread_cond_signal(&pool->wake);
    pthread_mutex_unlock(&pool->mutex);
  }
  if (job.slices > 0) mlc_work_in_phases(pool, 0, 0);
  else run_tasks(pool, 0);
  close_region(pool);
  atomic_store_explicit(&pool->busy, false, memory_order_release);
}

void mlc_pool_parallel(void *opaque, mlc_kernel kernel, const mlc_frame *frame, void *const *buffers, int64_t tasks) {
  mlc_pool *pool = opaque;
  if (tasks < 2 || !mlc_take_pool(pool)) mlc_serial_parallel(NULL, kernel, frame, buffers, tasks);
  else mlc_run_region(pool, (struct mlc_job){kernel, frame, buffers, tasks, .unit = 1});
}

void mlc_pool_enter(mlc_pool *pool) { atomic_fetch_add_explicit(&pool->runs, 1, memory_order_relaxed); }

void mlc_pool_leave(mlc_pool *pool) { atomic_fetch_sub_explicit(&pool->runs, 1, memory_order_relaxed); }

int32_t mlc_pool_workers(const mlc_pool *pool) { return pool->workers; }

void mlc_pool_destroy(mlc_pool *pool) {
  if (!pool) return;
  pthread_mutex_lock(&pool->mutex);
  atomic_store(&pool->stops, true);
  pthread_cond_broadcast(&pool->wake);
  pthread_mutex_unlock(&pool->mutex);
  for (int32_t i = 1; i < pool->workers; i++) pthread_join(pool->threads[i].thread, NULL);
  pthread_cond_destroy(&pool->wake);
  pthread_cond_destroy(&pool->done);
  pthread_cond_destroy(&pool->advanced);
  pthread_mutex_destroy(&pool->mutex);
  free(pool->slices);
  free(pool->threads);
  free(pool);
}

mlc_pool *mlc_pool_create(int32_t workers) {
  if (workers < 1 || workers > MLC_POOL_MOST_WORKERS) return NULL;
  mlc_pool *pool = aligned_alloc(_Alignof(mlc_pool), sizeof *pool);
  struct mlc_worker *threads = calloc((size_t)workers, sizeof *threads);
  int32_t cores = mlc_cpu_count(), most = workers < cores ? workers : cores > 0 ? cores : 1;
  struct mlc_slice *slices = aligned_alloc(_Alignof(struct mlc_slice), (size_t)most * sizeof *slices);
  if (!pool || !threads || !slices) {
    free(pool);
    free(threads);
    free(slices);
    return NULL;
  }
  *pool = (mlc_pool){
    .workers = 1, .most_slices = most, .spins = workers <= cores, .threads = threads, .slices = slices};
  pthread_mutex_init(&pool->mutex, NULL);
  pthread_cond_init(&pool->wake, NULL);
  pthread_cond_init(&pool->done, NULL);
  pthread_cond_init(&pool->advanced, NULL);
  // Threads read `workers` only inside a region, and none opens before this returns.
  for (int32_t i = 1; i < workers; i++) {
    threads[i] = (struct mlc_worker){.pool = pool, .index = i};
    if (pthread_create(&threads[i].thread, NULL, work, &threads[i]) != 0) {
      mlc_pool_destroy(pool);
      return NULL;
    }
    pool->workers = i + 1;
  }
  return pool;
}
