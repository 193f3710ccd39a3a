// Kernels for the least processor of the architecture.
#include "Variants.h"

#define LANES 4
#if defined(__aarch64__)
#define TILE_ROWS 6
#define TILE_VECTORS 4
#else
#define TILE_ROWS 6
#define TILE_VECTORS 2
#endif
#include "Elementwise.h"
#include "Blocks.h"
#include "Folds.h"
#include "Products.h"

const mlct_kernels mlct_kernels_plain = VARIANT("plain");
