/// Arithmetic on dense arrays: blocks of element-wise operations, reductions, products, sorting, copies, random
/// numbers.
///
/// The functions are pure: they allocate nothing, keep no state, and are divided among threads by their callers. Those
/// of which variants exist for several instruction sets stand in a table, which `mlct_kernels_best` chooses.
#ifndef CMLC_TENSOR_H
#define CMLC_TENSOR_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Types of elements in memory. Booleans are bytes, 0 or 1.
typedef enum mlct_type {
  MLCT_FLOAT32, MLCT_FLOAT16, MLCT_INT32, MLCT_INT16, MLCT_INT8, MLCT_UINT32, MLCT_UINT16, MLCT_UINT8, MLCT_BOOL,
  MLCT_TYPES
} mlct_type;

/// Operations on lanes of 32 bits: `float` (F), `int32_t` (I), `uint32_t` (U). Integers wrap. Comparisons give 0 or 1.
/// Division and remainder of integers round down, and are 0 where the divisor is. Minima and maxima are NaN where an
/// operand is.
typedef enum mlct_op {
  // Of two operands.
  MLCT_ADD_F, MLCT_SUB_F, MLCT_MUL_F, MLCT_DIV_F, MLCT_REM_F, MLCT_POW_F, MLCT_MIN_F, MLCT_MAX_F,
  MLCT_EQ_F, MLCT_NE_F, MLCT_LT_F, MLCT_LE_F, MLCT_GT_F, MLCT_GE_F,
  MLCT_ADD_I, MLCT_SUB_I, MLCT_MUL_I, MLCT_DIV_I, MLCT_REM_I, MLCT_POW_I, MLCT_MIN_I, MLCT_MAX_I,
  MLCT_EQ_I, MLCT_NE_I, MLCT_LT_I, MLCT_LE_I, MLCT_GT_I, MLCT_GE_I,
  MLCT_DIV_U, MLCT_REM_U, MLCT_POW_U, MLCT_MIN_U, MLCT_MAX_U, MLCT_LT_U, MLCT_LE_U, MLCT_GT_U, MLCT_GE_U,
  MLCT_AND_I, MLCT_OR_I, MLCT_XOR_I,
  // Of one operand.
  MLCT_NEG_F, MLCT_ABS_F, MLCT_SIGN_F, MLCT_CEIL_F, MLCT_FLOOR_F, MLCT_ROUND_F, MLCT_RECIPROCAL_F, MLCT_SQRT_F,
  MLCT_RSQRT_F, MLCT_SQUARE_F, MLCT_EXP_F, MLCT_EXP2_F, MLCT_LOG_F, MLCT_SIN_F, MLCT_COS_F, MLCT_TAN_F, MLCT_ASIN_F,
  MLCT_ACOS_F, MLCT_ATAN_F, MLCT_SINH_F, MLCT_COSH_F, MLCT_TANH_F, MLCT_ASINH_F, MLCT_ACOSH_F, MLCT_ATANH_F,
  MLCT_NEG_I, MLCT_ABS_I, MLCT_SIGN_I, MLCT_SIGN_U, MLCT_NOT_I, MLCT_SQUARE_I,
  // Conversions. From floats they truncate toward zero and saturate, and NaN is 0; WRAP keeps the low bits.
  MLCT_INT32_F, MLCT_INT16_F, MLCT_INT8_F, MLCT_UINT32_F, MLCT_UINT16_F, MLCT_UINT8_F, MLCT_BOOL_F, MLCT_BOOL_I,
  MLCT_FLOAT_I, MLCT_FLOAT_U, MLCT_WRAP16_I, MLCT_WRAP8_I, MLCT_WRAP16_U, MLCT_WRAP8_U, MLCT_WRAP_NONE,
  MLCT_ROUND16_F,
  // Of three: the second where the first is not 0, else the third.
  MLCT_SELECT,
  MLCT_OPS
} mlct_op;

/// How arrays are folded. Booleans fold with minimum (all) and maximum (any).
typedef enum mlct_fold { MLCT_FOLD_SUM, MLCT_FOLD_PRODUCT, MLCT_FOLD_MIN, MLCT_FOLD_MAX, MLCT_FOLDS } mlct_fold;

/// What a fold has so far: sums and products of floats in double precision, those of integers in 64 bits, which wrap.
typedef union mlct_partial {
  double real;
  int64_t whole;
} mlct_partial;

/// A step of an element-wise program: lanes `target = op(a, b, c)`.
typedef struct mlct_step {
  uint16_t op;
  uint32_t target, a, b, c;
} mlct_step;

/// What an element-wise program reads, or, with dense strides, writes: `strides` in elements, one for each of the
/// `rank` axes of the program's domain. `is_dense` when these are those of a dense array of the domain.
typedef struct mlct_operand {
  void *base;
  const ptrdiff_t *strides;
  uint32_t place;
  mlct_type type;
  bool is_dense;
} mlct_operand;

/// An element-wise program over a domain of `rank` axes with `extents`.
typedef struct mlct_program {
  const mlct_step *steps;
  size_t step_count;
  const mlct_operand *inputs;
  size_t input_count;
  const mlct_operand *outputs;
  size_t output_count;
  const ptrdiff_t *extents;
  size_t rank;
  /// Elements of a block.
  ptrdiff_t block;
  /// Places 0 ..< `place_count` hold lanes: inputs, then constants, which all blocks share, then what steps write.
  size_t place_count;
  /// For each constant, behind the inputs, its 32 bits.
  const uint32_t *constants;
  size_t constant_count;
  /// The memory of a place is `slots[place]` blocks into the scratch memory; -1 for inputs that are read where they
  /// lie, and outputs that are written where they shall lie.
  const int32_t *slots;
} mlct_program;

