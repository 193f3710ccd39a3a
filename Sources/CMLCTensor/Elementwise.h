// Element-wise operations on lanes of 32 bits. A file that includes this sets the instruction set before.
#include "Functions.h"
#include "Halves.h"

#define LOOP(body) \
  for (ptrdiff_t i = 0; i < n; i++) { body; }
// Targets are operands of the same program or blocks of their own, never parts of each other: equal or apart.
#define UNARY(name, from, to, expression) \
  static void name(const void *pa, void *pd, ptrdiff_t n) { \
    const from *a = pa; \
    to *d = pd; \
    _Pragma("clang loop vectorize(assume_safety)") LOOP(from x = a[i]; d[i] = (to)(expression)) \
  }
#define BINARY(name, from, to, expression) \
  static void name(const void *pa, const void *pb, void *pd, ptrdiff_t n) { \
    const from *a = pa, *b = pb; \
    to *d = pd; \
    _Pragma("clang loop vectorize(assume_safety)") LOOP(from x = a[i]; from y = b[i]; d[i] = (to)(expression)) \
  }

typedef float f32;
typedef int32_t i32;
typedef uint32_t u32;

BINARY(add_f, f32, f32, x + y)
BINARY(sub_f, f32, f32, x - y)
BINARY(mul_f, f32, f32, x * y)
BINARY(div_f, f32, f32, x / y)
BINARY(min_f, f32, f32, ((x < y) | (x != x)) ? x : y)
BINARY(max_f, f32, f32, ((x > y) | (x != x)) ? x : y)
BINARY(eq_f, f32, i32, x == y)
BINARY(ne_f, f32, i32, x != y)
BINARY(lt_f, f32, i32, x < y)
BINARY(le_f, f32, i32, x <= y)
BINARY(gt_f, f32, i32, x > y)
BINARY(ge_f, f32, i32, x >= y)
BINARY(add_i, u32, u32, x + y)
BINARY(sub_i, u32, u32, x - y)
BINARY(mul_i, u32, u32, x *y)
BINARY(min_i, i32, i32, x < y ? x : y)
BINARY(max_i, i32, i32, x > y ? x : y)
BINARY(eq_i, i32, i32, x == y)
BINARY(ne_i, i32, i32, x != y)
BINARY(lt_i, i32, i32, x < y)
BINARY(le_i, i32, i32, x <= y)
BINARY(gt_i, i32, i32, x > y)
BINARY(ge_i, i32, i32, x >= y)
BINARY(min_u, u32, u32, x < y ? x : y)
BINARY(max_u, u32, u32, x > y ? x : y)
BINARY(lt_u, u32, i32, x < y)
BINARY(le_u, u32, i32, x <= y)
BINARY(gt_u, u32, i32, x > y)
BINARY(ge_u, u32, i32, x >= y)
BINARY(and_i, i32, i32, x &y)
BINARY(or_i, i32, i32, x | y)
BINARY(xor_i, i32, i32, x ^ y)

static inline f32 float_remainder(f32 x, f32 y) {
  f32 rest = fmodf(x, y);
  if (rest == 0) return copysignf(0, y);
  return (rest < 0) != (y < 0) ? rest + y : rest;
}

static inline i32 quotient(i32 x, i32 y) {
  if (y == 0) return 0;
  if (y == -1) return (i32)(0u - (u32)x);
  i32 q = x / y;
  return q * y != x && (x < 0) != (y < 0) ? q - 1 : q;
}

static inline i32 remainder_of(i32 x, i32 y) {
  if (y == 0 || y == -1) return 0;
  i32 rest = x % y;
  return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
}

static inline u32 power(u32 x, u32 exponent) {
  u32 result = 1;
  for (; exponent; exponent >>= 1, x *= x) result = exponent & 1 ? result * x : result;
  return result;
}

/// Of negative exponents the whole part: 0, but for 1 and -1.
static inline i32 signed_power(i32 x, i32 exponent) {
  if (exponent >= 0) return (i32)power((u32)x, (u32)exponent);
  return x == 1 ? 1 : x == -1 ? (exponent & 1 ? -1 : 1) : 0;
}

