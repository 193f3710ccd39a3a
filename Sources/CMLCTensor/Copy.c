// Copies between arrays of any strides, and means of four for pictures that change size.
#include "CMLCTensor.h"

#include <string.h>

enum { MOST_AXES = 64, TILE = 32 };

#define ROW(type) \
  { \
    const type *a = from; \
    type *d = to; \
    if (to_stride == 1 && from_stride == 0) { \
      for (ptrdiff_t i = 0; i < n; i++) d[i] = *a; \
    } else if (to_stride == 1) { \
      for (ptrdiff_t i = 0; i < n; i++) d[i] = a[i * from_stride]; \
    } else { \
      for (ptrdiff_t i = 0; i < n; i++) d[i * to_stride] = a[i * from_stride]; \
    } \
  }

static void copy_row(size_t width, ptrdiff_t n, const void *from, ptrdiff_t from_stride, void *to,
                     ptrdiff_t to_stride) {
  if (from_stride == 1 && to_stride == 1) {
    memcpy(to, from, (size_t)n * width);
    return;
  }
  switch (width) {
  case 1: ROW(uint8_t) break;
  case 2: ROW(uint16_t) break;
  default: ROW(uint32_t) break;
  }
}

/// The two last axes; tile by tile where neighbours lie apart in what is read, so that its lines stay in the cache.
static void copy_plane(size_t width, ptrdiff_t rows, ptrdiff_t columns, const char *from, ptrdiff_t from_row,
                       ptrdiff_t from_column, char *to, ptrdiff_t to_row, ptrdiff_t to_column) {
  ptrdiff_t element = (ptrdiff_t)width;
  bool tiles = from_row == 1 && from_column != 1 && from_column != 0;
  ptrdiff_t high = tiles ? TILE : rows, wide = tiles ? TILE : columns;
  for (ptrdiff_t i = 0; i < rows; i += high) {
    ptrdiff_t last = i + high < rows ? i + high : rows;
    for (ptrdiff_t j = 0; j < columns; j += wide) {
      ptrdiff_t count = columns - j < wide ? columns - j : wide;
      for (ptrdiff_t r = i; r < last; r++) {
        copy_row(width, count, from + (r * from_row + j * from_column) * element, from_column,
                 to + (r * to_row + j * to_column) * element, to_column);
      }
    }
  }
}

void mlct_copy(size_t width, size_t rank, const ptrdiff_t *extents, const void *from, const ptrdiff_t *from_strides,
               void *to, const ptrdiff_t *to_strides) {
  ptrdiff_t size[MOST_AXES], source[MOST_AXES], target[MOST_AXES], indices[MOST_AXES];
  size_t axes = 0;
  // Axes of one element go, and neighbours that are one axis in both arrays become it.
  for (size_t axis = 0; axis < rank && axis < MOST_AXES; axis++) {
    if (extents[axis] == 0) return;
    if (extents[axis] == 1) continue;
    if (axes > 0 && source[axes - 1] == from_strides[axis] * extents[axis]
        && target[axes - 1] == to_strides[axis] * extents[axis]) {
      size[axes - 1] *= extents[axis];
      source[axes - 1] = from_strides[axis];
      target[axes - 1] = to_strides[axis];
      continue;
    }
    size[axes] = extents[axis];
    source[axes] = from_strides[axis];
    target[axes++] = to_strides[axis];
  }
  if (axes == 0) {
    memcpy(to, from, width);
    return;
  }
  size_t outer = axes > 1 ? axes - 2 : 0, last = axes - 1;
  ptrdiff_t rows = axes > 1 ? size[last - 1] : 1;
  ptrdiff_t from_row = axes > 1 ? source[last - 1] : 0, to_row = axes > 1 ? target[last - 1] : 0;
  const char *a = from;
  char *d = to;
  memset(indices, 0, sizeof indices);
  for (;;) {
    copy_plane(width, rows, size[last], a, from_row, source[last], d, to_row, target[last]);
    size_t axis = outer;
    while (axis > 0) {
      axis--;
      a += source[axis] * (ptrdiff_t)width;
      d += target[axis] * (ptrdiff_t)width;
      if (++indices[axis] < size[axis]) break;
      a -= indices[axis] * source[axis] * (ptrdiff_t)width;
      d -= indices[axis] * target[axis] * (ptrdiff_t)width;
      indices[axis] = 0;
      if (axis == 0) return;
    }
    if (outer == 0) return;
  }
}

void mlct_bilinear(const float *from, ptrdiff_t width, float *to, ptrdiff_t new_height, ptrdiff_t new_width,
                   const int32_t *y_low, const int32_t *y_high, const float *y_part, const int32_t *x_low,
                   const int32_t *x_high, const float *x_part) {
  for (ptrdiff_t i = 0; i < new_height; i++, to += new_width) {
    const float *low = from + y_low[i] * width, *high = from + y_high[i] * width;
    float share = y_part[i];
    for (ptrdiff_t j = 0; j < new_width; j++) {
      float part = x_part[j];
      float above = low[x_low[j]] * (1 - part) + low[x_high[j]] * part;
      float below = high[x_low[j]] * (1 - part) + high[x_high[j]] * part;
      to[j] = above * (1 - share) + below * share;
    }
  }
}
