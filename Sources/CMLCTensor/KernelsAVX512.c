// Kernels for x86-64 with AVX-512 as servers have had it from the first on: F, BW, DQ and VL.
#include "Variants.h"
#if defined(__x86_64__)
#include <math.h>
#include <string.h>
#define MLCT_F16C 1
#define LANES 16
#define TILE_ROWS 14
#define TILE_VECTORS 2
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma,f16c"))), \
                             apply_to = function)
#include "Elementwise.h"
#include "Blocks.h"
#include "Folds.h"
#include "Products.h"
#pragma clang attribute pop

const mlct_kernels mlct_kernels_avx512 = VARIANT("avx512");
#endif
