// Products of matrices: a tile of the result stays in registers while panels of both operands stream by. A panel
// holds, for each place along the inner axis, the elements of as many rows (columns) as the tile has.

typedef f32 vector_f __attribute__((ext_vector_type(LANES)));
typedef u32 vector_i __attribute__((ext_vector_type(LANES)));
enum { TILE_COLUMNS = TILE_VECTORS * LANES };

static void pack(const f32 *from, ptrdiff_t depth_stride, ptrdiff_t lane_stride, ptrdiff_t depth, ptrdiff_t lanes,
                 int width, f32 *panels) {
  for (ptrdiff_t first = 0; first < lanes; first += width, panels += depth * width) {
    ptrdiff_t count = lanes - first < width ? lanes - first : width;
    const f32 *block = from + first * lane_stride;
    if (lane_stride == 1) {
      for (ptrdiff_t k = 0; k < depth; k++) {
        memcpy(panels + k * width, block + k * depth_stride, (size_t)count * 4);
        memset(panels + k * width + count, 0, (size_t)(width - count) * 4);
      }
    } else {
      for (ptrdiff_t j = 0; j < count; j++) {
        for (ptrdiff_t k = 0; k < depth; k++) panels[k * width + j] = block[j * lane_stride + k * depth_stride];
      }
      for (ptrdiff_t j = count; j < width; j++) {
        for (ptrdiff_t k = 0; k < depth; k++) panels[k * width + j] = 0;
      }
    }
  }
}

#define TILE(name, scalar, vector) \
  static void name(const scalar *a, const scalar *b, scalar *to, ptrdiff_t pitch, ptrdiff_t depth, bool starts) { \
    vector sums[TILE_ROWS][TILE_VECTORS]; \
    _Pragma("clang loop unroll(full)") for (int i = 0; i < TILE_ROWS; i++) { \
      _Pragma("clang loop unroll(full)") for (int j = 0; j < TILE_VECTORS; j++) sums[i][j] = (vector)0; \
    } \
    for (ptrdiff_t k = 0; k < depth; k++) { \
      vector columns[TILE_VECTORS]; \
      memcpy(columns, b + k * TILE_COLUMNS, sizeof columns); \
      _Pragma("clang loop unroll(full)") for (int i = 0; i < TILE_ROWS; i++) { \
        vector row = (vector)a[k * TILE_ROWS + i]; \
        _Pragma("clang loop unroll(full)") for (int j = 0; j < TILE_VECTORS; j++) sums[i][j] += row * columns[j]; \
      } \
    } \
    _Pragma("clang loop unroll(full)") for (int i = 0; i < TILE_ROWS; i++) { \
      _Pragma("clang loop unroll(full)") for (int j = 0; j < TILE_VECTORS; j++) { \
        vector sum = sums[i][j], before; \
        if (!starts) { \
          memcpy(&before, to + i * pitch + j * LANES, sizeof before); \
          sum += before; \
        } \
        memcpy(to + i * pitch + j * LANES, &sum, sizeof sum); \
      } \
    } \
  } \
  static void name##_panels(const scalar *a, const scalar *b, ptrdiff_t b_pitch, scalar *to, ptrdiff_t pitch, \
                            ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t depth, bool starts) { \
    scalar edge[TILE_ROWS * TILE_COLUMNS]; \
    for (ptrdiff_t j = 0; j < columns; j += TILE_COLUMNS, b += b_pitch) { \
      ptrdiff_t wide = columns - j < TILE_COLUMNS ? columns - j : TILE_COLUMNS; \
      for (ptrdiff_t i = 0; i < rows; i += TILE_ROWS) { \
        ptrdiff_t high = rows - i < TILE_ROWS ? rows - i : TILE_ROWS; \
        scalar *corner = to + i * pitch + j; \
        if (high == TILE_ROWS && wide == TILE_COLUMNS) { \
          name(a + i * depth, b, corner, pitch, depth, starts); \
          continue; \
        } \
        name(a + i * depth, b, edge, TILE_COLUMNS, depth, true); \
        for (ptrdiff_t r = 0; r < high; r++) { \
          for (ptrdiff_t c = 0; c < wide; c++) { \
            scalar *element = corner + r * pitch + c; \
            *element = edge[r * TILE_COLUMNS + c] + (starts ? 0 : *element); \
          } \
        } \
      } \
    } \
  } \
  static void name##_row(const scalar *a, ptrdiff_t a_stride, const scalar *b, ptrdiff_t b_pitch, scalar *to, \
                         ptrdiff_t columns, ptrdiff_t depth) { \
    for (ptrdiff_t j = 0; j < columns; j++) to[j] = 0; \
    ptrdiff_t k = 0; \
    for (; k + 4 <= depth; k += 4) { \
      scalar w = a[k * a_stride], x = a[(k + 1) * a_stride], y = a[(k + 2) * a_stride], z = a[(k + 3) * a_stride]; \
      const scalar *p = b + k * b_pitch, *q = p + b_pitch, *r = q + b_pitch, *s = r + b_pitch; \
      for (ptrdiff_t j = 0; j < columns; j++) to[j] += (w * p[j] + x * q[j]) + (y * r[j] + z * s[j]); \
    } \
    for (; k < depth; k++) { \
      for (ptrdiff_t j = 0; j < columns; j++) to[j] += a[k * a_stride] * b[k * b_pitch + j]; \
    } \
  } \
  static scalar name##_dot(const scalar *a, const scalar *b, ptrdiff_t depth) { \
    vector sums[4] = {(vector)0, (vector)0, (vector)0, (vector)0}; \
    ptrdiff_t k = 0; \
    for (; k + 4 * LANES <= depth; k += 4 * LANES) { \
      vector x[4], y[4]; \
      memcpy(x, a + k, sizeof x); \
      memcpy(y, b + k, sizeof y); \
      for (int i = 0; i < 4; i++) sums[i] += x[i] * y[i]; \
    } \
    vector all = (sums[0] + sums[1]) + (sums[2] + sums[3]); \
    scalar parts[LANES], total = 0; \
    memcpy(parts, &all, sizeof all); \
    for (int half = LANES / 2; half > 0; half /= 2) { \
      for (int i = 0; i < half; i++) parts[i] += parts[i + half]; \
    } \
    for (; k < depth; k++) total += a[k] * b[k]; \
    return parts[0] + total; \
  }

TILE(tile_f, f32, vector_f)
TILE(tile_i, u32, vector_i)

static void product(bool is_float, const f32 *a, const f32 *b, ptrdiff_t b_pitch, f32 *to, ptrdiff_t pitch,
                    ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t depth, bool starts) {
  if (is_float) tile_f_panels(a, b, b_pitch, to, pitch, rows, columns, depth, starts);
  else tile_i_panels((const u32 *)a, (const u32 *)b, b_pitch, (u32 *)to, pitch, rows, columns, depth, starts);
}

static void row_product(bool is_float, const f32 *a, ptrdiff_t a_stride, const f32 *b, ptrdiff_t b_pitch, f32 *to,
                        ptrdiff_t columns, ptrdiff_t depth) {
  if (is_float) tile_f_row(a, a_stride, b, b_pitch, to, columns, depth);
  else tile_i_row((const u32 *)a, a_stride, (const u32 *)b, b_pitch, (u32 *)to, columns, depth);
}

static uint32_t dot(bool is_float, const f32 *a, const f32 *b, ptrdiff_t depth) {
  return is_float ? mlct_float_bits(tile_f_dot(a, b, depth)) : tile_i_dot((const u32 *)a, (const u32 *)b, depth);
}
