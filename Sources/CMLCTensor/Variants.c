#include "Variants.h"

const mlct_kernels *mlct_kernels_at(int index) {
  if (index == 0) return &mlct_kernels_plain;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (index == 1 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c")) {
    return &mlct_kernels_avx2;
  }
  if (index == 2 && mlct_kernels_at(1) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    return &mlct_kernels_avx512;
  }
#endif
  return NULL;
}

const mlct_kernels *mlct_kernels_best(void) {
  const mlct_kernels *best = mlct_kernels_at(0);
  for (int index = 1; mlct_kernels_at(index); index++) best = mlct_kernels_at(index);
  return best;
}

size_t mlct_width(mlct_type type) {
  switch (type) {
  case MLCT_FLOAT32: case MLCT_INT32: case MLCT_UINT32: return 4;
  case MLCT_FLOAT16: case MLCT_INT16: case MLCT_UINT16: return 2;
  default: return 1;
  }
}
