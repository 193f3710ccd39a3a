/// Loops over the weights of a model that is being compressed: palettes and linear quantisation.
#ifndef CMLC_COMPRESS_H
#define CMLC_COMPRESS_H
#include <stddef.h>
#include <stdint.h>

/// Sorts finite floats, -0 before 0. `scratch` holds as many.
void mlc_sort_floats(float *values, float *scratch, size_t count);

/// The centroids, ascending, of at most `clusters` (1 to 256) clusters of sorted values with the least sum of squared
/// distances; gives how many there are, and -1 without memory.
///
/// Up to 65,536 different values this is the optimum. Beyond, cluster borders are first chosen among as many places and
/// then moved, as long as that makes the sum smaller (Lloyd).
int mlc_kmeans_sorted(const float *sorted, size_t count, int clusters, double *centroids);

/// For each value the index of the nearest of `entries` (1 to 256) ascending numbers, the lower one in the middle.
void mlc_nearest(const float *values, size_t count, const float *table, int entries, uint8_t *indices);

/// `q = clamp(round(v / scale) + zero, low, high)` for each value; gives the sum of `(v - (q - zero) * scale)²`.
/// `codes` gets the low bits of q, and may be NULL. `low` and `high` span at most 256 numbers, `zero` is one of them.
double mlc_quantize(
    const float *values, size_t count, float scale, int zero, int low, int high, uint8_t *codes);

#endif
