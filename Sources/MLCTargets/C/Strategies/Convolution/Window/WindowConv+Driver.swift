import MLCCore
import MLCKernels

extension WindowConv {
  private var regions: WindowTasks { WindowTasks(geometry: geometry, sizes: sizes) }
  private var filterParts: Int { (problem.filtersPerGroup + plan.filters - 1) / plan.filters }

  /// A task is a region of the outputs of some filters of one group and image.
  var tasks: String { spell(regions.regions * problem.batch * Dim(problem.groups * filterParts)) }

  /// Tiles of outputs by tiles of filters.
  ///
  /// `at` holds image, first filter, and the region's first plane, row and column; `extents` the region's.
  func tiles(_ symbol: String) -> CCode {
    let place = isChunked ? " + (p / \(width) * \(plan.filters) + m) * \(width)" : ""
    let panels = plan.isDirect ? directPanel(symbol) : gatheredPanel(symbol)
    let products: CCode = """
      float *const sums = scratch + \(scratch.sums)\(place);
      \(plan.isAlongRows(problem) && epilogue.isFlat ? fetch : [])
      \(products(symbol))
      \(isChunked ? "if (isLast) " : "")for (int64_t r = 0; r < rows; r++)
        \(finishing(symbol))
      """
    return """
      static void \(symbol)_tiles(const mlc_frame *frame, void *const *buffers, float *scratch, const float *w,
        const int64_t *at, const int64_t *extents, int64_t filters, int64_t channels, int64_t isFirst, int64_t isLast) {
        const int64_t *const s = frame->symbols;
        (void)s, (void)isFirst, (void)isLast;
        struct \(symbol)_run runs[\(width)];
        \(panels.before)
        const int64_t tiles = (filters + \(plan.tile.rows - 1)) / \(plan.tile.rows);
        const int64_t few = filters / tiles, more = filters % tiles;
        \(plan.isAlongRows(problem)
          ? eachFilters(eachOutputs(panels.inputs + products)) : eachOutputs(panels.inputs + eachFilters(products)))
      }
      """
  }

  /// Loops over the tiles of a region's outputs: those from `p` on, before `stop`.
  private func eachOutputs(_ body: CCode) -> CCode {
    """
    for (int64_t p = 0; p < all; p += \(width)) {
      const int64_t stop = p + \(width) < all ? p + \(width) : all;
      \(body)
    }
    """
  }

  /// Loops over the tiles of a task's filters: `rows` from `m` on.
  private func eachFilters(_ body: CCode) -> CCode {
    """
    for (int64_t tile = 0, m = 0; tile < tiles; tile++) {
      const int64_t rows = few + (tile < more);
      \(body)
      m += rows;
    }
    """
  }

  /// Fetches where the outputs of the next tile go: few products do not hide that memory is slow.
  private var fetch: CCode {
    let type = problem.output.dtype.cStorageType
    let place = regions.flattened("at[2]", "at[3]", "at[4]")
    let plane = spell(problem.output.shape[2...].reduce(1, *))
    return """
      for (int64_t r = 0; r < rows; r++) {
        const \(type) *const next = (const \(type) *)buffers[\(problem.convolution.output)]
          + (at[0] * \(problem.filters) + at[1] + m + r) * \(plane) + \(place) + p + \(width);
        for (int64_t i = 0; i <= \(width); i += 64 / (int64_t)sizeof(\(type))) __builtin_prefetch(next + i, 1, 3);
      }
      """
  }

  private func products(_ symbol: String) -> CCode {
    if widths.count == 1 { return calls(widths[0], symbol) }
    return """
      if (stop - p > \(widths[1]) * VL)
        \(calls(widths[0], symbol))
      else
        \(calls(widths[1], symbol))
      """
  }

  private func calls(_ vectors: Int, _ symbol: String) -> CCode {
    let arguments = "(w + m * \(weightStride), b, channels, sums\(isChunked ? ", isFirst" : ""))"
    let cases = rowCounts.sorted(by: >).map { "case \($0): \(symbol)_\($0)x\(vectors)\(arguments); break;" }
    return .block("switch (rows)", CCode(lines: cases))
  }

  /// Declares `all`, a region's outputs; then, for those from `p` on, `b`, to which their inputs are gathered, and
  /// their `count` runs.
  private func gatheredPanel(_ symbol: String) -> (before: CCode, inputs: CCode) {
    (
      """
      const int64_t high = extents[1], wide = extents[2], all = extents[0] * high * wide;
      float *const b = scratch + \(scratch.gathered);
      """,
      """
      int64_t count = 0;
      for (int64_t q = p; q < stop; count++) {
        const int64_t x = q % wide, row = q / wide, length = wide - x < stop - q ? wide - x : stop - q;
        runs[count] = (struct \(symbol)_run){row / high, row % high, x, q - p, length};
        q += length;
      }
      \(symbol)_gather(scratch, b, channels, runs, count);
      """
    )
  }

