// Kernels for x86-64 with AVX2, FMA and F16C.
#include "Variants.h"
#if defined(__x86_64__)
#include <math.h>
#include <string.h>
#define MLCT_F16C 1
#define LANES 8
#define TILE_ROWS 6
#define TILE_VECTORS 2
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)
#include "Elementwise.h"
#include "Blocks.h"
#include "Folds.h"
#include "Products.h"
#pragma clang attribute pop

const mlct_kernels mlct_kernels_avx2 = VARIANT("avx2");
#endif
