// Folds: sums, products, smallest and largest elements; and softmax.

#define FOLD_COLUMN(field, wide, combination, element) \
  { \
    wide v = (wide)(element); \
    s = (combination); \
  }

/// Four rows at a time, so that what the columns have so far is read and written once for them.
#define FOLD_COLUMNS(lane, field, wide, combination) \
  { \
    ptrdiff_t row = 0; \
    for (; row + 4 <= rows; row += 4) { \
      const lane *p = ROW_AT(0), *q = ROW_AT(1), *r = ROW_AT(2), *t = ROW_AT(3); \
      for (ptrdiff_t j = 0; j < width; j++) { \
        wide s = (wide)partials[j].field; \
        FOLD_COLUMN(field, wide, combination, p[j]) \
        FOLD_COLUMN(field, wide, combination, q[j]) \
        FOLD_COLUMN(field, wide, combination, r[j]) \
        FOLD_COLUMN(field, wide, combination, t[j]) \
        partials[j].field = s; \
      } \
    } \
    for (; row < rows; row++) { \
      const lane *p = ROW_AT(0); \
      for (ptrdiff_t j = 0; j < width; j++) { \
        wide s = (wide)partials[j].field; \
        FOLD_COLUMN(field, wide, combination, p[j]) \
        partials[j].field = s; \
      } \
    } \
  }
#define ROW_AT(next) read_row(type, (const char *)from + (row + next) * pitch * element, lanes + next * 512, width)

/// 32 folds side by side hide the latency of each step.
#define FOLD_ROW(lane, field, wide, combination) \
  { \
    wide sums[32]; \
    for (int j = 0; j < 32; j++) sums[j] = (wide)partials->field; \
    for (ptrdiff_t i = 0; i < n; i += 2048) { \
      ptrdiff_t count = n - i < 2048 ? n - i : 2048, k = 0; \
      const lane *x = read_row(type, (const char *)from + i * element, lanes, count); \
      for (; k + 32 <= count; k += 32) { \
        _Pragma("clang loop unroll(full)") for (int j = 0; j < 32; j++) { \
          wide s = sums[j], v = (wide)x[k + j]; \
          sums[j] = (combination); \
        } \
      } \
      for (int j = 0; k < count; k++, j++) { \
        wide s = sums[j], v = (wide)x[k]; \
        sums[j] = (combination); \
      } \
    } \
    for (int half = 16; half > 0; half /= 2) { \
      for (int j = 0; j < half; j++) { \
        wide s = sums[j], v = sums[j + half]; \
        sums[j] = (combination); \
      } \
    } \
    partials->field = sums[0]; \
  }

static inline const void *read_row(mlct_type type, const void *from, u32 *lanes, ptrdiff_t n) {
  if (width_of(type) == 4) return from;
  load(type, from, lanes, n);
  return lanes;
}

// The smallest and the largest need no more precision than elements have.
#define FOLD_CASES(fold_form, lane, field, wide, narrow, product) \
  switch (fold) { \
  case MLCT_FOLD_SUM: fold_form(lane, field, wide, s + v) break; \
  case MLCT_FOLD_PRODUCT: fold_form(lane, field, wide, product) break; \
  case MLCT_FOLD_MIN: fold_form(lane, field, narrow, SMALLER) break; \
  default: fold_form(lane, field, narrow, LARGER) break; \
  }
// The comparison with itself is true of NaN alone.
#define SMALLER ((s < v) | (s != s)) ? s : v
#define LARGER ((s > v) | (s != s)) ? s : v
#define WRAPPED (wide_int)((uint64_t)s * (uint64_t)v)
typedef int64_t wide_int;

#define FOLD(name, fold_form, parameters) \
  static void name parameters { \
    ptrdiff_t element = (ptrdiff_t)width_of(type); \
    u32 lanes[2048]; \
    if (type == MLCT_FLOAT32 || type == MLCT_FLOAT16) { \
      FOLD_CASES(fold_form, f32, real, double, f32, s * v) \
    } else if (type == MLCT_UINT32) { \
      FOLD_CASES(fold_form, u32, whole, wide_int, wide_int, WRAPPED) \
    } else { \
      FOLD_CASES(fold_form, i32, whole, wide_int, wide_int, WRAPPED) \
    } \
  }

