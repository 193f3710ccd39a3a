import MLCCore
import MLCKernels

extension LongWindowConv {
  private var spans: [Convolution.Span] { space.space.spans }
  private var input: [String] { space.space.input.map(spell) }
  private var inputType: String { problem.x.dtype.cStorageType }
  private var x: String { "(const \(inputType) *)buffers[\(problem.convolution.x)]" }
  private var inputEnd: String { "\(x) + \(spell(problem.x.shape.reduce(1, *)))" }
  private var plane: String { spell(space.space.input.reduce(1, *)) }

  /// Copies `runs` rows of the window from number `first` on, `z`, `y` and `left` being where its first element lies in
  /// the input, one behind the other; zeros where a row lies outside. What vectors write past a row is written again
  /// with what follows it; they read nothing from `stop`, the input's end, on.
  func gather(_ symbol: String) -> CCode {
    if space.isContiguous { return copy(symbol) }
    let (planes, rows, run, step) = (spans[0].kernel, spans[1].kernel, plan.run, spans[2].dilation)
    return """
      \(copy(symbol))
      FN int64_t \(symbol)_clamp(int64_t i, int64_t least, int64_t most) {
        return i < least ? least : i > most ? most : i;
      }
      static __attribute__((noinline)) void \(symbol)_gather(const int64_t *s, float *restrict d,
        const \(inputType) *restrict x, const \(inputType) *stop, int64_t z, int64_t y, int64_t left, int64_t first,
        int64_t runs) {
        (void)s;
        const int64_t begin = \(symbol)_clamp(-mlc_floor_div(left, \(step)), 0, \(run));
        const int64_t end = \(symbol)_clamp(-mlc_floor_div(left - \(input[2]), \(step)), begin, \(run));
        int64_t j = first % \(rows), i = first / \(rows) % \(planes);
        x += first / \(planes * rows) * \(plane);
        for (; runs > 0; runs--, d += \(run)) {
          const int64_t depth = z + i * \(spans[0].dilation), row = y + j * \(spans[1].dilation);
          const int64_t inside = depth >= 0 && depth < \(input[0]) && row >= 0 && row < \(input[1]) && begin < end;
          for (int64_t k = 0; k < (inside ? begin : \(run)); k += VL) ST(d + k, (V){});
          if (inside) {
            const \(inputType) *q = x + (depth * \(input[1]) + row) * \(input[2]) + left + begin * \(step);
            \(RowCopy(dtype: problem.x.dtype, lanes: problem.block, step: step).code)
            for (int64_t k = end; k < \(run); k += VL) ST(d + k, (V){});
          }
          if (++j == \(rows)) {
            j = 0;
            if (++i == \(planes)) i = 0, x += \(plane);
          }
        }
        ST(d, (V){});
      }
      """
  }

  /// Copies the first `depth` elements of rows `stride` elements apart to rows that begin on vectors, with zeros to the
  /// last vector's end, and asks for those that follow, which the next part of the window takes.
  private func copy(_ symbol: String) -> CCode {
    """
    static __attribute__((noinline)) void \(symbol)_copy(
      float *restrict d, const float *restrict from, int64_t stride, int64_t rows, int64_t depth) {
      for (; rows > 0; rows--, d += \(pitch), from += stride) {
        int64_t k = 0;
        for (; k + VL <= depth; k += VL) {
          ST(d + k, LD(from + k));
          __builtin_prefetch(from + k + \(plan.depth), 0, 2);
        }
        if (k < depth) ST(d + k, mlc_ld_part(from + k, depth - k));
      }
    }
    """
  }

  /// Adds up the lanes of `filters` filters' sums of one image, whose vectors lie at `parts`, and stores them.
  func finish(_ symbol: String) -> CCode {
    let stored: CCode = """
      float *const to = (float *)buffers[\(problem.convolution.output)]
        + (image * \(problem.filters) + filter) * \(space.taps);
      for (int64_t i = 0; i < count; i += VL) mlc_st_some(to + i, \(symbol)_lanes(parts + i * VL), count - i);
      """
    return """
      /// The sums of the lanes of VL vectors: two vectors become one of twice as many, half as long sums.
      FN V \(symbol)_lanes(const float *parts) {
        V t[VL];
        _Pragma("clang loop unroll(full)") for (int i = 0; i < VL; i++) t[i] = LD(parts + i * VL);
        _Pragma("clang loop unroll(full)") for (int h = VL / 2; h > 0; h /= 2)
          _Pragma("clang loop unroll(full)") for (int i = 0; i < h; i++)
            t[i] = MLC_ZIP_LOW(t[i], t[i + h]) + MLC_ZIP_HIGH(t[i], t[i + h]);
        return t[0];
      }
      static void \(symbol)_store(const mlc_frame *frame, void *const *buffers, const float *parts, float *sums,
        int64_t image, int64_t filter, int64_t filters) {
        const int64_t count = \(epilogue == nil ? "filters * " : "")\(space.taps);
        (void)frame, (void)sums, (void)filters;
        \(epilogue.map { finished(symbol, $0) } ?? stored)
      }
      """
  }

