#include "CMLCKernelABI.h"

#include <math.h>
#include <time.h>

const mlc_math *mlc_library_math(void) {
  static const mlc_math functions = MLC_MATH_OF_LIBRARY;
  return &functions;
}

uint64_t mlc_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
