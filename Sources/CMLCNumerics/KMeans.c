#include "CMLCCompress.h"
#include <stdlib.h>
#include <string.h>

// MARK: Sorting

/// Bits whose order as unsigned numbers is that of the floats.
static uint32_t key_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  return bits & 0x80000000 ? ~bits : bits | 0x80000000;
}

void mlc_sort_floats(float *values, float *scratch, size_t count) {
  enum { kBits = 11, kDigits = 1 << kBits };
  for (unsigned pass = 0; pass < 3; ++pass) {
    size_t starts[kDigits] = {0}, total = 0;
    const unsigned shift = pass * kBits;
    for (size_t i = 0; i < count; ++i) ++starts[key_of(values[i]) >> shift & (kDigits - 1)];
    for (size_t digit = 0; digit < kDigits; ++digit) {
      size_t next = total + starts[digit];
      starts[digit] = total;
      total = next;
    }
    for (size_t i = 0; i < count; ++i) scratch[starts[key_of(values[i]) >> shift & (kDigits - 1)]++] = values[i];
    float *other = values;
    values = scratch;
    scratch = other;
  }
  // Three passes end in what was the scratch.
  memcpy(scratch, values, count * sizeof(float));
}

// MARK: Runs of sorted values

enum { kPlaces = 1 << 16 };

/// Sorted values cut into runs; `first`, `sum` and `square` of run r speak of everything before it.
typedef struct {
  const float *values;
  size_t count, runs;
  double mean;
  size_t *first;
  double *sum, *square;
} Runs;

static size_t count_unique(const float *sorted, size_t count, size_t limit) {
  size_t unique = count > 0;
  for (size_t i = 1; i < count && unique <= limit; ++i) unique += sorted[i] != sorted[i - 1];
  return unique;
}

/// Equal values make a run while there are few; else runs hold neither many values nor a wide range of them.
static void cut(Runs *runs, int by_value) {
  const size_t most = runs->count / (kPlaces / 2) + 1;
  const double widest = ((double)runs->values[runs->count - 1] - runs->values[0]) / (kPlaces / 2 - 2);
  double sum = 0, square = 0;
  size_t start = 0, run = 0;
  for (size_t i = 0; i < runs->count; ++i) {
    const float value = runs->values[i], head = runs->values[start];
    const int ends = by_value ? value != head : i - start >= most || (double)value - head > widest;
    if (i == 0 || ends) {
      runs->first[run] = start = i;
      runs->sum[run] = sum;
      runs->square[run++] = square;
    }
    const double centred = value - runs->mean;
    sum += centred;
    square += centred * centred;
  }
  runs->first[run] = runs->count;
  runs->sum[run] = sum;
  runs->square[run] = square;
  runs->runs = run;
}

/// Sum of squared distances to their mean of runs `from` to `to`.
static inline double cost(const Runs *runs, size_t from, size_t to) {
  const double count = (double)(runs->first[to] - runs->first[from]), sum = runs->sum[to] - runs->sum[from];
  return runs->square[to] - runs->square[from] - sum * sum / count;
}

// MARK: Dynamic programming

typedef struct {
  const Runs *runs;
  const double *before;
  double *best;
  uint32_t *split;
  size_t cluster;
} Layer;

/// Fills `best` and `split` for ends `low` to `high`; the best start of the last cluster moves right with the end.
static void fill(const Layer *layer, size_t low, size_t high, size_t left, size_t right) {
  while (low < high) {
    const size_t end = low + (high - low) / 2;
    double best = 0;
    size_t split = 0;
    const size_t least = left > layer->cluster ? left : layer->cluster, most = right < end - 1 ? right : end - 1;
    for (size_t start = least; start <= most; ++start) {
      const double total = layer->before[start] + cost(layer->runs, start, end);
      if (split == 0 || total < best) {
        best = total;
        split = start;
      }
    }
    layer->best[end] = best;
    layer->split[end] = (uint32_t)split;
    fill(layer, low, end, left, split);
    low = end + 1;
    left = split;
  }
}