  /// Declares `all`, a region's outputs and what lies between their rows; then, for those from `p` on, `b`, where their
  /// inputs lie, and their `count` runs.
  private func directPanel(_ symbol: String) -> (before: CCode, inputs: CCode) {
    (
      """
      const int64_t wide = extents[2];
      const int64_t all = ((extents[0] - 1) * \(geometry.planeRows) + extents[1] - 1) * \(geometry.pitch) + wide;
      """,
      """
      int64_t count = 0, total = 0;
      (void)total;
      for (int64_t q = p; q < stop;) {
        const int64_t x = q % \(geometry.pitch), row = q / \(geometry.pitch);
        const int64_t z = row / \(geometry.planeRows), y = row % \(geometry.planeRows);
        const int64_t length = wide - x < stop - q ? wide - x : stop - q;
        if (y < extents[1] && length > 0) {
          runs[count++] = (struct \(symbol)_run){z, y, x, q - p, length};
          total += length;
        }
        q += \(geometry.pitch) - x;
      }
      const float *const b = scratch + p;
      """
    )
  }

  /// Finishes row `r` of a tile: all its outputs at once where they follow each other in the result.
  private func finishing(_ symbol: String) -> CCode {
    let (row, place) = ("sums + r * \(width)", "at[0], at[1] + m + r")
    func call(_ sums: String, _ count: String, _ x: String) -> String {
      "\(symbol)_finish(frame, buffers, \(sums), \(count), \(place), \(x));"
    }
    if epilogue.isFlat, !plan.isDirect || geometry.isContiguous {
      return CCode(call(row, "stop - p", "0, 0, " + regions.flattened("at[2]", "at[3]", "at[4]") + " + p"))
    }
    guard epilogue.isFlat else {
      let x = "at[2] + runs[i].z, at[3] + runs[i].y, at[4] + runs[i].x"
      return """
        for (int64_t i = 0; i < count; i++)
          \(call(row + " + runs[i].at", "runs[i].count", x))
        """
    }
    let first = regions.flattened("at[2] + runs[0].z", "at[3] + runs[0].y", "at[4] + runs[0].x")
    return """
      if (count > 0) {
        float *const line = scratch + \(scratch.gathered);
        \(symbol)_line(\(row), line, runs, count);
        \(call("line", "total", "0, 0, " + first))
      }
      """
  }

  func body(_ symbol: String) -> CCode {
    let (filters, parts) = (problem.filtersPerGroup, filterParts)
    return """
      const int64_t *s = frame->symbols;
      (void)s;
      float *const scratch = (float *)(void *)memory;
      \(sharesInputs ? "int64_t copied = -1;" : "")
      for (int64_t task = begin; task < end; task++) {
        int64_t rest = task / \(parts);
        const int64_t part = task % \(parts) * \(plan.filters), place = rest;
        const int64_t filters = part + \(plan.filters) < \(filters) ? \(plan.filters) : \(filters) - part;
        (void)place;
        \(regions.positions)
        const int64_t group = rest % \(problem.groups), image = rest / \(problem.groups);
        const int64_t at[] = {image, group * \(filters) + part, z, y, x};
        const int64_t extents[] = {zs, ys, xs};
        \(chunks(symbol))
      }
      """
  }

  /// Whether tasks for other filters find the inputs that the one before copied.
  private var sharesInputs: Bool { filterParts > 1 && !isChunked }

  /// The statements of a task: for each part of the channels, its inputs, its weights and its products.
  private func chunks(_ symbol: String) -> CCode {
    let channels = problem.channelsPerGroup
    let inputs = inputs.call(symbol, to: "scratch", channel: "group * \(channels) + c", count: "count")
    let copied = "scratch + \(scratch.weights)"
    let copies = "\(symbol)_weights(\(copied), w, filters, count * \(problem.taps));"
    return """
      for (int64_t c = 0; c < \(channels); c += \(plan.channels)) {
        const int64_t count = c + \(plan.channels) < \(channels) ? \(plan.channels) : \(channels) - c;
        \(sharesInputs ? "if (copied != place) " : "")\(inputs)
        \(sharesInputs ? "copied = place;" : "")
        const \(weightType) *w = (const \(weightType) *)buffers[\(problem.convolution.weight)]
          + at[1] * \(problem.steps) + c * \(problem.taps);
        \(copiesWeights ? copies : "")
        \(symbol)_tiles(frame, buffers, scratch, \(copiesWeights ? copied : "w"), at, extents, filters, count, c == 0,
          c + count == \(channels));
      }
      """
  }
}