#define SCALAR_BINARY(name, type, expression) \
  static void name(const void *pa, const void *pb, void *pd, ptrdiff_t n) { \
    const type *a = pa, *b = pb; \
    type *d = pd; \
    LOOP(type x = a[i]; type y = b[i]; d[i] = (expression)) \
  }
SCALAR_BINARY(rem_f, f32, float_remainder(x, y))
SCALAR_BINARY(div_i, i32, quotient(x, y))
SCALAR_BINARY(rem_i, i32, remainder_of(x, y))
SCALAR_BINARY(pow_i, i32, signed_power(x, y))
SCALAR_BINARY(div_u, u32, y ? x / y : 0)
SCALAR_BINARY(rem_u, u32, y ? x % y : 0)
SCALAR_BINARY(pow_u, u32, power(x, y))

/// Positive finite bases and finite exponents in vectors, the others one by one.
static void pow_f(const void *pa, const void *pb, void *pd, ptrdiff_t n) {
  const f32 *a = pa, *b = pb;
  f32 *d = pd;
  enum { STEP = 64 };
  for (ptrdiff_t start = 0; start < n; start += STEP) {
    ptrdiff_t count = n - start < STEP ? n - start : STEP;
    f32 result[STEP];
    u32 special[STEP], any = 0;
    for (ptrdiff_t i = 0; i < count; i++) {
      f32 x = a[start + i], y = b[start + i];
      result[i] = (f32)mlct_exp((double)y * mlct_log(x));
      special[i] = !((x > 0) & (x < INFINITY) & (y < INFINITY) & (y > -INFINITY));
    }
    for (ptrdiff_t i = 0; i < count; i++) any |= special[i];
    for (ptrdiff_t i = 0; any && i < count; i++) {
      if (special[i]) result[i] = powf(a[start + i], b[start + i]);
    }
    memcpy(d + start, result, (size_t)count * 4);
  }
}

UNARY(neg_f, f32, f32, -x)
UNARY(abs_f, u32, u32, x & 0x7fffffff)
UNARY(sign_f, f32, f32, x > 0 ? 1.0f : x < 0 ? -1.0f : x == 0 ? 0.0f : x)
UNARY(ceil_f, f32, f32, __builtin_elementwise_ceil(x))
UNARY(floor_f, f32, f32, __builtin_elementwise_floor(x))
UNARY(round_f, f32, f32, __builtin_elementwise_roundeven(x))
UNARY(reciprocal_f, f32, f32, 1 / x)
UNARY(sqrt_f, f32, f32, __builtin_elementwise_sqrt(x))
UNARY(rsqrt_f, f32, f32, 1 / __builtin_elementwise_sqrt((double)x))
UNARY(square_f, f32, f32, x *x)
UNARY(exp_f, f32, f32, mlct_exp(x))
UNARY(exp2_f, f32, f32, mlct_exp2(x))
UNARY(log_f, f32, f32, mlct_log(x))
UNARY(asin_f, f32, f32, mlct_asin(x))
UNARY(acos_f, f32, f32, mlct_acos(x))
UNARY(atan_f, f32, f32, mlct_atan(x))
UNARY(sinh_f, f32, f32, mlct_sinh(x))
UNARY(cosh_f, f32, f32, mlct_cosh(x))
UNARY(tanh_f, f32, f32, mlct_tanh(x))
UNARY(asinh_f, f32, f32, mlct_asinh(x))
UNARY(acosh_f, f32, f32, mlct_acosh(x))
UNARY(atanh_f, f32, f32, mlct_atanh(x))

/// Angles that are too large to be reduced in double precision are left to the C library.
#define ANGULAR(name, function) \
  static void name(const void *pa, void *pd, ptrdiff_t n) { \
    const f32 *a = pa; \
    f32 *d = pd; \
    enum { STEP = 64 }; \
    for (ptrdiff_t start = 0; start < n; start += STEP) { \
      ptrdiff_t count = n - start < STEP ? n - start : STEP; \
      f32 result[STEP]; \
      u32 any = 0; \
      for (ptrdiff_t i = 0; i < count; i++) { \
        f32 x = a[start + i]; \
        result[i] = (f32)mlct_##function(x); \
        any |= (u32)!(fabsf(x) <= MLCT_LARGEST_ANGLE); \
      } \
      for (ptrdiff_t i = 0; any && i < count; i++) { \
        f32 x = a[start + i]; \
        if (!(fabsf(x) <= MLCT_LARGEST_ANGLE)) result[i] = (f32)function((double)x); \
      } \
      memcpy(d + start, result, (size_t)count * 4); \
    } \
  }