FOLD(fold_columns, FOLD_COLUMNS,
     (mlct_fold fold, mlct_type type, const void *from, ptrdiff_t rows, ptrdiff_t width, ptrdiff_t pitch,
      mlct_partial *partials))
FOLD(fold_row, FOLD_ROW,
     (mlct_fold fold, mlct_type type, const void *from, ptrdiff_t n, mlct_partial *partials))

static mlct_partial neutral(mlct_fold fold, mlct_type type) {
  bool is_float = type == MLCT_FLOAT32 || type == MLCT_FLOAT16;
  mlct_partial p = {.whole = 0};
  switch (fold) {
  case MLCT_FOLD_SUM: break;
  case MLCT_FOLD_PRODUCT: if (is_float) p.real = 1; else p.whole = 1; break;
  case MLCT_FOLD_MIN: if (is_float) p.real = INFINITY; else p.whole = INT64_MAX; break;
  default: if (is_float) p.real = -INFINITY; else p.whole = INT64_MIN; break;
  }
  return p;
}

static void fold(mlct_fold kind, mlct_type type, const void *from, ptrdiff_t rows, ptrdiff_t width, ptrdiff_t pitch,
                 mlct_partial *partials) {
  for (ptrdiff_t j = 0; j < width; j++) partials[j] = neutral(kind, type);
  if (width == 1 && pitch == 1) {
    // The parts of a sum each start at 0, those of a product at 1.
    fold_row(kind, type, from, rows, partials);
    return;
  }
  if (pitch != width || width > 32) {
    fold_columns(kind, type, from, rows, width, pitch, partials);
    return;
  }
  // Narrow rows, one behind the other: several at a time as one.
  ptrdiff_t together = 512 / width, whole = rows / together;
  mlct_partial wide[512];
  for (ptrdiff_t j = 0; j < together * width; j++) wide[j] = neutral(kind, type);
  fold_columns(kind, type, from, whole, together * width, together * width, wide);
  const char *rest = (const char *)from + whole * together * width * (ptrdiff_t)width_of(type);
  fold_columns(kind, type, rest, rows - whole * together, width, width, partials);
  bool is_float = type == MLCT_FLOAT32 || type == MLCT_FLOAT16;
  for (ptrdiff_t j = 0; j < together * width; j++) {
    mlct_partial *to = &partials[j % width];
    if (is_float) {
      double s = to->real, v = wide[j].real;
      to->real = kind == MLCT_FOLD_SUM ? s + v : kind == MLCT_FOLD_PRODUCT ? s * v
        : kind == MLCT_FOLD_MIN ? (SMALLER) : (LARGER);
    } else {
      int64_t s = to->whole, v = wide[j].whole;
      to->whole = kind == MLCT_FOLD_SUM ? s + v : kind == MLCT_FOLD_PRODUCT ? WRAPPED
        : kind == MLCT_FOLD_MIN ? (s < v ? s : v) : (s > v ? s : v);
    }
  }
}

static void softmax(mlct_type type, const void *from, void *to, ptrdiff_t rows, ptrdiff_t n, f32 *row) {
  size_t element = width_of(type);
  for (ptrdiff_t r = 0; r < rows; r++) {
    const char *source = (const char *)from + (size_t)(r * n) * element;
    mlct_partial top = neutral(MLCT_FOLD_MAX, type), total = {.real = 0};
    fold_row(MLCT_FOLD_MAX, type, source, n, &top);
    f32 *lanes = type == MLCT_FLOAT32 ? (f32 *)to + r * n : row;
    load(type, source, lanes, n);
    double largest = top.real;
    for (ptrdiff_t i = 0; i < n; i++) lanes[i] = (f32)mlct_exp(lanes[i] - largest);
    fold_row(MLCT_FOLD_SUM, MLCT_FLOAT32, lanes, n, &total);
    double factor = 1 / total.real;
    for (ptrdiff_t i = 0; i < n; i++) lanes[i] = (f32)(lanes[i] * factor);
    if (type != MLCT_FLOAT32) store(type, lanes, (char *)to + (size_t)(r * n) * element, n);
  }
}
