// Plays a compiled module on given sizes and tensors: HOST MODULE DATA RESULTS SEED.
//
// Stands behind the text of the kernel ABI, built with sanitizers, or with none for another architecture; modules are
// with them or without. Every buffer has memory of its own between fences that may not be touched: AddressSanitizer
// sees accesses that it instruments, a pattern in the fences shows stores that it does not. Each run is played twice:
// task by task in order with each temporary apart, then with temporaries where the memory plan puts them, tasks cut and
// shuffled by the seed, and tensors aligned to their elements only.
//
// DATA and RESULTS are lists of little-endian int64, byte strings padded to 8:
//   data    = runs, symbols, inputs, outputs, buffers, weights, constants, (offset, bytes) of each, run…
//   weights = bytes, contents
//   run     = symbol…, input: (alignment, bytes, contents)…, output: (alignment, bytes)…,
//             buffer: (bytes, offset or -1)…
//   results = for each run, for each of the two: 1 where the module refuses the sizes, else 0, fault, symbol…,
//             output: (bytes, contents)…
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED
#endif
#endif
#ifdef IS_SANITIZED
#include <sanitizer/asan_interface.h>
#else
// Fences are told by their pattern alone.
#define __asan_poison_memory_region(from, count) ((void)(from), (void)(count))
#define __asan_unpoison_memory_region(from, count) ((void)(from), (void)(count))
#endif

enum { FENCE = 256, PATTERN = 0xC5 };

static _Noreturn void fail(const char *what, const char *detail) {
  fprintf(stderr, "host: %s: %s\n", what, detail);
  exit(3);
}

// MARK: Memory between fences

typedef struct {
  char *base, *data;
  int64_t bytes, room;
  const char *name;
} block;

/// `bytes` at an address that is `offset` past a multiple of 64, every byte `fill`.
static block fenced(int64_t bytes, int64_t offset, int fill, const char *name) {
  block b = {.bytes = bytes, .room = FENCE + offset + bytes + FENCE, .name = name};
  if (posix_memalign((void **)&b.base, 64, (size_t)b.room)) fail("memory", name);
  b.data = b.base + FENCE + offset;
  memset(b.base, PATTERN, (size_t)b.room);
  memset(b.data, fill, (size_t)bytes);
  __asan_poison_memory_region(b.base, (size_t)(b.data - b.base));
  __asan_poison_memory_region(b.data + bytes, FENCE);
  return b;
}

static void check_pattern(const char *from, const char *to, const char *name) {
  for (const char *p = from; p < to; p++)
    if ((unsigned char)*p != PATTERN) fail("a store outside of", name);
}

static void release(block b) {
  __asan_unpoison_memory_region(b.base, (size_t)b.room);
  check_pattern(b.base, b.data, b.name);
  check_pattern(b.data + b.bytes, b.base + b.room, b.name);
  free(b.base);
}

// MARK: Data

static const char *at;

static int64_t number(void) {
  int64_t value;
  memcpy(&value, at, 8);
  at += 8;
  return value;
}

static const char *bytes(int64_t count) {
  const char *start = at;
  at += (count + 7) / 8 * 8;
  return start;
}

static void write_bytes(FILE *file, const void *data, int64_t count) {
  static const char zeros[8];
  fwrite(data, 1, (size_t)count, file);
  fwrite(zeros, 1, (size_t)((8 - count % 8) % 8), file);
}

static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) fail("cannot read", path);
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *text = malloc((size_t)size + 8);
  if (fread(text, 1, (size_t)size, file) != (size_t)size) fail("cannot read", path);
  fclose(file);
  return text;
}

// MARK: Tasks

static uint64_t state;

static uint64_t draw(uint64_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state % below;
}

typedef struct {
  int64_t scratch_bytes;
  int is_shuffled;
} player;

static void play(
  const player *p, mlc_kernel kernel, const mlc_frame *frame, void *const *buffers, int64_t begin, int64_t end) {
  block scratch = fenced(p->scratch_bytes, 0, p->is_shuffled ? 0x7F : 0xFF, "scratch memory");
  mlc_frame own = *frame;
  own.scratch = scratch.data;
  kernel(&own, buffers, scratch.data, begin, end);
  release(scratch);
}

