#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif
#include "CMLCKernelABI.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__)
#include <sched.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#endif

int32_t mlc_cpu_count(void) {
#if defined(__linux__)
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
#endif
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (int32_t)online : 1;
}

#if defined(__x86_64__)
#include <cpuid.h>

const char *mlc_cpu_architecture(void) { return "x86-64"; }

enum { LEAF_1, LEAF_7, LEAF_7_1, LEAF_EXTENDED, LEAVES };
enum { EAX, EBX, ECX, EDX };
/// What the operating system must save for a feature to be usable.
enum { STATE_SSE = 0, STATE_AVX = 0x6, STATE_AVX512 = 0xe6, STATE_AMX = 0x60000 };

static const struct {
  const char *name;
  uint8_t leaf, reg, bit;
  uint32_t state;
} features[] = {
  {"sse2", LEAF_1, EDX, 26, STATE_SSE},
  {"pni", LEAF_1, ECX, 0, STATE_SSE},
  {"sse3", LEAF_1, ECX, 0, STATE_SSE},
  {"ssse3", LEAF_1, ECX, 9, STATE_SSE},
  {"cx16", LEAF_1, ECX, 13, STATE_SSE},
  {"sse4_1", LEAF_1, ECX, 19, STATE_SSE},
  {"sse4.1", LEAF_1, ECX, 19, STATE_SSE},
  {"sse4_2", LEAF_1, ECX, 20, STATE_SSE},
  {"sse4.2", LEAF_1, ECX, 20, STATE_SSE},
  {"movbe", LEAF_1, ECX, 22, STATE_SSE},
  {"popcnt", LEAF_1, ECX, 23, STATE_SSE},
  {"avx", LEAF_1, ECX, 28, STATE_AVX},
  {"fma", LEAF_1, ECX, 12, STATE_AVX},
  {"f16c", LEAF_1, ECX, 29, STATE_AVX},
  {"lahf_lm", LEAF_EXTENDED, ECX, 0, STATE_SSE},
  {"abm", LEAF_EXTENDED, ECX, 5, STATE_SSE},
  {"lzcnt", LEAF_EXTENDED, ECX, 5, STATE_SSE},
  {"bmi1", LEAF_7, EBX, 3, STATE_SSE},
  {"bmi", LEAF_7, EBX, 3, STATE_SSE},
  {"bmi2", LEAF_7, EBX, 8, STATE_SSE},
  {"avx2", LEAF_7, EBX, 5, STATE_AVX},
  {"avx512f", LEAF_7, EBX, 16, STATE_AVX512},
  {"avx512dq", LEAF_7, EBX, 17, STATE_AVX512},
  {"avx512cd", LEAF_7, EBX, 28, STATE_AVX512},
  {"avx512bw", LEAF_7, EBX, 30, STATE_AVX512},
  {"avx512vl", LEAF_7, EBX, 31, STATE_AVX512},
  {"avx512vbmi", LEAF_7, ECX, 1, STATE_AVX512},
  {"avx512_vbmi2", LEAF_7, ECX, 6, STATE_AVX512},
  {"avx512_vnni", LEAF_7, ECX, 11, STATE_AVX512},
  {"avx512vnni", LEAF_7, ECX, 11, STATE_AVX512},
  {"avx512_fp16", LEAF_7, EDX, 23, STATE_AVX512},
  {"avx512fp16", LEAF_7, EDX, 23, STATE_AVX512},
  {"amx_bf16", LEAF_7, EDX, 22, STATE_AMX},
  {"amx_tile", LEAF_7, EDX, 24, STATE_AMX},
  {"amx_int8", LEAF_7, EDX, 25, STATE_AMX},
  {"avx_vnni", LEAF_7_1, EAX, 4, STATE_AVX},
  {"avx512_bf16", LEAF_7_1, EAX, 5, STATE_AVX512},
  {"avx512bf16", LEAF_7_1, EAX, 5, STATE_AVX512},
};

/// What the processor says of itself, asked once: under a hypervisor each question takes tens of microseconds.
static struct {
  uint32_t leaves[LEAVES][4];
  uint64_t saved;
} processor;

static void ask_processor(void) {
  static const uint32_t leaves[LEAVES][2] = {{1, 0}, {7, 0}, {7, 1}, {0x80000001, 0}};
  for (size_t i = 0; i < LEAVES; i++) {
    uint32_t *r = processor.leaves[i];
    // A leaf that there is not leaves no bit set.
    (void)__get_cpuid_count(leaves[i][0], leaves[i][1], &r[EAX], &r[EBX], &r[ECX], &r[EDX]);
  }
  if (!(processor.leaves[LEAF_1][ECX] & (1u << 27))) return;
  uint32_t a, d;
  __asm__ volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
  processor.saved = (uint64_t)d << 32 | a;
}

/// Whether the system lets this process use tiles: it must be asked first (Linux' Documentation/arch/x86/xstate.rst).
static bool tiles_are_allowed;

static void ask_for_tiles(void) {
#if defined(__linux__)
  enum { REQUEST = 0x1023, TILE_DATA = 18 };
  tiles_are_allowed = syscall(SYS_arch_prctl, REQUEST, TILE_DATA) == 0;
#endif
}

int32_t mlc_cpu_feature(const char *name) {
  static pthread_once_t once = PTHREAD_ONCE_INIT, asked = PTHREAD_ONCE_INIT;
  pthread_once(&once, ask_processor);
  for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
    if (strcmp(features[i].name, name) != 0) continue;
    bool saved = (processor.saved & features[i].state) == features[i].state;
    if (saved && features[i].state == STATE_AMX) {
      pthread_once(&asked, ask_for_tiles);
      saved = tiles_are_allowed;
    }
    return saved && (processor.leaves[features[i].leaf][features[i].reg] >> features[i].bit & 1);
  }
  return -1;
}

#elif defined(__aarch64__)

const char *mlc_cpu_architecture(void) { return "aarch64"; }

// Bits of AT_HWCAP and AT_HWCAP2 as Linux numbers them.
static const struct {
  const char *name;
  uint8_t word, bit;
} features[] = {
  {"fp", 0, 0},      {"asimd", 0, 1},    {"atomics", 0, 8}, {"fphp", 0, 9},  {"asimdhp", 0, 10}, {"asimddp", 0, 20},
  {"asimdfhm", 0, 23}, {"sve", 0, 22},   {"sve2", 1, 1},    {"i8mm", 1, 13}, {"bf16", 1, 14},
};

int32_t mlc_cpu_feature(const char *name) {
#if defined(__linux__)
  for (size_t i = 0; i < sizeof features / sizeof *features; i++)
    if (strcmp(features[i].name, name) == 0)
      return (int32_t)(getauxval(features[i].word ? AT_HWCAP2 : AT_HWCAP) >> features[i].bit & 1);
#endif
  return -1;
}

#else

const char *mlc_cpu_architecture(void) { return "unknown"; }
int32_t mlc_cpu_feature(const char *name) {
  (void)name;
  return -1;
}

#endif