/// The kernels of one instruction set.
typedef struct mlct_kernels {
  const char *name;
  /// Runs a program over elements `start ..< end` of its domain, in row-major order. `lanes` has the blocks of the
  /// slots; `places` has room for `place_count` pointers.
  void (*run)(const mlct_program *program, ptrdiff_t start, ptrdiff_t end, void *lanes, void **places);
  /// Lanes of `n` elements in a row, and back.
  void (*load)(mlct_type type, const void *from, void *lanes, ptrdiff_t n);
  void (*store)(mlct_type type, const void *lanes, void *to, ptrdiff_t n);
  /// Folds `rows` rows, of which each has `width` columns (at most 512) and starts `pitch` elements behind the one
  /// before, into a partial for each column.
  void (*fold)(mlct_fold fold, mlct_type type, const void *from, ptrdiff_t rows, ptrdiff_t width, ptrdiff_t pitch,
               mlct_partial *partials);
  /// exp(x - max) / Σ exp(x - max) of each row of `n` floats; `row` has room for one.
  void (*softmax)(mlct_type type, const void *from, void *to, ptrdiff_t rows, ptrdiff_t n, float *row);
  /// Rows and columns of the tile of a product, and of how many elements along the inner axis panels are made.
  int tile_rows, tile_columns;
  /// Panels of `tile_columns` (`tile_rows`) columns (rows), filled with zeros, of `depth` rows (columns).
  void (*pack)(const float *from, ptrdiff_t depth_stride, ptrdiff_t lane_stride, ptrdiff_t depth, ptrdiff_t lanes,
               int width, float *panels);
  /// `to += a · b` (`to = a · b` when `starts`), `rows` × `columns`, of panels `depth` long. `is_float` or integers.
  void (*product)(bool is_float, const float *a, const float *b, ptrdiff_t b_pitch, float *to, ptrdiff_t pitch,
                  ptrdiff_t rows, ptrdiff_t columns, ptrdiff_t depth, bool starts);
  /// `to[j] (+)= Σ a[k · a_stride] · b[k · b_pitch + j]`.
  void (*row_product)(bool is_float, const float *a, ptrdiff_t a_stride, const float *b, ptrdiff_t b_pitch, float *to,
                      ptrdiff_t columns, ptrdiff_t depth);
  /// `Σ a[k] · b[k]` as lanes of 32 bits.
  uint32_t (*dot)(bool is_float, const float *a, const float *b, ptrdiff_t depth);
} mlct_kernels;

/// The best kernels that this processor runs; those before it by `index`, from the plainest; NULL past the last.
const mlct_kernels *mlct_kernels_best(void);
const mlct_kernels *mlct_kernels_at(int index);

/// Bytes of an element.
size_t mlct_width(mlct_type type);

/// Copies elements of `width` bytes (1, 2 or 4) between arrays of any strides, in elements.
void mlct_copy(size_t width, size_t rank, const ptrdiff_t *extents, const void *from, const ptrdiff_t *from_strides,
               void *to, const ptrdiff_t *to_strides);

/// Running sums (or products) along the middle axis of `n` × `inner` elements, floats in double precision.
void mlct_accumulate(bool multiplies, mlct_type type, const void *from, void *to, ptrdiff_t n, ptrdiff_t inner);

/// The place of the first largest (smallest) of `n` elements `stride` apart; of the first NaN where there is one.
int32_t mlct_extreme_place(bool is_largest, mlct_type type, const void *from, ptrdiff_t n, ptrdiff_t stride);

/// Places of `n` elements, `stride` apart, in ascending or descending order; equal ones stay in order, NaN is last.
/// `scratch` has room for 4 · n numbers.
void mlct_sort(mlct_type type, bool descends, const void *from, ptrdiff_t n, ptrdiff_t stride, int32_t *places,
               uint32_t *scratch);

/// Random numbers `start ..< end` of the stream of `seed`: Philox 4 × 32 with ten rounds (Salmon et al., 2011), keyed
/// by the seed, of which number i is a function alone.
///
/// Uniform: `low + (high - low) · u`, u a multiple of 2^-24 in [0, 1), and never `high`. Normal: Box and Muller's.
void mlct_random_uniform(uint64_t seed, double low, double high, float *to, ptrdiff_t start, ptrdiff_t end);
void mlct_random_normal(uint64_t seed, double mean, double deviation, float *to, ptrdiff_t start, ptrdiff_t end);
/// Whole numbers `low ... low + span`, each equally likely but for 2^-32.
void mlct_random_whole(uint64_t seed, int64_t low, uint32_t span, int32_t *to, ptrdiff_t start, ptrdiff_t end);

/// Elements of planes of `height` × `width` floats at new sizes, each a mean of four: along each axis of the result
/// `low` and `high` are the two places, `part` the share of the latter.
void mlct_bilinear(const float *from, ptrdiff_t width, float *to, ptrdiff_t new_height, ptrdiff_t new_width,
                   const int32_t *y_low, const int32_t *y_high, const float *y_part, const int32_t *x_low,
                   const int32_t *x_high, const float *x_part);
#endif