/// In order, one task after another; or in up to four ranges of any length, in any order.
static void parallel(void *pool, mlc_kernel kernel, const mlc_frame *frame, void *const *buffers, int64_t tasks) {
  const player *p = pool;
  if (tasks <= 0) fail("parallel was called without", "tasks");
  if (!p->is_shuffled) {
    for (int64_t t = 0; t < tasks; t++) play(p, kernel, frame, buffers, t, t + 1);
    return;
  }
  int64_t cuts[5] = {0, 0, 0, 0, tasks};
  for (int i = 1; i < 4; i++) cuts[i] = cuts[i - 1] + (int64_t)draw((uint64_t)(tasks - cuts[i - 1]) + 1);
  for (int i = 0, first = (int)draw(4); i < 4; i++) {
    int r = (first + 3 * i) % 4;
    if (cuts[r] < cuts[r + 1]) play(p, kernel, frame, buffers, cuts[r], cuts[r + 1]);
  }
}

/// One phase after another, each group's tasks cut in two ranges that go in the other order; or groups that go through
/// all phases at once, cut likewise.
static void in_phases(void *pool, mlc_kernel kernel, const mlc_frame *frame, void *const *buffers, mlc_phases work) {
  const player *p = pool;
  const int64_t unit = work.phases * work.tasks;
  if (work.groups <= 0 || work.phases <= 0 || work.tasks <= 0) fail("in_phases was called without", "tasks");
  if (p->is_shuffled && draw(2)) {
    const int64_t cut = (int64_t)draw((uint64_t)work.groups + 1);
    if (cut < work.groups) play(p, kernel, frame, buffers, cut * unit, work.groups * unit);
    if (cut > 0) play(p, kernel, frame, buffers, 0, cut * unit);
    return;
  }
  for (int64_t phase = 0; phase < work.phases; phase++) {
    for (int64_t group = 0; group < work.groups; group++) {
      const int64_t first = (group * work.phases + phase) * work.tasks;
      const int64_t cut = p->is_shuffled ? (int64_t)draw((uint64_t)work.tasks + 1) : work.tasks;
      if (cut < work.tasks) play(p, kernel, frame, buffers, first + cut, first + work.tasks);
      if (cut > 0) play(p, kernel, frame, buffers, first, first + cut);
    }
  }
}

// MARK: Runs

typedef struct {
  int64_t symbols, inputs, outputs, buffers, scratch_bytes, weight_bytes;
  const char *weights_given;
  block weights;
  const mlc_module *module;
} model;

static int64_t misaligned(int is_shuffled, int64_t alignment) { return is_shuffled ? alignment : 0; }

/// Offsets into the arena: that of the planned memory, or to each buffer's own. `offsets` come as `bind` made them.
static block place(const model *m, int is_shuffled, int64_t arena_bytes, block *own, int64_t *offsets) {
  int64_t given[m->buffers + 1], planned = 0, are_given = 1;
  for (int64_t i = 0; i < m->buffers; i++) {
    int64_t size = number(), offset = number();
    own[i] = fenced(is_shuffled ? 0 : size, 0, 0xFF, "a temporary");
    are_given &= offset >= 0;
    given[i] = offset;
    if (offset + size > planned) planned = offset + size;
  }
  if (is_shuffled) {
    if (are_given) memcpy(offsets, given, (size_t)(8 * m->buffers));
    return fenced(are_given ? planned : arena_bytes, 0, 0x7F, "the arena");
  }
  block arena = fenced(0, 0, 0, "the arena");
  for (int64_t i = 0; i < m->buffers; i++) offsets[i] = own[i].data - arena.data;
  return arena;
}

