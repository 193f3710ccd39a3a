#include "CMLCPixels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GLIBC__)
#define FOR_EACH_CPU __attribute__((target_clones("avx2", "sse4.1", "default")))
#else
#define FOR_EACH_CPU
#endif

/// Weights are whole numbers of 2^-22, so that 255 times weights that add up to 1 fit 32 bits.
enum { weight_bits = 22 };

/// For each target pixel its source pixels: `count[i]` from `first[i]` on, of weights `weights + i · stride`.
typedef struct {
  int32_t *first, *count, *weights;
  int32_t stride;
} taps;

static void free_taps(taps *t) {
  free(t->first);
  free(t->count);
  free(t->weights);
}

/// Of the target pixel whose centre lies at `centre` in the source, `reach` pixels around it.
static int32_t weigh(int32_t *weights, int32_t *first, int32_t extent, double centre, double reach) {
  const double low = centre - reach + 0.5, high = centre + reach + 0.5;
  const int32_t start = low < 0 ? 0 : (int32_t)low, end = high > extent ? extent : (int32_t)high;
  double sum = 0;
  for (int32_t place = start; place < end; place++) sum += fmax(0, 1 - fabs((place - centre + 0.5) / reach));
  for (int32_t place = start; place < end; place++) {
    const double weight = fmax(0, 1 - fabs((place - centre + 0.5) / reach));
    weights[place - start] = (int32_t)(weight / sum * (1 << weight_bits) + 0.5);
  }
  *first = start;
  return end - start;
}

static int make_taps(taps *t, int32_t extent, double low, double high, int32_t target) {
  const double scale = (high - low) / target, reach = scale > 1 ? scale : 1;
  t->stride = 2 * (int32_t)ceil(reach) + 1;
  t->first = malloc(sizeof(int32_t) * target);
  t->count = malloc(sizeof(int32_t) * target);
  t->weights = malloc(sizeof(int32_t) * target * (size_t)t->stride);
  if (!t->first || !t->count || !t->weights) return 1;
  for (int32_t i = 0; i < target; i++) {
    t->count[i] = weigh(t->weights + (size_t)i * t->stride, t->first + i, extent, low + (i + 0.5) * scale, reach);
  }
  return 0;
}

static inline uint8_t byte_of(int32_t sum) {
  const int32_t value = sum >> weight_bits;
  return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value;
}

static inline __attribute__((always_inline)) void blend_columns(
    const uint8_t *source, const taps *t, uint8_t *target, int32_t width, const int32_t channels) {
  for (int32_t x = 0; x < width; x++) {
    const uint8_t *pixel = source + (size_t)t->first[x] * channels;
    const int32_t *weight = t->weights + (size_t)x * t->stride;
    int32_t sums[4] = {1 << (weight_bits - 1), 1 << (weight_bits - 1), 1 << (weight_bits - 1), 1 << (weight_bits - 1)};
    for (int32_t i = 0; i < t->count[x]; i++, pixel += channels) {
      for (int32_t c = 0; c < channels; c++) sums[c] += weight[i] * pixel[c];
    }
    for (int32_t c = 0; c < channels; c++) target[(size_t)x * channels + c] = byte_of(sums[c]);
  }
}

FOR_EACH_CPU static void resample_row(
    const uint8_t *source, const taps *t, uint8_t *target, int32_t width, int32_t channels) {
  switch (channels) {
    case 1: blend_columns(source, t, target, width, 1); break;
    case 2: blend_columns(source, t, target, width, 2); break;
    case 3: blend_columns(source, t, target, width, 3); break;
    default: blend_columns(source, t, target, width, 4); break;
  }
}

/// One target row of `length` bytes: `count` rows of `source`, weighted.
FOR_EACH_CPU static void blend_rows(
    const uint8_t *source, size_t row, const int32_t *weights, int32_t count, uint8_t *target, size_t length) {
  enum { block = 512 };
  int32_t sums[block];
  for (size_t start = 0; start < length; start += block) {
    const size_t size = length - start < block ? length - start : block;
    for (size_t i = 0; i < size; i++) sums[i] = 1 << (weight_bits - 1);
    for (int32_t tap = 0; tap < count; tap++) {
      const uint8_t *line = source + (size_t)tap * row + start;
      const int32_t weight = weights[tap];
      for (size_t i = 0; i < size; i++) sums[i] += weight * line[i];
    }
    for (size_t i = 0; i < size; i++) target[start + i] = byte_of(sums[i]);
  }
}

int mlc_resample(
    const uint8_t *source, size_t source_row, int32_t width, int32_t height, int32_t channels, mlc_pixel_box box,
    uint8_t *target, size_t target_row, int32_t target_width, int32_t target_height) {
  const size_t length = (size_t)target_width * channels;
  taps columns = {0}, rows = {0};
  uint8_t *narrow = NULL;
  int status = make_taps(&columns, width, box.left, box.right, target_width)
               || make_taps(&rows, height, box.top, box.bottom, target_height);
  if (!status) {
    const int32_t last = target_height - 1, first = rows.first[0], end = rows.first[last] + rows.count[last];
    narrow = malloc(length * (size_t)(end - first));
    status = !narrow;
    for (int32_t y = first; !status && y < end; y++) {
      uint8_t *line = narrow + length * (size_t)(y - first);
      resample_row(source + source_row * (size_t)y, &columns, line, target_width, channels);
    }
    for (int32_t y = 0; !status && y < target_height; y++) {
      const uint8_t *lines = narrow + length * (size_t)(rows.first[y] - first);
      const int32_t *weights = rows.weights + (size_t)y * rows.stride;
      blend_rows(lines, length, weights, rows.count[y], target + target_row * (size_t)y, length);
    }
  }
  free(narrow);
  free_taps(&columns);
  free_taps(&rows);
  return status;
}
