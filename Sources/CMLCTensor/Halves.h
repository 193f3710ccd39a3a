// Floats of 16 bits, in steps that every compiler turns into vectors where there is no instruction for them.
#ifndef MLCT_HALVES_H
#define MLCT_HALVES_H
#include <stdint.h>
#include <string.h>

static inline __attribute__((always_inline)) float mlct_bits_float(uint32_t bits) {
  float value;
  memcpy(&value, &bits, 4);
  return value;
}

static inline __attribute__((always_inline)) uint32_t mlct_float_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  return bits;
}

/// Exactly; NaN stays NaN.
static inline __attribute__((always_inline)) float mlct_from_half(uint16_t half) {
  uint32_t magnitude = (uint32_t)(half & 0x7fff) << 13;
  // Exponents are 15 off, those of floats 127; the product does the subnormals too.
  float value = mlct_bits_float(magnitude) * 0x1p112f;
  uint32_t bits = mlct_float_bits(value);
  bits = magnitude >= 0x7c00u << 13 ? magnitude | 0x7f800000u : bits;
  return mlct_bits_float(bits | (uint32_t)(half & 0x8000) << 16);
}

/// The nearest, the even one of two; what is too large is infinite.
static inline __attribute__((always_inline)) uint16_t mlct_to_half(float value) {
  uint32_t bits = mlct_float_bits(value), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  // Normal ones: half a unit less one, and one more where the last bit that stays is odd.
  uint32_t normal = (magnitude + 0xfff + (magnitude >> 13 & 1) - (112u << 23)) >> 13;
  // Subnormal ones: an addition rounds at the place of their last bit.
  uint32_t subnormal = mlct_float_bits(mlct_bits_float(magnitude) + 0.5f) - 0x3f000000u;
  uint32_t half = magnitude < 113u << 23 ? subnormal : normal;
  half = magnitude >= 0x477ff000u ? 0x7c00u : half;
  half = magnitude > 0x7f800000u ? 0x7e00u : half;
  return (uint16_t)(half | sign);
}
#endif
