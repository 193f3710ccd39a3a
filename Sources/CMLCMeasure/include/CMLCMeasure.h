#ifndef CMLC_MEASURE_H
#define CMLC_MEASURE_H

#include <stddef.h>
#include <stdint.h>

/// What multiplies and adds: vectors of 128, 256 and 512 bits of float32, of four bytes and two bfloat16 a lane, of 128
/// bits of float16; tiles of bfloat16 and of bytes.
/// The caller knows that the processor has it and that the process may use it.
typedef enum {
  MLC_UNIT_FLOAT_128,
  MLC_UNIT_FLOAT_256,
  MLC_UNIT_FLOAT_512,
  MLC_UNIT_BYTE_512,
  MLC_UNIT_BFLOAT_512,
  MLC_UNIT_HALF_128,
  MLC_UNIT_BFLOAT_TILE,
  MLC_UNIT_BYTE_TILE,
} mlc_unit;

/// The most operations a second, a multiplication and an addition counted as two, of `threads` threads that do nothing
/// else; 0 for a unit of another architecture. Takes some milliseconds.
double mlc_measure_products(mlc_unit unit, int32_t threads);

/// The most bytes a second that `threads` threads read of `bytes` bytes, each its own part; 0 where there is no such
/// memory.
double mlc_measure_reading(size_t bytes, int32_t threads);

/// The sum of what `work` answers on `threads` threads that begin together, the caller's one of them; on fewer where
/// the system has no more.
double mlc_measure_together(double (*work)(void *context, int32_t index), void *context, int32_t threads);

/// Bytes of the last cache; 0 where the system does not say.
int64_t mlc_last_cache_bytes(void);

#endif