ANGULAR(sin_f, sin)
ANGULAR(cos_f, cos)
ANGULAR(tan_f, tan)

UNARY(neg_i, u32, u32, 0u - x)
UNARY(abs_i, i32, u32, x < 0 ? 0u - (u32)x : (u32)x)
UNARY(sign_i, i32, i32, (x > 0) - (x < 0))
UNARY(sign_u, u32, u32, x > 0)
UNARY(not_i, i32, i32, x == 0)
UNARY(square_i, u32, u32, x *x)

#define CUT(x, low, high) ((x) != (x) ? 0 : (x) <= (low) ? (low) : (x) >= (high) ? (high) : (x))
UNARY(int32_f, f32, i32, x != x ? 0 : x <= -0x1p31f ? INT32_MIN : x >= 0x1p31f ? INT32_MAX : (i32)x)
UNARY(int16_f, f32, i32, CUT(x, -32768.0f, 32767.0f))
UNARY(int8_f, f32, i32, CUT(x, -128.0f, 127.0f))
UNARY(uint32_f, f32, u32, !(x > 0) ? 0 : x >= 0x1p32f ? UINT32_MAX : (u32)x)
UNARY(uint16_f, f32, i32, CUT(x, 0.0f, 65535.0f))
UNARY(uint8_f, f32, i32, CUT(x, 0.0f, 255.0f))
UNARY(bool_f, f32, i32, x != 0)
UNARY(bool_i, i32, i32, x != 0)
UNARY(float_i, i32, f32, x)
UNARY(float_u, u32, f32, x)
UNARY(wrap16_i, u32, i32, (int16_t)x)
UNARY(wrap8_i, u32, i32, (int8_t)x)
UNARY(wrap16_u, u32, i32, (uint16_t)x)
UNARY(wrap8_u, u32, i32, (uint8_t)x)
UNARY(wrap_none, u32, u32, x)
#ifdef MLCT_F16C
UNARY(round16_f, f32, f32, (f32)(_Float16)x)
#else
UNARY(round16_f, f32, f32, mlct_from_half(mlct_to_half(x)))
#endif

static void select_lanes(const void *pa, const void *pb, const void *pc, void *pd, ptrdiff_t n) {
  const u32 *a = pa, *b = pb, *c = pc;
  u32 *d = pd;
  _Pragma("clang loop vectorize(assume_safety)") LOOP(d[i] = a[i] ? b[i] : c[i])
}

typedef void (*binary)(const void *, const void *, void *, ptrdiff_t);
typedef void (*unary)(const void *, void *, ptrdiff_t);

static const binary binaries[] = {
  add_f, sub_f, mul_f, div_f, rem_f, pow_f, min_f, max_f, eq_f, ne_f, lt_f, le_f, gt_f, ge_f,
  add_i, sub_i, mul_i, div_i, rem_i, pow_i, min_i, max_i, eq_i, ne_i, lt_i, le_i, gt_i, ge_i,
  div_u, rem_u, pow_u, min_u, max_u, lt_u, le_u, gt_u, ge_u, and_i, or_i, xor_i,
};
static const unary unaries[] = {
  neg_f, abs_f, sign_f, ceil_f, floor_f, round_f, reciprocal_f, sqrt_f, rsqrt_f, square_f, exp_f, exp2_f, log_f,
  sin_f, cos_f, tan_f, asin_f, acos_f, atan_f, sinh_f, cosh_f, tanh_f, asinh_f, acosh_f, atanh_f,
  neg_i, abs_i, sign_i, sign_u, not_i, square_i,
  int32_f, int16_f, int8_f, uint32_f, uint16_f, uint8_f, bool_f, bool_i, float_i, float_u,
  wrap16_i, wrap8_i, wrap16_u, wrap8_u, wrap_none, round16_f,
};
_Static_assert(sizeof binaries / sizeof *binaries == MLCT_NEG_F, "an operation of two operands is missing");
_Static_assert(sizeof unaries / sizeof *unaries == MLCT_SELECT - MLCT_NEG_F, "an operation of one operand is missing");
