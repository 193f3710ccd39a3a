#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "Pool.h"

// The tasks of a phase are cut into as many slices as threads take part, the same in each phase: what a slice reads
// stays in a core's cache. A slice of a phase belongs to who raises `begun` from that phase's number. So nobody waits
// but for slices that a thread is working on, and a thread that is late, or gone, costs others its slices alone.
//
// What orders memory: who has done a slice adds 1 to `finished`, and nobody begins a phase before having read there
// that all slices of the phases before are done. Sleeping follows Dekker, as it does in regions.

enum { MLC_PATIENCE_NS = 2000 };

static void run_slice(const struct mlc_job *job, char *scratch, int64_t phase, int64_t slice) {
  const int64_t tasks = job->work.tasks, all = job->work.groups * tasks;
  const int64_t end = all * (slice + 1) / job->slices;
  for (int64_t begin = all * slice / job->slices; begin < end;) {
    const int64_t group = begin / tasks, first = (group * job->work.phases + phase - group) * tasks;
    const int64_t stop = end < (group + 1) * tasks ? end : (group + 1) * tasks;
    job->kernel(job->frame, job->buffers, scratch, first + begin, first + stop);
    begin = stop;
  }
}

/// Does a slice unless it has been begun; whether it did.
static bool do_slice(mlc_pool *pool, const struct mlc_job *job, char *scratch, int64_t phase, int64_t slice) {
  int64_t begun = phase;
  if (!atomic_compare_exchange_strong_explicit(
        &pool->slices[slice].begun, &begun, phase + 1, memory_order_relaxed, memory_order_relaxed))
    return false;
  run_slice(job, scratch, phase, slice);
  const int64_t finished = atomic_fetch_add(&pool->finished, 1) + 1;
  if (finished % job->slices == 0 && atomic_load(&pool->waiting) > 0) {
    pthread_mutex_lock(&pool->mutex);
    pthread_cond_broadcast(&pool->advanced);
    pthread_mutex_unlock(&pool->mutex);
  }
  return true;
}

static bool is_finished(mlc_pool *pool, int64_t count) { return atomic_load(&pool->finished) >= count; }

/// Spins until so many slices are done; false when `budget` nanoseconds went by before.
static bool spin_for_slices(mlc_pool *pool, int64_t count, int64_t budget) {
  int64_t deadline = 0;
  for (int round = 0; !is_finished(pool, count); round++) {
    mlc_pause();
    if (round % 32 != 31) continue;
    const int64_t time = mlc_now();
    if (deadline == 0) deadline = time + budget;
    if (time >= deadline) return false;
  }
  return true;
}

static void sleep_for_slices(mlc_pool *pool, int64_t count) {
  pthread_mutex_lock(&pool->mutex);
  atomic_fetch_add(&pool->waiting, 1);
  while (!is_finished(pool, count)) pthread_cond_wait(&pool->advanced, &pool->mutex);
  atomic_fetch_sub(&pool->waiting, 1);
  pthread_mutex_unlock(&pool->mutex);
}

void mlc_work_in_phases(mlc_pool *pool, int32_t worker, int64_t own) {
  const struct mlc_job job = pool->job;
  if (own >= job.slices) return;
  char *scratch = job.frame->scratch + worker * job.frame->scratch_stride;
  // At once takes what others leave who met a slice that was left.
  bool is_eager = true;
  for (int64_t phase = atomic_load(&pool->finished) / job.slices; phase < job.work.phases; phase++) {
    if (worker > 0 && !mlc_is_alone(pool)) return;
    const int64_t target = (phase + 1) * job.slices;
    do_slice(pool, &job, scratch, phase, own);
    if (!is_eager && spin_for_slices(pool, target, MLC_PATIENCE_NS)) continue;
    is_eager = false;
    for (int64_t other = 1; other < job.slices; other++)
      is_eager |= do_slice(pool, &job, scratch, phase, (own + other) % job.slices);
    if (!spin_for_slices(pool, target, MLC_SPIN_MOST_NS)) sleep_for_slices(pool, target);
  }
}

void mlc_pool_in_phases(
  void *opaque, mlc_kernel kernel, const mlc_frame *frame, void *const *buffers, mlc_phases work) {
  mlc_pool *pool = opaque;
  if (work.groups <= 0 || work.phases <= 0 || work.tasks <= 0) return;
  const int64_t all = work.groups * work.tasks, most = pool->most_slices, unit = work.phases * work.tasks;
  if (all < 2 || most < 2 || !mlc_take_pool(pool)) {
    kernel(frame, buffers, frame->scratch, 0, work.groups * unit);
    return;
  }
  struct mlc_job job = {kernel, frame, buffers, work.groups, unit, work, .slices = all < most ? all : most};
  // Groups that occupy all threads need not wait for one another.
  if (work.groups >= 2 * most || work.groups % most == 0 || work.tasks == 1) job.slices = 0;
  for (int64_t slice = 0; slice < job.slices; slice++)
    atomic_store_explicit(&pool->slices[slice].begun, 0, memory_order_relaxed);
  atomic_store_explicit(&pool->finished, 0, memory_order_relaxed);
  mlc_run_region(pool, job);
}
