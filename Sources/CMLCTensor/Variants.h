// The tables of kernels, one for each instruction set.
#ifndef MLCT_VARIANTS_H
#define MLCT_VARIANTS_H
#include "CMLCTensor.h"

extern const mlct_kernels mlct_kernels_plain;
#if defined(__x86_64__)
extern const mlct_kernels mlct_kernels_avx2;
extern const mlct_kernels mlct_kernels_avx512;
#endif

#define VARIANT(title) \
  {.name = title, .run = run, .load = load, .store = store, .fold = fold, .softmax = softmax, \
   .tile_rows = TILE_ROWS, .tile_columns = TILE_COLUMNS, .pack = pack, .product = product, \
   .row_product = row_product, .dot = dot}
#endif
