// Random numbers that are functions of a seed and a place. Products and sums are rounded one by one, so that a machine
// with fused ones gives the same.
#include "CMLCTensor.h"

#include <math.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

typedef struct block {
  uint32_t words[4];
} block;

/// Ten rounds over the counter `index`, keyed by the seed.
static inline block philox(uint64_t seed, uint64_t index) {
  uint32_t a = (uint32_t)index, b = (uint32_t)(index >> 32), c = 0, d = 0;
  uint32_t low_key = (uint32_t)seed, high_key = (uint32_t)(seed >> 32);
  for (int round = 0; round < 10; round++) {
    uint64_t p = (uint64_t)a * 0xD2511F53u, q = (uint64_t)c * 0xCD9E8D57u;
    uint32_t next = (uint32_t)(q >> 32) ^ b ^ low_key;
    c = (uint32_t)(p >> 32) ^ d ^ high_key;
    d = (uint32_t)p;
    b = (uint32_t)q;
    a = next;
    low_key += 0x9E3779B9u;
    high_key += 0xBB67AE85u;
  }
  return (block){{a, b, c, d}};
}

/// Calls `use` with the place of each number and its word.
#define EACH(use) \
  for (ptrdiff_t first = start & ~(ptrdiff_t)3; first < end; first += 4) { \
    block random = philox(seed, (uint64_t)first / 4); \
    for (ptrdiff_t i = first < start ? start : first; i < end && i < first + 4; i++) { \
      uint32_t word = random.words[i - first]; \
      use \
    } \
  }

void mlct_random_uniform(uint64_t seed, double low, double high, float *to, ptrdiff_t start, ptrdiff_t end) {
  double span = high - low;
  float limit = (float)high;
  // What rounds up to the upper end becomes the number below it.
  float last = nextafterf(limit, (float)low);
  EACH(float value = (float)(low + span * ((word >> 8) * 0x1p-24)); to[i - start] = value < limit ? value : last;)
}

void mlct_random_whole(uint64_t seed, int64_t low, uint32_t span, int32_t *to, ptrdiff_t start, ptrdiff_t end) {
  EACH(to[i - start] = (int32_t)(uint32_t)(low + (int64_t)((uint64_t)word * ((uint64_t)span + 1) >> 32));)
}

/// The natural logarithm of a number in (0, 1].
static inline double logarithm(double x) {
  uint64_t bits;
  memcpy(&bits, &x, 8);
  uint64_t shifted = bits + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu);
  double e = (double)(int64_t)(shifted >> 52) - 1023;
  bits = bits - (shifted & 0xfff0000000000000u) + 0x3ff0000000000000u;
  double m;
  memcpy(&m, &bits, 8);
  double s = (m - 1) / (m + 1), z = s * s, p = 0;
  for (int k = 17; k >= 1; k -= 2) p = p * z + 1.0 / k;
  return e * 0x1.62e42fefa39efp-1 + 2 * s * p;
}

/// sin(x) (cos(x)) of |x| at most π / 4.
static inline double series(double x, bool is_sine) {
  double z = x * x, p = 0;
  for (int k = is_sine ? 15 : 14; k >= 2; k -= 2) p = (1 - p) * z / (double)(k * (k - 1));
  return is_sine ? x * (1 - p) : 1 - p;
}

void mlct_random_normal(uint64_t seed, double mean, double deviation, float *to, ptrdiff_t start, ptrdiff_t end) {
  for (ptrdiff_t first = start & ~(ptrdiff_t)3; first < end; first += 4) {
    block random = philox(seed, (uint64_t)first / 4);
    double values[4];
    for (int pair = 0; pair < 4; pair += 2) {
      double radius = sqrt(-2 * logarithm((random.words[pair] + 1.0) * 0x1p-32));
      // An eighth of a turn at most, and in which of eight it lies.
      uint32_t word = random.words[pair + 1];
      double angle = ((word & 0x3fffffff) * 0x1p-30 - 0.5) * 1.5707963267948966;
      double s = series(angle, true), c = series(angle, false);
      uint32_t quarter = word >> 30;
      values[pair] = radius * (quarter == 0 ? c : quarter == 1 ? -s : quarter == 2 ? -c : s);
      values[pair + 1] = radius * (quarter == 0 ? s : quarter == 1 ? c : quarter == 2 ? -s : -c);
    }
    for (int i = 0; i < 4; i++) {
      ptrdiff_t place = first + i;
      if (place >= start && place < end) to[place - start] = (float)(mean + deviation * values[i]);
    }
  }
}
