/// The inner loop of SHA-256 (FIPS 180-4), with the processor's instructions for it where there are any.
#ifndef CMLC_DIGEST_H
#define CMLC_DIGEST_H
#include <stddef.h>
#include <stdint.h>

/// Folds `count` blocks of 64 bytes into the eight words of `state`.
void mlc_sha256(uint32_t *state, const uint8_t *blocks, size_t count);
/// The same in plain C, on any processor.
void mlc_sha256_plain(uint32_t *state, const uint8_t *blocks, size_t count);
/// Whether `mlc_sha256` uses instructions that the processor has for it.
int mlc_sha256_is_accelerated(void);

#endif
