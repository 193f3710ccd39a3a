#include "Internal.h"

#include <stdatomic.h>
#include <unistd.h>

enum { MOST_THREADS = 256, STACK_BYTES = 2 << 20 };

struct share {
  _Atomic int64_t next;
  int64_t count;
  void *context;
  void (*body)(void *context, int64_t index);
};

static void *work(void *argument) {
  struct share *share = argument;
  for (;;) {
    int64_t index = atomic_fetch_add_explicit(&share->next, 1, memory_order_relaxed);
    if (index >= share->count) return NULL;
    share->body(share->context, index);
  }
}

void mlc_parallel_for(int64_t count, void *context, void (*body)(void *context, int64_t index)) {
  struct share share = {.count = count, .context = context, .body = body};
  pthread_t threads[MOST_THREADS];
  pthread_attr_t attributes;
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  int64_t wanted = (cores < count ? cores : count) - 1, made = 0;
  if (wanted > MOST_THREADS) wanted = MOST_THREADS;
  if (wanted > 0 && pthread_attr_init(&attributes) == 0) {
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    while (made < wanted && pthread_create(&threads[made], &attributes, work, &share) == 0) made++;
    pthread_attr_destroy(&attributes);
  }
  work(&share);
  // Joining makes what the threads wrote visible.
  for (int64_t i = 0; i < made; i++) pthread_join(threads[i], NULL);
}
