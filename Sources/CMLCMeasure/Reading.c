#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "Crew.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

typedef struct {
  char *memory;
  /// Of each part, a multiple of `STEP`.
  size_t part;
} stream;

enum { STEP = 256, PASSES = 3, HUGE_PAGE = 1 << 21 };

/// Loads all of `bytes` bytes, which is a multiple of `STEP`. Assembly for the reasons that `Products.c` gives; loads
/// of 128 bits are enough, as memory is slower than they are.
static void load(const char *from, size_t bytes) {
  const char *end = from + bytes;
#if defined(__x86_64__)
#define LOAD(i, r) "movaps " i "(%0), %%xmm" r "\n"
  __asm__ volatile(
    "1:\n" LOAD("0", "0") LOAD("16", "1") LOAD("32", "2") LOAD("48", "3") LOAD("64", "0") LOAD("80", "1")
    LOAD("96", "2") LOAD("112", "3") LOAD("128", "0") LOAD("144", "1") LOAD("160", "2") LOAD("176", "3")
    LOAD("192", "0") LOAD("208", "1") LOAD("224", "2") LOAD("240", "3")
    "addq $256, %0\ncmpq %1, %0\njb 1b\n"
    : "+r"(from) : "r"(end) : "cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3");
#elif defined(__aarch64__)
#define LOAD(i) "ldp q0, q1, [%0, #" i "]\n"
  __asm__ volatile(
    "1:\n" LOAD("0") LOAD("32") LOAD("64") LOAD("96") LOAD("128") LOAD("160") LOAD("192") LOAD("224")
    "add %0, %0, #256\ncmp %0, %1\nb.lo 1b\n"
    : "+r"(from) : "r"(end) : "cc", "memory", "v0", "v1");
#else
  for (; from < end; from += sizeof(uint64_t)) (void)*(const volatile uint64_t *)from;
#endif
}

static double read_part(void *context, int32_t index) {
  const stream *s = context;
  char *part = s->memory + (size_t)index * s->part;
  // Pages that nobody wrote to are all one page.
  memset(part, 1, s->part);
  double best = 0;
  for (int i = 0; i < PASSES; i++) {
    double start = crew_seconds();
    load(part, s->part);
    double rate = (double)s->part / (crew_seconds() - start);
    if (rate > best) best = rate;
  }
  return best;
}

double mlc_measure_reading(size_t bytes, int32_t threads) {
  if (threads < 1) threads = 1;
  stream s = {.part = bytes / (size_t)threads / STEP * STEP};
  if (s.part == 0) return 0;
  size_t size = (s.part * (size_t)threads + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
  s.memory = aligned_alloc(HUGE_PAGE, size);
  if (!s.memory) return 0;
#if defined(MADV_HUGEPAGE)
  // Without, the memory is not at its best: page walks are part of what is measured.
  madvise(s.memory, size, MADV_HUGEPAGE);
#endif
  double rate = mlc_measure_together(read_part, &s, threads);
  free(s.memory);
  return rate;
}

int64_t mlc_last_cache_bytes(void) {
#if defined(_SC_LEVEL3_CACHE_SIZE)
  long third = sysconf(_SC_LEVEL3_CACHE_SIZE), second = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return third > 0 ? third : second > 0 ? second : 0;
#else
  return 0;
#endif
}
