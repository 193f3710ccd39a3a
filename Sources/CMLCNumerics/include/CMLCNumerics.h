/// Conversions between floating-point formats, to nearest even, vectorised where the processor can (F16C); elements
/// narrower than a byte.
#ifndef CMLC_NUMERICS_H
#define CMLC_NUMERICS_H
#include "CMLCCompress.h"
#include "CMLCDigest.h"
#include <stddef.h>
#include <stdint.h>

void mlc_float_from_half(const uint16_t *from, float *to, size_t count);
void mlc_half_from_float(const float *from, uint16_t *to, size_t count);
/// Rounds once, not through float.
void mlc_half_from_double(const double *from, uint16_t *to, size_t count);
/// Rounds once, not through float.
void mlc_bfloat16_from_double(const double *from, uint16_t *to, size_t count);

/// `count` elements of `width` bits (1 to 8), the first in the lowest bits, each into a byte of its own.
void mlc_unpack_bits(const uint8_t *from, unsigned width, uint8_t *to, size_t count);
/// The low `width` bits of each byte, the first element in the lowest bits; bits past the last element are 0.
void mlc_pack_bits(const uint8_t *from, unsigned width, uint8_t *to, size_t count);
/// How many of the first `count` bits are set.
size_t mlc_count_bits(const uint8_t *from, size_t count);

#endif
