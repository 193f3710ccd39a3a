#include "CMLCCompress.h"
#include <math.h>

void mlc_nearest(const float *values, size_t count, const float *table, int entries, uint8_t *indices) {
  // Limits between neighbours, padded to a power of two: as many comparisons for every value.
  float limits[256];
  int size = 1;
  while (size < entries) size *= 2;
  for (int i = 0; i < size; ++i) limits[i] = INFINITY;
  for (int i = 0; i + 1 < entries; ++i) limits[i] = (float)(((double)table[i] + table[i + 1]) / 2);
  for (size_t i = 0; i < count; ++i) {
    const float value = values[i];
    int index = 0;
    for (int step = size / 2; step > 0; step /= 2) index += value > limits[index + step - 1] ? step : 0;
    indices[i] = (uint8_t)index;
  }
}

/// Nearest integer of a number of at most 2²², halves to even: adding this leaves no fraction.
static const float kMagic = 12582912.f;

double mlc_quantize(
    const float *values, size_t count, float scale, int zero, int low, int high, uint8_t *codes) {
  enum { kChunk = 1024 };
  const float inverse = 1 / scale, least = (float)(low - zero), most = (float)(high - zero);
  double total = 0;
  for (size_t start = 0; start < count; start += kChunk) {
    const size_t end = start + kChunk < count ? start + kChunk : count;
    float sums[8] = {0};
    size_t i = start;
    for (; i + 8 <= end; i += 8) {
      for (int k = 0; k < 8; ++k) {
        float level = values[i + (size_t)k] * inverse;
        level = level < least ? least : level;
        level = level > most ? most : level;
        level = (level + kMagic) - kMagic;
        const float error = values[i + (size_t)k] - level * scale;
        sums[k] += error * error;
      }
    }
    for (; i < end; ++i) {
      float level = values[i] * inverse;
      level = level < least ? least : level > most ? most : level;
      level = (level + kMagic) - kMagic;
      const float error = values[i] - level * scale;
      sums[0] += error * error;
    }
    for (int k = 0; k < 8; ++k) total += sums[k];
  }
  if (codes) {
    for (size_t i = 0; i < count; ++i) {
      float level = values[i] * inverse;
      level = level < least ? least : level > most ? most : level;
      codes[i] = (uint8_t)((int)((level + kMagic) - kMagic) + zero);
    }
  }
  return total;
}
