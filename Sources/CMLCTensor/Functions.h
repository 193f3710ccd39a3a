// Elementary functions of floats, in double precision without branches, so that loops over them become vectors. Before
// the last rounding their relative error is below 2^-30: the result is the nearest float or, rarely, the next.
#ifndef MLCT_FUNCTIONS_H
#define MLCT_FUNCTIONS_H
#include <math.h>
#include <stdint.h>
#include <string.h>

#define MLCT_INLINE static inline __attribute__((always_inline))

MLCT_INLINE uint64_t mlct_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, 8);
  return bits;
}

MLCT_INLINE double mlct_double(uint64_t bits) {
  double value;
  memcpy(&value, &bits, 8);
  return value;
}

/// Added to a number, it leaves the nearest whole number in the low bits.
#define MLCT_ROUNDER 0x1.8p52

/// 2^k · e^r of |r| at most ln 2 / 2, k in the low bits of `shifted`.
MLCT_INLINE double mlct_scaled_exp(double r, double shifted) {
  double p = 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = p * r + 1;
  p = p * r + 1;
  return p * mlct_double((mlct_bits(shifted) << 52) + 0x3ff0000000000000u);
}

/// Floats are 0 or infinite beyond 160 already.
MLCT_INLINE double mlct_limited(double x, double limit) {
  x = x > limit ? limit : x;
  return x < -limit ? -limit : x;
}

MLCT_INLINE double mlct_exp(double x) {
  x = mlct_limited(x, 160);
  double shifted = x * 0x1.71547652b82fep+0 + MLCT_ROUNDER, k = shifted - MLCT_ROUNDER;
  double r = x - k * 0x1.62e42fefa39efp-1;
  return mlct_scaled_exp(r, shifted);
}

MLCT_INLINE double mlct_exp2(double x) {
  x = mlct_limited(x, 230);
  double shifted = x + MLCT_ROUNDER, k = shifted - MLCT_ROUNDER;
  return mlct_scaled_exp((x - k) * 0x1.62e42fefa39efp-1, shifted);
}

/// Of what no float's square root, reciprocal or square is too small for: m · 2^e, m about 1, and the series of
/// artanh.
MLCT_INLINE double mlct_log(double x) {
  uint64_t bits = mlct_bits(x), shifted = bits + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu);
  double e = mlct_double(shifted >> 52 | 0x4330000000000000u) - (0x1p52 + 1023);
  double m = mlct_double(bits - (shifted & 0xfff0000000000000u) + 0x3ff0000000000000u);
  double s = (m - 1) / (m + 1), z = s * s, p = 1.0 / 17;
  p = p * z + 1.0 / 15;
  p = p * z + 1.0 / 13;
  p = p * z + 1.0 / 11;
  p = p * z + 1.0 / 9;
  p = p * z + 1.0 / 7;
  p = p * z + 1.0 / 5;
  p = p * z + 1.0 / 3;
  double result = e * 0x1.62e42fefa39efp-1 + (2 * s + 2 * s * z * p);
  result = x > 0 ? result : (x == 0 ? -INFINITY : NAN);
  return x == INFINITY ? INFINITY : result;
}

/// Up to which sines reduce their argument themselves.
#define MLCT_LARGEST_ANGLE 0x1p20f

typedef struct mlct_angle {
  double r;
  uint64_t quadrant;
} mlct_angle;

MLCT_INLINE mlct_angle mlct_reduced(double x) {
  double shifted = x * 0x1.45f306dc9c883p-1 + MLCT_ROUNDER, k = shifted - MLCT_ROUNDER;
  // π / 2 in parts of 33 bits, whose products with k are exact.
  double r = x - k * 0x1.921fb544p+0;
  r = r - k * 0x1.0b4611a6p-34;
  r = r - k * 0x1.3198a2e037073p-69;
  return (mlct_angle){r, mlct_bits(shifted)};
}

MLCT_INLINE double mlct_small_sin(double r) {
  double z = r * r, p = 1.0 / 6227020800;
  p = p * z - 1.0 / 39916800;
  p = p * z + 1.0 / 362880;
  p = p * z - 1.0 / 5040;
  p = p * z + 1.0 / 120;
  p = p * z - 1.0 / 6;
  return r + r * z * p;
}

MLCT_INLINE double mlct_small_cos(double r) {
  double z = r * r, p = 1.0 / 479001600;
  p = p * z - 1.0 / 3628800;
  p = p * z + 1.0 / 40320;
  p = p * z - 1.0 / 720;
  p = p * z + 1.0 / 24;
  p = p * z - 0.5;
  return 1 + z * p;
}

