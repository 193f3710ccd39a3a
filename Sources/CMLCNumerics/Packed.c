#include "CMLCNumerics.h"
#include <string.h>

/// Elements before a byte border comes again: 8 elements of `width` bits are `width` bytes.
enum { kGroup = 8 };

static uint64_t load_group(const uint8_t *from, size_t bytes) {
  uint64_t bits = 0;
  for (size_t i = 0; i < bytes; ++i) bits |= (uint64_t)from[i] << (8 * i);
  return bits;
}

void mlc_unpack_bits(const uint8_t *from, unsigned width, uint8_t *to, size_t count) {
  const uint64_t mask = ((uint64_t)1 << width) - 1;
  size_t i = 0;
  for (; i + kGroup <= count; i += kGroup, from += width) {
    uint64_t bits = load_group(from, width);
    for (unsigned k = 0; k < kGroup; ++k) to[i + k] = (uint8_t)(bits >> (k * width) & mask);
  }
  if (i == count) return;
  uint64_t bits = load_group(from, ((count - i) * width + 7) / 8);
  for (unsigned k = 0; i + k < count; ++k) to[i + k] = (uint8_t)(bits >> (k * width) & mask);
}

void mlc_pack_bits(const uint8_t *from, unsigned width, uint8_t *to, size_t count) {
  const uint64_t mask = ((uint64_t)1 << width) - 1;
  for (size_t i = 0; i < count; i += kGroup) {
    size_t elements = count - i < kGroup ? count - i : kGroup, bytes = (elements * width + 7) / 8;
    uint64_t bits = 0;
    for (size_t k = 0; k < elements; ++k) bits |= ((uint64_t)from[i + k] & mask) << (k * width);
    for (size_t k = 0; k < bytes; ++k) *to++ = (uint8_t)(bits >> (8 * k));
  }
}

size_t mlc_count_bits(const uint8_t *from, size_t count) {
  size_t set = 0, i = 0;
  for (; i + 64 <= count; i += 64) {
    uint64_t bits;
    memcpy(&bits, from + i / 8, 8);
    set += (size_t)__builtin_popcountll(bits);
  }
  for (; i < count; ++i) set += from[i / 8] >> (i % 8) & 1;
  return set;
}