  private func finished(_ symbol: String, _ epilogue: WindowEpilogue) -> CCode {
    let (high, wide) = (space.extents[1], space.extents[2])
    let rows: CCode = """
      for (int64_t row = 0; row < \(space.taps / wide); row++)
        \(symbol)_finish(frame, buffers, sums + row * \(wide), \(wide), image, filter, row / \(high), row % \(high), 0);
      """
    return """
      for (; filters > 0; filters--, filter++, parts += count * VL) {
        for (int64_t i = 0; i < count; i += VL) ST(sums + i, \(symbol)_lanes(parts + i * VL));
        \(epilogue.isFlat ? "\(symbol)_finish(frame, buffers, sums, count, image, filter, 0, 0, 0);" : rows)
      }
      """
  }

  func body(_ symbol: String) -> CCode {
    let (filters, taps) = (problem.filtersPerGroup, space.taps)
    let empty: CCode = "if (runs == 0) for (int64_t i = 0; i < images * outputs; i++) ST(parts + i * VL, (V){});"
    let runs = spell(space.channelsPerGroup * Dim(space.window / plan.run))
    return """
      const int64_t *s = frame->symbols;
      (void)s;
      float *const parts = (float *)(void *)memory, *const sums = parts + \(scratch.sums);
      float *const a = parts + \(scratch.filters), *const b = parts + \(scratch.inputs);
      const int64_t runs = \(runs), steps = runs * \(plan.run);
      int64_t places[\(columns)];
      for (int64_t task = begin; task < end; task++) {
        int64_t rest = task / \(filterParts);
        const int64_t part = task % \(filterParts) * \(plan.filters), first = rest % \(imageParts) * \(plan.images);
        const int64_t group = rest / \(imageParts);
        const int64_t filters = part + \(plan.filters) < \(filters) ? \(plan.filters) : \(filters) - part;
        const int64_t images = first + \(plan.images) < \(space.images) ? \(plan.images) : \(space.images) - first;
        const int64_t columns = images * \(taps), outputs = filters * \(taps);
        for (int64_t i = 0; i < columns; i++) places[i] = (i / \(taps) * outputs + i % \(taps)) * VL;
        \(space.channelsPerGroup.constant == nil ? empty : [])
        const int64_t filter = group * \(filters) + part;
        const float *w = (const float *)buffers[\(problem.convolution.weight)] + filter * steps;
        for (int64_t run = 0; run < runs; run += \(plan.runs)) {
          const int64_t count = run + \(plan.runs) < runs ? \(plan.runs) : runs - run;
          const int64_t depth = count * \(plan.run);
          \(symbol)_copy(a, w + run * \(plan.run), steps, filters, depth);
          \(inputs(symbol))
          \(symbol)_tiles(a, filters, b, columns, depth, parts, places, run == 0);
        }
        for (int64_t i = 0; i < images; i++)
          \(symbol)_store(frame, buffers, parts + i * outputs * VL, sums, first + i, filter, filters);
      }
      """
  }

  /// Fills `b` with what the columns read of this part of the window.
  private func inputs(_ symbol: String) -> CCode {
    func channel(_ image: String) -> String {
      "\(x) + ((\(image)) * \(problem.groups) + group) * \(spell(space.channelsPerGroup)) * \(plane)"
    }
    if space.isContiguous {
      return CCode("\(symbol)_copy(b, \(channel("first")) + run, \(problem.groups) * steps, images, depth);")
    }
    let places = zip(["z", "y", "x"], spans).map { "\($0) * \($1.stride) - \($1.low)" }.joined(separator: ", ")
    let call: CCode = """
      \(symbol)_gather(s, d, \(channel("first + i")), \(inputEnd), \(places), run, count);
      d += \(pitch);
      """
    let axes = zip(["z", "y", "x"], space.extents).map { (name: $0, extent: "\($1)") }
    return "float *d = b;" + CCode.loops([("i", "images")] + axes, call)
  }
}