static void run(const model *m, int is_shuffled, FILE *results) {
  block symbols = fenced(8 * m->symbols, 0, 0, "the sizes");
  memcpy(symbols.data, bytes(8 * m->symbols), (size_t)(8 * m->symbols));
  block inputs[m->inputs + 1], outputs[m->outputs + 1], own[m->buffers + 1];
  const void *input_pointers[m->inputs + 1];
  void *output_pointers[m->outputs + 1];
  const char *given[m->inputs + 1];
  for (int64_t i = 0; i < m->inputs; i++) {
    int64_t alignment = number(), size = number();
    inputs[i] = fenced(size, misaligned(is_shuffled, alignment), 0, "an input");
    given[i] = bytes(size);
    memcpy(inputs[i].data, given[i], (size_t)size);
    input_pointers[i] = inputs[i].data;
  }
  for (int64_t i = 0; i < m->outputs; i++) {
    int64_t alignment = number(), size = number();
    outputs[i] = fenced(size, misaligned(is_shuffled, alignment), is_shuffled ? 0x55 : 0xAA, "an output");
    output_pointers[i] = outputs[i].data;
  }
  int64_t entries = m->module->offset_count > m->buffers ? m->module->offset_count : m->buffers;
  block offsets = fenced(8 * entries, 0, 0, "the offsets");
  int64_t arena_bytes = 0, fault = 0;
  int64_t is_refused = m->module->bind((const int64_t *)symbols.data, (int64_t *)offsets.data, &arena_bytes) != 0;
  block arena = place(m, is_shuffled, arena_bytes, own, (int64_t *)offsets.data);
  player p = {m->scratch_bytes, is_shuffled};
  mlc_frame frame = {
    .parallel = parallel, .in_phases = in_phases, .pool = &p, .arena = arena.data, .weights = m->weights.data,
    .inputs = input_pointers, .outputs = output_pointers, .symbols = (int64_t *)symbols.data,
    .offsets = (int64_t *)offsets.data, .fault = &fault,
  };
  fwrite(&is_refused, 8, 1, results);
  if (!is_refused) {
    m->module->run(&frame);
    fwrite(&fault, 8, 1, results);
    write_bytes(results, symbols.data, 8 * m->symbols);
  }
  for (int64_t i = 0; i < m->outputs; i++) {
    if (!is_refused) {
      fwrite(&outputs[i].bytes, 8, 1, results);
      write_bytes(results, outputs[i].data, outputs[i].bytes);
    }
    release(outputs[i]);
  }
  for (int64_t i = 0; i < m->inputs; i++) {
    if (memcmp(inputs[i].data, given[i], (size_t)inputs[i].bytes)) fail("a store into", "an input");
    release(inputs[i]);
  }
  for (int64_t i = 0; i < m->buffers; i++) release(own[i]);
  release(arena);
  release(offsets);
  release(symbols);
}

/// Weights with a fence behind each constant.
static void fence_constants(model *m) {
  m->weight_bytes = number();
  m->weights_given = bytes(m->weight_bytes);
  m->weights = fenced(m->weight_bytes, 0, 0, "the weights");
  memcpy(m->weights.data, m->weights_given, (size_t)m->weight_bytes);
  int64_t end = 0;
  for (int64_t count = number(); count > 0; count--) {
    int64_t offset = number();
    __asan_poison_memory_region(m->weights.data + end, (size_t)(offset - end));
    end = offset + number();
  }
  __asan_poison_memory_region(m->weights.data + end, (size_t)(m->weight_bytes - end));
}

int main(int count, char **arguments) {
  if (count != 5) fail("usage", "host MODULE DATA RESULTS SEED");
  void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) fail("dlopen", dlerror());
  model m = {.module = dlsym(library, "mlc_module_v5")};
  if (!m.module) fail("dlsym", dlerror());
  static const mlc_math math = MLC_MATH_OF_LIBRARY;
  *m.module->math = &math;
  char *data = read_file(arguments[2]);
  at = data;
  state = strtoull(arguments[4], 0, 10) | 1;
  FILE *results = fopen(arguments[3], "wb");
  if (!results) fail("cannot write", arguments[3]);
  int64_t runs = number();
  m.symbols = number();
  m.inputs = number();
  m.outputs = number();
  m.buffers = number();
  m.scratch_bytes = m.module->scratch_bytes;
  if (m.symbols != m.module->symbol_count) fail("the module has other", "sizes");
  // Three entries more for each are what `bind` works with.
  if (m.module->offset_count != 0 && m.module->offset_count != 4 * m.buffers) fail("the module has other", "buffers");
  fence_constants(&m);
  for (; runs > 0; runs--) {
    const char *start = at;
    run(&m, 0, results);
    at = start;
    run(&m, 1, results);
  }
  __asan_unpoison_memory_region(m.weights.data, (size_t)m.weight_bytes);
  if (memcmp(m.weights.data, m.weights_given, (size_t)m.weight_bytes)) fail("a store into", "the weights");
  release(m.weights);
  if (fclose(results)) fail("cannot write", arguments[3]);
  free(data);
  return 0;
}
