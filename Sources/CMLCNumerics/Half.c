#include "CMLCNumerics.h"
#include <math.h>
#include <string.h>

static float float_of_half(uint16_t half) {
  uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31, mantissa = half & 1023, bits;
  if (exponent == 31) {
    bits = sign | 0x7f800000 | mantissa << 13;
  } else if (exponent) {
    bits = sign | (exponent + 112) << 23 | mantissa << 13;
  } else {
    float value = (float)mantissa * 0x1p-24f;
    return sign ? -value : value;
  }
  float value;
  memcpy(&value, &bits, 4);
  return value;
}

/// `value` rounded to a format of `mantissa` explicit bits, exponents `least` and up, largest finite `top`.
static double rounded(double value, int mantissa, int least, double top) {
  if (!isfinite(value) || value == 0) return value;
  int exponent;
  frexp(value, &exponent);
  exponent -= 1;
  if (exponent < least) exponent = least;
  double step = ldexp(1, exponent - mantissa), result = nearbyint(value / step) * step;
  return fabs(result) > top ? copysign(INFINITY, value) : result;
}

static uint16_t half_of_double(double value) {
  uint16_t sign = signbit(value) ? 0x8000 : 0;
  if (isnan(value)) return sign | 0x7e00;
  double magnitude = fabs(rounded(value, 10, -14, 65504));
  if (isinf(magnitude)) return sign | 0x7c00;
  if (magnitude < 0x1p-14) return sign | (uint16_t)(magnitude * 0x1p24);
  int exponent;
  double fraction = frexp(magnitude, &exponent);
  return sign | (uint16_t)((exponent + 14) << 10) | (uint16_t)((fraction * 2 - 1) * 1024);
}

void mlc_half_from_double(const double *from, uint16_t *to, size_t count) {
  for (size_t i = 0; i < count; ++i) to[i] = half_of_double(from[i]);
}

void mlc_bfloat16_from_double(const double *from, uint16_t *to, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    float value = (float)rounded(from[i], 7, -126, 0x1.fep127);
    if (isnan(from[i])) value = NAN;
    uint32_t bits;
    memcpy(&bits, &value, 4);
    to[i] = (uint16_t)(bits >> 16);
  }
}

#if defined(__x86_64__)
__attribute__((target("avx2,f16c"))) static void float_from_half_f16c(const uint16_t *from, float *to, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    _Float16 half;
    memcpy(&half, from + i, 2);
    to[i] = (float)half;
  }
}
__attribute__((target("avx2,f16c"))) static void half_from_float_f16c(const float *from, uint16_t *to, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    _Float16 half = (_Float16)from[i];
    memcpy(to + i, &half, 2);
  }
}
static int has_f16c(void) { return __builtin_cpu_supports("f16c") && __builtin_cpu_supports("avx2"); }
#else
static int has_f16c(void) { return 0; }
static void float_from_half_f16c(const uint16_t *from, float *to, size_t count) { (void)from, (void)to, (void)count; }
static void half_from_float_f16c(const float *from, uint16_t *to, size_t count) { (void)from, (void)to, (void)count; }
#endif

void mlc_float_from_half(const uint16_t *from, float *to, size_t count) {
  if (has_f16c()) {
    float_from_half_f16c(from, to, count);
    return;
  }
  for (size_t i = 0; i < count; ++i) to[i] = float_of_half(from[i]);
}

void mlc_half_from_float(const float *from, uint16_t *to, size_t count) {
  if (has_f16c()) {
    half_from_float_f16c(from, to, count);
    return;
  }
  for (size_t i = 0; i < count; ++i) to[i] = half_of_double(from[i]);
}