MLCT_INLINE double mlct_signed(double value, uint64_t sign) { return mlct_double(mlct_bits(value) ^ sign << 63); }

MLCT_INLINE double mlct_sin(double x) {
  mlct_angle a = mlct_reduced(x);
  double value = a.quadrant & 1 ? mlct_small_cos(a.r) : mlct_small_sin(a.r);
  return mlct_signed(value, a.quadrant >> 1 & 1);
}

MLCT_INLINE double mlct_cos(double x) {
  mlct_angle a = mlct_reduced(x);
  double value = a.quadrant & 1 ? mlct_small_sin(a.r) : mlct_small_cos(a.r);
  return mlct_signed(value, (a.quadrant + 1) >> 1 & 1);
}

MLCT_INLINE double mlct_tan(double x) {
  mlct_angle a = mlct_reduced(x);
  double s = mlct_small_sin(a.r), c = mlct_small_cos(a.r);
  return a.quadrant & 1 ? -c / s : s / c;
}

/// Of 0 and more: reduced to [0, tan(π / 8)].
MLCT_INLINE double mlct_positive_atan(double x) {
  double inverse = 1 / x, t = x > 1 ? inverse : x;
  double u = (t - 1) / (t + 1);
  double v = t > 0.41421356237309503 ? u : t, z = v * v, p = -1.0 / 23;
  p = p * z + 1.0 / 21;
  p = p * z - 1.0 / 19;
  p = p * z + 1.0 / 17;
  p = p * z - 1.0 / 15;
  p = p * z + 1.0 / 13;
  p = p * z - 1.0 / 11;
  p = p * z + 1.0 / 9;
  p = p * z - 1.0 / 7;
  p = p * z + 1.0 / 5;
  p = p * z - 1.0 / 3;
  double angle = v + v * z * p;
  angle = t > 0.41421356237309503 ? angle + 0.7853981633974483 : angle;
  return x > 1 ? 1.5707963267948966 - angle : angle;
}

MLCT_INLINE double mlct_copysign(double magnitude, double sign) {
  return mlct_double((mlct_bits(magnitude) & ~(1ull << 63)) | (mlct_bits(sign) & 1ull << 63));
}

MLCT_INLINE double mlct_abs(double x) { return mlct_double(mlct_bits(x) & ~(1ull << 63)); }

MLCT_INLINE double mlct_atan(double x) { return mlct_copysign(mlct_positive_atan(mlct_abs(x)), x); }

MLCT_INLINE double mlct_asin(double x) {
  double a = mlct_abs(x);
  return mlct_copysign(mlct_positive_atan(a / __builtin_elementwise_sqrt(1 - a * a)), x);
}

MLCT_INLINE double mlct_acos(double x) {
  return 2 * mlct_positive_atan(__builtin_elementwise_sqrt((1 - x) / (1 + x)));
}

// Near 0 the forms with exponentials and logarithms lose what is small; there the first two terms of the series are
// exact.
#define MLCT_SMALL 0x1p-13

MLCT_INLINE double mlct_tanh(double x) {
  double e = mlct_exp(2 * x), value = (e - 1) / (e + 1);
  return mlct_abs(x) < MLCT_SMALL ? x - x * x * x * (1.0 / 3) : value;
}

MLCT_INLINE double mlct_sinh(double x) {
  double e = mlct_exp(x), value = 0.5 * (e - 1 / e);
  return mlct_abs(x) < MLCT_SMALL ? x + x * x * x * (1.0 / 6) : value;
}

MLCT_INLINE double mlct_cosh(double x) {
  double e = mlct_exp(x);
  return 0.5 * (e + 1 / e);
}

MLCT_INLINE double mlct_asinh(double x) {
  double a = mlct_abs(x), value = mlct_log(a + __builtin_elementwise_sqrt(a * a + 1));
  return mlct_copysign(a < MLCT_SMALL ? a - a * a * a * (1.0 / 6) : value, x);
}

MLCT_INLINE double mlct_acosh(double x) {
  double value = mlct_log(x + __builtin_elementwise_sqrt(x * x - 1));
  return x < 1 ? NAN : value;
}

MLCT_INLINE double mlct_atanh(double x) {
  double value = 0.5 * mlct_log((1 + x) / (1 - x));
  return mlct_abs(x) < MLCT_SMALL ? x + x * x * x * (1.0 / 3) : value;
}
#endif
