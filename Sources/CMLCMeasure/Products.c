#include "Crew.h"

// The loops are assembly, so that they are the same in builds without optimisation, need no C compiler where packages
// run, and hold nothing but what is measured. Twelve sums hide the latency of two units that take one instruction a
// cycle each; every register is zero, which no unit is slower for.

#if defined(__x86_64__)

#define REGISTERS(v) v "0", v "1", v "2", v "3", v "4", v "5", v "6", v "7", v "8", v "9", v "10", v "11", \
  v "14", v "15"
#define SUMS(op, r) \
  op " %%" r "14, %%" r "15, %%" r "0\n" op " %%" r "14, %%" r "15, %%" r "1\n" \
  op " %%" r "14, %%" r "15, %%" r "2\n" op " %%" r "14, %%" r "15, %%" r "3\n" \
  op " %%" r "14, %%" r "15, %%" r "4\n" op " %%" r "14, %%" r "15, %%" r "5\n" \
  op " %%" r "14, %%" r "15, %%" r "6\n" op " %%" r "14, %%" r "15, %%" r "7\n" \
  op " %%" r "14, %%" r "15, %%" r "8\n" op " %%" r "14, %%" r "15, %%" r "9\n" \
  op " %%" r "14, %%" r "15, %%" r "10\n" op " %%" r "14, %%" r "15, %%" r "11\n"
#define CLEAR(i) "vpxor %%xmm" i ", %%xmm" i ", %%xmm" i "\n"
#define CLEAR_ALL \
  CLEAR("0") CLEAR("1") CLEAR("2") CLEAR("3") CLEAR("4") CLEAR("5") CLEAR("6") CLEAR("7") CLEAR("8") CLEAR("9") \
  CLEAR("10") CLEAR("11") CLEAR("14") CLEAR("15")
#define LOOP(features, name, op, r) \
  __attribute__((target(features))) static void name(int64_t rounds) { \
    __asm__ volatile(CLEAR_ALL "1:\n" SUMS(op, r) "decq %0\njnz 1b\nvzeroupper\n" \
                     : "+r"(rounds) : : "cc", REGISTERS("xmm")); \
  }

LOOP("avx,fma", float_256, "vfmadd231ps", "ymm")
LOOP("avx512f", float_512, "vfmadd231ps", "zmm")
LOOP("avx512f,avx512vnni", byte_512, "vpdpbusd", "zmm")
LOOP("avx512f,avx512bf16", bfloat_512, "vdpbf16ps", "zmm")

// Without fused operations: six products beside six sums.
static void float_128(int64_t rounds) {
#define PAIR(i, j) "mulps %%xmm15, %%xmm" i "\naddps %%xmm14, %%xmm" j "\n"
  __asm__ volatile(
    "xorps %%xmm14, %%xmm14\nxorps %%xmm15, %%xmm15\nxorps %%xmm0, %%xmm0\nxorps %%xmm1, %%xmm1\n"
    "xorps %%xmm2, %%xmm2\nxorps %%xmm3, %%xmm3\nxorps %%xmm4, %%xmm4\nxorps %%xmm5, %%xmm5\n"
    "xorps %%xmm6, %%xmm6\nxorps %%xmm7, %%xmm7\nxorps %%xmm8, %%xmm8\nxorps %%xmm9, %%xmm9\n"
    "xorps %%xmm10, %%xmm10\nxorps %%xmm11, %%xmm11\n"
    "1:\n" PAIR("0", "6") PAIR("1", "7") PAIR("2", "8") PAIR("3", "9") PAIR("4", "10") PAIR("5", "11")
    "decq %0\njnz 1b\n"
    : "+r"(rounds) : : "cc", REGISTERS("xmm"));
}

static const struct {
  uint8_t palette, start, reserved[14];
  uint16_t bytes[16];
  uint8_t rows[16];
} shapes = {1, 0, {0}, {64, 64, 64, 64, 64, 64}, {16, 16, 16, 16, 16, 16}};

