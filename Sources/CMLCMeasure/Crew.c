#include "Crew.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

double crew_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

typedef struct {
  double (*work)(void *context, int32_t index);
  void *context;
  int32_t index;
  double result;
  pthread_t thread;
  atomic_int *missing;
} member;

static void *run(void *argument) {
  member *m = argument;
  atomic_fetch_sub_explicit(m->missing, 1, memory_order_acq_rel);
  while (atomic_load_explicit(m->missing, memory_order_acquire) > 0) continue;
  m->result = m->work(m->context, m->index);
  return NULL;
}

double mlc_measure_together(double (*work)(void *context, int32_t index), void *context, int32_t threads) {
  if (threads < 1) threads = 1;
  member *members = calloc((size_t)threads, sizeof *members);
  if (!members) return 0;
  atomic_int missing = threads;
  int32_t started = 1;
  for (int32_t i = 0; i < threads; i++) {
    members[i] = (member){.work = work, .context = context, .index = i, .missing = &missing};
  }
  for (; started < threads; started++) {
    if (pthread_create(&members[started].thread, NULL, run, &members[started]) != 0) break;
  }
  // Nobody waits for threads that there are not.
  atomic_fetch_sub_explicit(&missing, threads - started, memory_order_acq_rel);
  run(&members[0]);
  double sum = members[0].result;
  for (int32_t i = 1; i < started; i++) {
    pthread_join(members[i].thread, NULL);
    sum += members[i].result;
  }
  free(members);
  return sum;
}
