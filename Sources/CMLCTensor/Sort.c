// Order: where the largest stands, and sorting by keys that compare as unsigned numbers.
#include "Halves.h"

#include "CMLCTensor.h"

/// An element as a number that orders as elements do; NaN is the largest, and -0 equals 0.
static uint32_t key(mlct_type type, const void *from, ptrdiff_t i) {
  switch (type) {
  case MLCT_FLOAT32:
  case MLCT_FLOAT16: {
    float value = type == MLCT_FLOAT32 ? ((const float *)from)[i] : mlct_from_half(((const uint16_t *)from)[i]);
    if (value != value) return UINT32_MAX;
    uint32_t bits = mlct_float_bits(value + 0.0f);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
  }
  case MLCT_INT32: return (uint32_t)((const int32_t *)from)[i] ^ 0x80000000u;
  case MLCT_INT16: return (uint32_t)((const int16_t *)from)[i] ^ 0x80000000u;
  case MLCT_INT8: return (uint32_t)((const int8_t *)from)[i] ^ 0x80000000u;
  case MLCT_UINT32: return ((const uint32_t *)from)[i];
  case MLCT_UINT16: return ((const uint16_t *)from)[i];
  default: return ((const uint8_t *)from)[i];
  }
}

static bool is_float(mlct_type type) { return type == MLCT_FLOAT32 || type == MLCT_FLOAT16; }

#define SCAN(element) \
  { \
    const element *a = from; \
    for (ptrdiff_t i = 1; i < n; i++) { \
      element x = a[i * stride], y = a[best * stride]; \
      if (is_largest ? x > y : x < y) best = i; \
    } \
  }
#define PLAIN(x) (x)

int32_t mlct_extreme_place(bool is_largest, mlct_type type, const void *from, ptrdiff_t n, ptrdiff_t stride) {
  ptrdiff_t best = 0;
  switch (type) {
  case MLCT_FLOAT32: {
    const float *a = from;
    if (a[0] != a[0]) return 0;
    float top = a[0];
    for (ptrdiff_t i = 1; i < n; i++) {
      float x = a[i * stride];
      if (x != x) return (int32_t)i;
      if (is_largest ? x > top : x < top) {
        top = x;
        best = i;
      }
    }
    break;
  }
  case MLCT_FLOAT16: {
    const uint16_t *a = from;
    float top = mlct_from_half(a[0]);
    for (ptrdiff_t i = 0; i < n; i++) {
      float x = mlct_from_half(a[i * stride]);
      if (x != x) return (int32_t)i;
      if (is_largest ? x > top : x < top) {
        top = x;
        best = i;
      }
    }
    break;
  }
  case MLCT_INT32: SCAN(int32_t) break;
  case MLCT_INT16: SCAN(int16_t) break;
  case MLCT_INT8: SCAN(int8_t) break;
  case MLCT_UINT32: SCAN(uint32_t) break;
  case MLCT_UINT16: SCAN(uint16_t) break;
  default: SCAN(uint8_t) break;
  }
  return (int32_t)best;
}

enum { INSERTED = 48, DIGITS = 11, BUCKETS = 1 << DIGITS };

static void insert(ptrdiff_t n, uint32_t *keys, int32_t *places) {
  for (ptrdiff_t i = 1; i < n; i++) {
    uint32_t moved = keys[i];
    int32_t place = places[i];
    ptrdiff_t j = i;
    for (; j > 0 && keys[j - 1] > moved; j--) {
      keys[j] = keys[j - 1];
      places[j] = places[j - 1];
    }
    keys[j] = moved;
    places[j] = place;
  }
}

void mlct_sort(mlct_type type, bool descends, const void *from, ptrdiff_t n, ptrdiff_t stride, int32_t *places,
               uint32_t *scratch) {
  uint32_t *keys = scratch, *other_keys = scratch + n;
  int32_t *now = places, *next = (int32_t *)scratch + 2 * n;
  for (ptrdiff_t i = 0; i < n; i++) {
    uint32_t k = key(type, from, i * stride);
    // Upside down, but for NaN.
    if (descends) k = is_float(type) && k == UINT32_MAX ? k : (is_float(type) ? UINT32_MAX - 1 : UINT32_MAX) - k;
    keys[i] = k;
    places[i] = (int32_t)i;
  }
  if (n <= INSERTED) {
    insert(n, keys, places);
    return;
  }
  for (int shift = 0; shift < 32; shift += DIGITS) {
    uint32_t starts[BUCKETS] = {0};
    for (ptrdiff_t i = 0; i < n; i++) starts[keys[i] >> shift & (BUCKETS - 1)]++;
    uint32_t sum = 0;
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      uint32_t count = starts[bucket];
      starts[bucket] = sum;
      sum += count;
    }
    for (ptrdiff_t i = 0; i < n; i++) {
      uint32_t to = starts[keys[i] >> shift & (BUCKETS - 1)]++;
      other_keys[to] = keys[i];
      next[to] = now[i];
    }
    uint32_t *swapped_keys = keys;
    keys = other_keys;
    other_keys = swapped_keys;
    int32_t *swapped = now;
    now = next;
    next = swapped;
  }
  // Three passes: the last wrote what is no result yet.
  if (now != places) memcpy(places, now, (size_t)n * 4);
}

#define RUNNING(element, wide, read, write) \
  { \
    const element *a = from; \
    element *d = to; \
    for (ptrdiff_t j = 0; j < inner; j++) { \
      wide s = multiplies ? 1 : 0; \
      for (ptrdiff_t i = 0; i < n; i++) { \
        wide v = read(a[i * inner + j]); \
        s = multiplies ? s * v : s + v; \
        d[i * inner + j] = (element)write(s); \
      } \
    } \
  }
#define TO_HALF(x) mlct_to_half((float)(x))

void mlct_accumulate(bool multiplies, mlct_type type, const void *from, void *to, ptrdiff_t n, ptrdiff_t inner) {
  switch (type) {
  case MLCT_FLOAT32: RUNNING(float, double, PLAIN, PLAIN) break;
  case MLCT_FLOAT16: RUNNING(uint16_t, double, mlct_from_half, TO_HALF) break;
  case MLCT_INT32: case MLCT_UINT32: RUNNING(uint32_t, uint32_t, PLAIN, PLAIN) break;
  case MLCT_INT16: case MLCT_UINT16: RUNNING(uint16_t, uint32_t, PLAIN, PLAIN) break;
  default: RUNNING(uint8_t, uint32_t, PLAIN, PLAIN) break;
  }
}
