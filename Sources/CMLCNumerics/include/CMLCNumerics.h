/// Conversions between floating-point formats, to nearest even, vectorised where the processor can (F16C).
#ifndef CMLC_NUMERICS_H
#define CMLC_NUMERICS_H
#include <stddef.h>
#include <stdint.h>

void mlc_float_from_half(const uint16_t *from, float *to, size_t count);
void mlc_half_from_float(const float *from, uint16_t *to, size_t count);
/// Rounds once, not through float.
void mlc_half_from_double(const double *from, uint16_t *to, size_t count);
/// Rounds once, not through float.
void mlc_bfloat16_from_double(const double *from, uint16_t *to, size_t count);

#endif