/// Borders of the best clusters as numbers of values; 0 without memory.
static int partition(const Runs *runs, int clusters, size_t *borders) {
  const size_t width = runs->runs + 1;
  double *costs = malloc(2 * width * sizeof(double));
  uint32_t *splits = malloc((size_t)clusters * width * sizeof(uint32_t));
  if (costs && splits) {
    double *before = costs, *best = costs + width;
    for (size_t end = 1; end < width; ++end) before[end] = cost(runs, 0, end);
    for (int cluster = 1; cluster < clusters; ++cluster) {
      const Layer layer = {runs, before, best, splits + (size_t)cluster * width, (size_t)cluster};
      fill(&layer, (size_t)cluster + 1, width, (size_t)cluster, runs->runs - 1);
      double *other = before;
      before = best;
      best = other;
    }
    size_t end = runs->runs;
    borders[clusters] = runs->count;
    for (int cluster = clusters - 1; cluster > 0; --cluster) {
      end = splits[(size_t)cluster * width + end];
      borders[cluster] = runs->first[end];
    }
    borders[0] = 0;
  }
  const int done = costs && splits;
  free(costs);
  free(splits);
  return done;
}

// MARK: Moving the borders

/// The first value of those from `low` to `high` above `limit`.
static size_t upper_bound(const float *values, size_t low, size_t high, double limit) {
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if ((double)values[middle] > limit) high = middle; else low = middle + 1;
  }
  return low;
}

/// Sum of all centred values before number `end`.
static double sum_before(const Runs *runs, size_t end) {
  size_t low = 0, high = runs->runs;
  while (low < high) {
    const size_t middle = low + (high - low + 1) / 2;
    if (runs->first[middle] <= end) low = middle; else high = middle - 1;
  }
  double sum = runs->sum[low];
  for (size_t i = runs->first[low]; i < end; ++i) sum += runs->values[i] - runs->mean;
  return sum;
}

static void centre(const Runs *runs, const size_t *borders, int clusters, double *centroids) {
  double before = 0;
  for (int cluster = 0; cluster < clusters; ++cluster) {
    const double sum = sum_before(runs, borders[cluster + 1]);
    const size_t count = borders[cluster + 1] - borders[cluster];
    if (count > 0) centroids[cluster] = (sum - before) / (double)count + runs->mean;
    before = sum;
  }
}

static void lloyd(const Runs *runs, size_t *borders, int clusters, double *centroids) {
  for (int round = 0; round < 100; ++round) {
    centre(runs, borders, clusters, centroids);
    int moved = 0;
    for (int cluster = 1; cluster < clusters; ++cluster) {
      const double middle = (centroids[cluster - 1] + centroids[cluster]) / 2;
      const size_t border = upper_bound(runs->values, borders[cluster - 1], runs->count, middle);
      if (border == borders[cluster] || border <= borders[cluster - 1] || border >= borders[cluster + 1]) continue;
      borders[cluster] = border;
      moved = 1;
    }
    if (!moved) return;
  }
}

int mlc_kmeans_sorted(const float *sorted, size_t count, int clusters, double *centroids) {
  if (count == 0) return 0;
  const size_t unique = count_unique(sorted, count, kPlaces);
  if ((size_t)clusters > unique) clusters = (int)unique;
  Runs runs = {.values = sorted, .count = count};
  for (size_t i = 0; i < count; ++i) runs.mean += sorted[i] / (double)count;
  runs.first = malloc((kPlaces + 2) * sizeof(size_t));
  runs.sum = malloc((kPlaces + 2) * sizeof(double));
  runs.square = malloc((kPlaces + 2) * sizeof(double));
  size_t borders[257];
  int found = -1;
  if (runs.first && runs.sum && runs.square) {
    cut(&runs, unique <= kPlaces);
    if ((size_t)clusters > runs.runs) clusters = (int)runs.runs;
    if (partition(&runs, clusters, borders)) {
      if (unique <= kPlaces) centre(&runs, borders, clusters, centroids);
      else lloyd(&runs, borders, clusters, centroids);
      found = clusters;
    }
  }
  free(runs.first);
  free(runs.sum);
  free(runs.square);
  return found;
}