#define ZERO(i) "tilezero %%tmm" i "\n"
#define TILE(op, i) op " %%tmm5, %%tmm4, %%tmm" i "\n"
/// Four tiles of sums hide the latency of the unit.
#define TILE_LOOP(features, name, op) \
  __attribute__((target(features))) static void name(int64_t rounds) { \
    __asm__ volatile( \
      "ldtilecfg %1\n" ZERO("0") ZERO("1") ZERO("2") ZERO("3") ZERO("4") ZERO("5") \
      "1:\n" TILE(op, "0") TILE(op, "1") TILE(op, "2") TILE(op, "3") "decq %0\njnz 1b\ntilerelease\n" \
      : "+r"(rounds) : "m"(shapes) : "cc"); \
  }

TILE_LOOP("amx-tile,amx-bf16", bfloat_tile, "tdpbf16ps")
TILE_LOOP("amx-tile,amx-int8", byte_tile, "tdpbusd")

static const struct {
  void (*run)(int64_t rounds);
  double operations;
} units[] = {
  [MLC_UNIT_FLOAT_128] = {float_128, 12 * 4},        [MLC_UNIT_FLOAT_256] = {float_256, 12 * 8 * 2},
  [MLC_UNIT_FLOAT_512] = {float_512, 12 * 16 * 2},   [MLC_UNIT_BYTE_512] = {byte_512, 12 * 64 * 2},
  [MLC_UNIT_BFLOAT_512] = {bfloat_512, 12 * 32 * 2}, [MLC_UNIT_BFLOAT_TILE] = {bfloat_tile, 4 * 16 * 16 * 32 * 2},
  [MLC_UNIT_BYTE_TILE] = {byte_tile, 4 * 16 * 16 * 64 * 2},
};

#elif defined(__aarch64__)

#define SUM(i) "fmla v" i ".4s, v30.4s, v31.4s\n"
#define HALF_SUM(i) "fmla v" i ".8h, v30.8h, v31.8h\n"
#define CLEAR(i) "movi v" i ".4s, #0\n"
#define ALL(f) f("0") f("1") f("2") f("3") f("4") f("5") f("16") f("17") f("18") f("19") f("20") f("21") f("22") \
  f("23") f("24") f("25")
#define LOOP(name, extension, sum) \
  static void name(int64_t rounds) { \
    __asm__ volatile(extension CLEAR("30") CLEAR("31") ALL(CLEAR) "1:\n" ALL(sum) "subs %0, %0, #1\nb.ne 1b\n" \
                     : "+r"(rounds) : : "cc", "v0", "v1", "v2", "v3", "v4", "v5", "v16", "v17", "v18", "v19", "v20", \
                       "v21", "v22", "v23", "v24", "v25", "v30", "v31"); \
  }

LOOP(float_128, "", SUM)
LOOP(half_128, ".arch_extension fp16\n", HALF_SUM)

static const struct {
  void (*run)(int64_t rounds);
  double operations;
} units[] = {
  [MLC_UNIT_FLOAT_128] = {float_128, 16 * 4 * 2},
  [MLC_UNIT_HALF_128] = {half_128, 16 * 8 * 2},
};

#else

static const struct {
  void (*run)(int64_t rounds);
  double operations;
} units[1];

#endif

/// Long enough beside the clock, short enough that some window is not interrupted.
enum { ROUNDS = 20000, WINDOWS = 12 };

static double multiply(void *context, int32_t index) {
  (void)index;
  mlc_unit unit = *(const mlc_unit *)context;
  double best = 0;
  // The first windows raise the clock's rate and wake the wide units.
  for (int i = 0; i < WINDOWS; i++) {
    double start = crew_seconds();
    units[unit].run(ROUNDS);
    double rate = ROUNDS * units[unit].operations / (crew_seconds() - start);
    if (rate > best) best = rate;
  }
  return best;
}

double mlc_measure_products(mlc_unit unit, int32_t threads) {
  if ((size_t)unit >= sizeof units / sizeof *units || !units[unit].run) return 0;
  return mlc_measure_together(multiply, &unit, threads);
}
