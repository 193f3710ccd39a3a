// Programs run block by block: elements in memory become lanes, steps work on lanes, lanes become elements again.

#define LOADER(name, from, expression) \
  static void load_##name(const void *pa, void *pd, ptrdiff_t n, ptrdiff_t stride) { \
    const from *a = pa; \
    u32 *d = pd; \
    if (stride == 1) { \
      LOOP(from x = a[i]; d[i] = (u32)(expression)) \
    } else if (stride == 0) { \
      from x = *a; \
      u32 value = (u32)(expression); \
      LOOP(d[i] = value) \
    } else { \
      LOOP(from x = a[i * stride]; d[i] = (u32)(expression)) \
    } \
  }
LOADER(32, u32, x)
LOADER(16s, int16_t, (i32)x)
LOADER(16u, uint16_t, x)
LOADER(8s, int8_t, (i32)x)
LOADER(8u, uint8_t, x)
#ifdef MLCT_F16C
LOADER(half, _Float16, mlct_float_bits((f32)x))
#else
LOADER(half, uint16_t, mlct_float_bits(mlct_from_half(x)))
#endif

static void load_strided(mlct_type type, const void *from, void *to, ptrdiff_t n, ptrdiff_t stride) {
  switch (type) {
  case MLCT_FLOAT32: case MLCT_INT32: case MLCT_UINT32: load_32(from, to, n, stride); break;
  case MLCT_FLOAT16: load_half(from, to, n, stride); break;
  case MLCT_INT16: load_16s(from, to, n, stride); break;
  case MLCT_UINT16: load_16u(from, to, n, stride); break;
  case MLCT_INT8: load_8s(from, to, n, stride); break;
  default: load_8u(from, to, n, stride); break;
  }
}

static void load(mlct_type type, const void *from, void *to, ptrdiff_t n) { load_strided(type, from, to, n, 1); }

static void store(mlct_type type, const void *from, void *to, ptrdiff_t n) {
  const u32 *a = from;
  switch (type) {
  case MLCT_FLOAT32: case MLCT_INT32: case MLCT_UINT32: memcpy(to, from, (size_t)n * 4); break;
  case MLCT_FLOAT16: {
    const f32 *x = from;
#ifdef MLCT_F16C
    _Float16 *d = to;
    LOOP(d[i] = (_Float16)x[i])
#else
    uint16_t *d = to;
    LOOP(d[i] = mlct_to_half(x[i]))
#endif
    break;
  }
  case MLCT_INT16: case MLCT_UINT16: {
    uint16_t *d = to;
    LOOP(d[i] = (uint16_t)a[i])
    break;
  }
  default: {
    uint8_t *d = to;
    LOOP(d[i] = (uint8_t)a[i])
    break;
  }
  }
}

static size_t width_of(mlct_type type) {
  return type == MLCT_FLOAT32 || type == MLCT_INT32 || type == MLCT_UINT32 ? 4
    : type == MLCT_FLOAT16 || type == MLCT_INT16 || type == MLCT_UINT16 ? 2 : 1;
}

/// Lanes of `n` elements from `start` on, in row-major order of the domain, wherever their strides say they lie.
static void load_anywhere(const mlct_program *p, const mlct_operand *from, ptrdiff_t start, ptrdiff_t n, u32 *to) {
  ptrdiff_t indices[64], rest = start, offset = 0;
  size_t width = width_of(from->type), last = p->rank - 1;
  for (size_t axis = p->rank; axis-- > 0;) {
    indices[axis] = rest % p->extents[axis];
    rest /= p->extents[axis];
    offset += indices[axis] * from->strides[axis];
  }
  while (n > 0) {
    ptrdiff_t run = p->extents[last] - indices[last];
    run = run < n ? run : n;
    load_strided(from->type, (const char *)from->base + offset * (ptrdiff_t)width, to, run, from->strides[last]);
    to += run;
    n -= run;
    offset += run * from->strides[last];
    indices[last] += run;
    for (size_t axis = last; axis > 0 && indices[axis] == p->extents[axis]; axis--) {
      offset += from->strides[axis - 1] - indices[axis] * from->strides[axis];
      indices[axis] = 0;
      indices[axis - 1]++;
    }
  }
}

static void run(const mlct_program *p, ptrdiff_t start, ptrdiff_t end, void *lanes, void **places) {
  for (size_t i = 0; i < p->place_count; i++) {
    places[i] = p->slots[i] < 0 ? NULL : (u32 *)lanes + (ptrdiff_t)p->slots[i] * p->block;
  }
  for (size_t i = 0; i < p->constant_count; i++) {
    u32 *place = places[p->input_count + i];
    for (ptrdiff_t j = 0; j < p->block; j++) place[j] = p->constants[i];
  }
  for (; start < end; start += p->block) {
    ptrdiff_t n = end - start < p->block ? end - start : p->block;
    for (size_t i = 0; i < p->input_count; i++) {
      const mlct_operand *input = &p->inputs[i];
      char *element = (char *)input->base + start * (ptrdiff_t)width_of(input->type);
      if (p->slots[i] < 0) places[i] = element;
      else if (input->is_dense) load(input->type, element, places[i], n);
      else load_anywhere(p, input, start, n, places[i]);
    }
    for (size_t i = 0; i < p->output_count; i++) {
      const mlct_operand *output = &p->outputs[i];
      if (p->slots[output->place] < 0) places[output->place] = (u32 *)output->base + start;
    }
    for (size_t i = 0; i < p->step_count; i++) {
      const mlct_step *s = &p->steps[i];
      if (s->op < MLCT_NEG_F) binaries[s->op](places[s->a], places[s->b], places[s->target], n);
      else if (s->op < MLCT_SELECT) unaries[s->op - MLCT_NEG_F](places[s->a], places[s->target], n);
      else select_lanes(places[s->a], places[s->b], places[s->c], places[s->target], n);
    }
    for (size_t i = 0; i < p->output_count; i++) {
      const mlct_operand *output = &p->outputs[i];
      if (p->slots[output->place] < 0) continue;
      store(output->type, places[output->place], (char *)output->base + start * (ptrdiff_t)width_of(output->type), n);
    }
  }
}
